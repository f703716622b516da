//! Third stage: keys that are fine one by one, and contradict each other or the function.
//!
//! Only literals are compared here. Where one of the two is a constant, const evaluation judges
//! both, by the same rules (`Config::check` of the runtime).

use crate::config::{Given, Settings};
use crate::errors::Errors;
use crate::function::Function;
use crate::output::Output;
use crate::tokens::stream;
use crate::value::{Literal, Value};
use syn::ext::IdentExt;

/// Notes every contradiction.
pub(crate) fn contradictions(settings: &Settings, errors: &mut Errors) {
    window_below_threshold(settings, errors);
    failures_above_window(settings, errors);
    ceiling_below_cooldown(settings, errors);
    timeout_above_probe_timeout(settings, errors);
    more_at_once_than_probes(settings, errors);
    let lacks_slow_call =
        settings.measure("slow_call").is_none() && !settings.is_unread("slow_call");
    if let (Some(rate), true) = (settings.measure("slow_rate"), lacks_slow_call) {
        errors.at(
            &rate.name,
            "`slow_rate` needs to know when a call is slow: add `slow_call`, such as \
             `slow_call = \"2s\"`",
        );
    }
    if let (Some(failure_if), Some(_)) = (&settings.failure_if, &settings.classify) {
        errors
            .at(&failure_if.name, "`failure_if` is the short form of `classify`: keep one of them");
    }
    let lacks_key = settings.key.is_none() && !settings.is_unread("key");
    if let (Some(capacity), true) = (&settings.capacity, lacks_key) {
        errors.at(
            &capacity.name,
            "`capacity` bounds the keys that are kept, and there is no `key`: add one, such as \
             `key = host`",
        );
    }
    if let (Some(handle), Some(_)) = (&settings.handle, &settings.key) {
        errors.at(
            &handle.name,
            "`handle` gives out one breaker, but with `key` there is one for each key: find them in \
             `panel()`, or make a `static` of type `Keyed` and write `breaker = HOSTS.get(host)`",
        );
    }
    if settings.breaker.is_some() {
        for name in settings.shaping_keys() {
            errors.at(
                name,
                format!(
                    "`{name}` shapes the function's own breaker, but `breaker` borrows one made \
                     elsewhere: set it there, or remove `breaker`"
                ),
            );
        }
    }
}

/// Notes every key that the function has no use for, or lacks.
pub(crate) fn against_function(settings: &Settings, function: &Function, errors: &mut Errors) {
    let output = function.output();
    let is_sync = !function.is_async && matches!(output, Output::Value(_) | Output::Never);
    let is_sync = is_sync && !function.ends_in_future();
    if let (Some(timeout), true) = (&settings.timeout, is_sync) {
        errors.at(
            &timeout.name,
            "`timeout` drops a future that takes too long, and a sync function cannot be stopped \
             from outside: give the call itself a time limit, or let `slow_call` count it as slow",
        );
    }
    if let Some(fallback) = &settings.fallback {
        fallback.value.judge(function, errors);
    }
    if let Some(handle) = &settings.handle {
        let name = &handle.value.name;
        if *name == function.name {
            errors.at(
                name,
                format!(
                    "`handle` makes a function beside this one, which is named `{name}` itself: \
                     write another name, such as `handle = {}_breaker`",
                    name.unraw()
                ),
            );
        }
    }
    let lacks_fallback = settings.fallback.is_none() && !settings.is_unread("fallback");
    let lacks_verdict = settings.classify.is_none() && !settings.is_unread("classify");
    let is_hidden = (is_sync || function.is_async) && output.is_hidden();
    match output {
        Output::Never if lacks_fallback => errors.at(
            stream(&function.returned),
            "a rejected call must return, and nothing can be returned as `!`: add a `fallback` \
             that never returns either, such as `fallback = |rejected| panic!(\"{rejected}\")`",
        ),
        _ if is_hidden && (lacks_fallback || lacks_verdict) => errors.at(
            stream(&function.returned),
            "this type does not show whether it is a `Result`: say with `classify` what a value \
             counts as, and with `fallback` what a rejected call returns",
        ),
        _ => {}
    }
}

fn window_below_threshold(settings: &Settings, errors: &mut Errors) {
    let Some(window) = settings.measure("window") else {
        return;
    };
    let threshold = settings.measure("threshold");
    let (Some(held), Some(least)) = (calls(window), number_or(settings, "threshold", 20)) else {
        return;
    };
    if held < least {
        errors.at(
            &window.tokens,
            format!(
                "a window of the last {held} calls can never hold the {least} of `threshold`{}, \
                 so nothing would ever be judged: write `window = {least}` or more, or \
                 `threshold = {held}` or less",
                by_default(threshold),
            ),
        );
    }
}

fn failures_above_window(settings: &Settings, errors: &mut Errors) {
    let Some(held) = settings.measure("window").and_then(calls) else {
        return;
    };
    for (name, why) in [
        ("consecutive", "a window of {held} failures opens by its rate before"),
        ("max_failures", "a window of the last {held} calls never holds more failures"),
    ] {
        let Some(given) = settings.measure(name) else { continue };
        let Some(failures) = number(given).filter(|failures| *failures > held) else { continue };
        let why = why.replace("{held}", &held.to_string());
        errors.at(
            &given.tokens,
            format!(
                "{failures} failures never open the breaker, as {why}: write `{name} = {held}` or \
                 less, or `window = {failures}` or more"
            ),
        );
    }
}

fn timeout_above_probe_timeout(settings: &Settings, errors: &mut Errors) {
    // A borrowed breaker has its own settings, which are not seen here.
    let Some(timeout) = settings.timeout.as_ref().filter(|_| settings.breaker.is_none()) else {
        return;
    };
    let probe_timeout = settings.measure("probe_timeout");
    let most = number_or(settings, "probe_timeout", 60_000_000_000);
    let (Some(limit), Some(most)) = (number(timeout), most) else {
        return;
    };
    if limit > most {
        errors.at(
            &probe_timeout.unwrap_or(timeout).tokens,
            format!(
                "a probe is given up after `probe_timeout`, which is {}{}, before the {} of `timeout` \
                 are over: raise `probe_timeout`, or lower `timeout`",
                probe_timeout.map_or_else(|| "\"60s\"".to_owned(), |given| given.tokens.to_string()),
                by_default(probe_timeout),
                timeout.tokens,
            ),
        );
    }
}

fn ceiling_below_cooldown(settings: &Settings, errors: &mut Errors) {
    let Some(ceiling) = settings.measure("max_cooldown") else {
        return;
    };
    let cooldown = settings.measure("cooldown");
    let least = number_or(settings, "cooldown", 15_000_000_000);
    let (Some(most), Some(least)) = (number(ceiling), least) else {
        return;
    };
    if most < least {
        errors.at(
            &ceiling.tokens,
            format!(
                "`max_cooldown` is the most that the cooldown grows to, so it is never below \
                 `cooldown`, which is {}{}: raise it, or lower `cooldown`",
                cooldown.map_or_else(|| "\"15s\"".to_owned(), |given| given.tokens.to_string()),
                by_default(cooldown),
            ),
        );
    }
}

fn more_at_once_than_probes(settings: &Settings, errors: &mut Errors) {
    let Some(at_once) = settings.measure("probe_concurrency") else {
        return;
    };
    let probes = settings.measure("probes");
    let (Some(count), Some(most)) = (number(at_once), number_or(settings, "probes", 3)) else {
        return;
    };
    if count > most {
        errors.at(
            &at_once.tokens,
            format!(
                "at most all `probes` can be in flight at once, and there are {most}{}: write \
                 `probe_concurrency = {most}` or less, or `probes = {count}`",
                by_default(probes),
            ),
        );
    }
}

/// The literal number given for a key, or its default; nothing if a constant was given, or what could
/// not be read.
fn number_or(settings: &Settings, name: &str, default: u64) -> Option<u64> {
    match settings.measure(name) {
        Some(given) => number(given),
        None => (!settings.is_unread(name)).then_some(default),
    }
}

/// The number of a literal: a count, or nanoseconds.
fn number(given: &Given<Value>) -> Option<u64> {
    match given.value.literal {
        Some(Literal::Integer(number) | Literal::Nanoseconds(number)) => Some(number),
        _ => None,
    }
}

/// The calls of a window by count.
fn calls(given: &Given<Value>) -> Option<u64> {
    match given.value.literal {
        Some(Literal::Integer(calls)) => Some(calls),
        _ => None,
    }
}

fn by_default(given: Option<&Given<Value>>) -> &'static str {
    if given.is_none() { " (by default)" } else { "" }
}
