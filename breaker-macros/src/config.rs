//! Second stage: keys and values become [`Settings`], typed and judged.
//!
//! Each value keeps its tokens, so that whatever is found wrong later, by this macro or by the
//! compiler, is underlined where the user wrote it. A new key takes a row in [`KEYS`]; one that is no
//! plain measure also takes a field of [`Settings`] and an arm in [`Settings::set`].

use crate::args::Argument;
use crate::errors::Errors;
use crate::fallback::Fallback;
use crate::judge;
use crate::tokens::{is_pair, is_sign, is_word, unwrapped};
use crate::value::{self, MOST_CALLS, Measure, Value, Written, quoted, refused, written};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Error, Lit};

/// A key of the attribute.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// How to write it, shown in errors.
    pub(crate) example: &'static str,
    /// What it takes, if it is a setting of the breaker that takes a measure.
    measure: Option<Measure>,
}

/// All keys, in the order of the documentation.
pub(crate) const KEYS: &[Key] = &[
    measured("threshold", "threshold = 20", Measure::Integer(MOST_CALLS)),
    measured("rate", "rate = 0.5", Measure::Share(0.000_001)),
    measured("window", "window = \"30s\"", Measure::Window),
    measured("consecutive", "consecutive = 5", Measure::Integer(u32::MAX as u64)),
    measured("max_failures", "max_failures = 50", Measure::Integer(u32::MAX as u64)),
    measured("slow_call", "slow_call = \"2s\"", Measure::Duration(1, "above zero")),
    measured("slow_rate", "slow_rate = 0.8", Measure::Share(0.000_001)),
    measured("cooldown", "cooldown = \"15s\"", WAIT),
    measured("max_cooldown", "max_cooldown = \"5m\"", WAIT),
    measured("jitter", "jitter = 0.2", Measure::Share(0.0)),
    measured("probes", "probes = 3", Measure::Integer(u16::MAX as u64)),
    measured("probe_concurrency", "probe_concurrency = 1", Measure::Integer(u16::MAX as u64)),
    measured("probe_timeout", "probe_timeout = \"60s\"", WAIT),
    other("classify", "classify = outcome_of"),
    other("failure_if", "failure_if = Error::is_timeout"),
    other("cancelled", "cancelled = Failure"),
    other("fallback", "fallback = |rejected| answer_without(rejected)"),
    other("name", "name = \"payments\""),
    other("breaker", "breaker = &PAYMENTS"),
    other("handle", "handle = payments_breaker"),
    other("on_transition", "on_transition = log_transition"),
    other("timeout", "timeout = \"2s\""),
    other("crate", "crate = ::breakerbox"),
];

/// At least a millisecond.
const WAIT: Measure = Measure::Duration(1_000_000, "of at least 1ms");

const fn measured(name: &'static str, example: &'static str, measure: Measure) -> Key {
    Key { name, example, measure: Some(measure) }
}

const fn other(name: &'static str, example: &'static str) -> Key {
    Key { name, example, measure: None }
}

/// Something that the user gave.
pub(crate) struct Given<T> {
    /// The key as written.
    pub(crate) name: Ident,
    pub(crate) value: T,
    /// The value as written.
    pub(crate) tokens: TokenStream,
}

/// Everything that one attribute asks for.
pub(crate) struct Settings {
    /// The path of the facade's hidden module, under which the expansion finds everything.
    pub(crate) private: TokenStream,
    /// The settings of the breaker that take a measure, in the order given.
    pub(crate) measures: Vec<Given<Value>>,
    pub(crate) cancelled: Option<Given<TokenStream>>,
    pub(crate) classify: Option<Given<TokenStream>>,
    pub(crate) failure_if: Option<Given<TokenStream>>,
    pub(crate) fallback: Option<Given<Fallback>>,
    pub(crate) name: Option<Given<TokenStream>>,
    pub(crate) breaker: Option<Given<Lender>>,
    pub(crate) handle: Option<Given<Handle>>,
    pub(crate) on_transition: Option<Given<TokenStream>>,
    pub(crate) timeout: Option<Given<Value>>,
    /// The facade's path.
    facade: Option<Given<TokenStream>>,
}

/// Where `breaker = …` takes the breaker from.
pub(crate) enum Lender {
    /// `&PAYMENTS`: a static, which the panel may list.
    Static,
    /// Any other expression.
    Expression,
}

/// The function that `handle = …` asks for.
pub(crate) struct Handle {
    pub(crate) name: Ident,
    /// Whether it was written `Self::name`.
    pub(crate) on_type: bool,
}

/// Finds a key by its name.
pub(crate) fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// The message for a key that does not exist.
pub(crate) fn unknown_key(name: &str) -> String {
    let near = KEYS
        .iter()
        .map(|key| (distance(name, key.name), key.name))
        .min()
        .filter(|(distance, near)| *distance <= near.len().max(3) / 3);
    let meant = near.map(|(_, near)| format!("; did you mean `{near}`?")).unwrap_or_default();
    let keys: Vec<_> = KEYS.iter().map(|key| format!("`{}`", key.name)).collect();
    format!("there is no key `{name}`{meant}\nthe keys are {}", keys.join(", "))
}

impl Settings {
    /// Reads every argument, then judges them together.
    pub(crate) fn read(arguments: Vec<Argument>, errors: &mut Errors) -> Self {
        let mut settings = Self::none();
        // The path of the facade goes first, for other values are written with it.
        let (facade, others): (Vec<_>, Vec<_>) =
            arguments.into_iter().partition(|argument| argument.key.name == "crate");
        for argument in facade.into_iter().chain(others) {
            settings.set(argument, errors);
        }
        judge::contradictions(&settings, errors);
        settings
    }

    fn none() -> Self {
        let span = Span::mixed_site();
        Self {
            private: quote_spanned!(span=> ::breakerbox::__private),
            measures: Vec::new(),
            cancelled: None,
            classify: None,
            failure_if: None,
            fallback: None,
            name: None,
            breaker: None,
            handle: None,
            on_transition: None,
            timeout: None,
            facade: None,
        }
    }

    /// Sets one key.
    fn set(&mut self, argument: Argument, errors: &mut Errors) {
        let private = &self.private.clone();
        let key = argument.key;
        let read_measure = |measure| move |tokens| value::measure(key, measure, private, tokens);
        if let Some(measure) = key.measure {
            let earlier = self.measures.iter().position(|given| given.name == key.name);
            let mut slot = earlier.map(|position| self.measures.remove(position));
            set(&mut slot, argument, errors, read_measure(measure));
            self.measures.extend(slot);
            return;
        }
        let code = |allowed| move |tokens| code(key, tokens, allowed);
        match key.name {
            "classify" => {
                let allowed = "a path or closure that makes an `Outcome` of `&` the returned value";
                set(&mut self.classify, argument, errors, code(allowed));
            }
            "failure_if" => {
                let allowed = "a path or closure that makes a `bool` of `&` the error";
                set(&mut self.failure_if, argument, errors, code(allowed));
            }
            "on_transition" => {
                let allowed = "a `fn(&Transition)`";
                set(&mut self.on_transition, argument, errors, code(allowed));
            }
            "cancelled" => {
                set(&mut self.cancelled, argument, errors, |t| cancelled(key, private, t));
            }
            "fallback" => set(&mut self.fallback, argument, errors, |t| Fallback::read(key, t)),
            "name" => set(&mut self.name, argument, errors, |tokens| name(key, tokens)),
            "breaker" => set(&mut self.breaker, argument, errors, |tokens| lender(key, tokens)),
            "handle" => set(&mut self.handle, argument, errors, |tokens| handle(key, &tokens)),
            "timeout" => set(&mut self.timeout, argument, errors, read_measure(WAIT)),
            _ => {
                set(&mut self.facade, argument, errors, |tokens| facade(key, tokens));
                if let Some(facade) = &self.facade {
                    let path = &facade.value;
                    self.private = quote!(#path::__private);
                }
            }
        }
    }

    /// The path of the hidden module, at a place of the user's: an error about what follows it is
    /// underlined there.
    pub(crate) fn private_at(&self, place: Span) -> TokenStream {
        let tokens = self.private.clone().into_iter().map(|mut token| {
            token.set_span(place.resolved_at(token.span()));
            token
        });
        tokens.collect()
    }

    /// The measure that was given for a key.
    pub(crate) fn measure(&self, name: &str) -> Option<&Given<Value>> {
        self.measures.iter().find(|given| given.name == name)
    }

    /// The keys given that shape the function's own breaker.
    pub(crate) fn shaping_keys(&self) -> impl Iterator<Item = &Ident> {
        let measures = self.measures.iter().map(|given| &given.name);
        let others = [&self.cancelled, &self.name, &self.on_transition];
        let others = others.into_iter().flatten().map(|given| &given.name);
        measures.chain(others).chain(self.handle.iter().map(|given| &given.name))
    }
}

/// Puts a value where its key belongs, unless it does not fit or the key was given before.
fn set<T>(
    slot: &mut Option<Given<T>>,
    argument: Argument,
    errors: &mut Errors,
    read: impl FnOnce(TokenStream) -> Result<T, Error>,
) {
    let Argument { name, value: tokens, .. } = argument;
    if slot.is_some() {
        errors.at(&name, format!("`{name}` is given twice: remove one of them"));
    }
    match read(tokens.clone()) {
        Ok(value) => {
            slot.get_or_insert(Given { name, value, tokens });
        }
        Err(error) => errors.add(error),
    }
}

/// Code, where a literal would make no sense.
fn code(key: &Key, tokens: TokenStream, allowed: &str) -> Result<TokenStream, Error> {
    match written(&tokens) {
        Written::Literal { .. } => Err(misfit(key, &tokens, allowed)),
        Written::Code => Ok(tokens),
    }
}

fn cancelled(key: &Key, private: &TokenStream, tokens: TokenStream) -> Result<TokenStream, Error> {
    match unwrapped(tokens.clone()).as_slice() {
        [TokenTree::Ident(word)] if word == "Ignored" || word == "Failure" => {
            Ok(quote!(#private::Cancelled::#word))
        }
        [TokenTree::Ident(_), colon, ..] if is_sign(Some(colon), ':') => Ok(tokens),
        _ => Err(misfit(key, &tokens, "`Ignored` or `Failure`")),
    }
}

fn name(key: &Key, tokens: TokenStream) -> Result<TokenStream, Error> {
    let allowed = "a text in quotes";
    match written(&tokens) {
        Written::Literal { literal: Lit::Str(text), negative: false } => {
            if text.value().trim().is_empty() {
                return Err(refused(key, &tokens, "an empty name tells nobody anything", allowed));
            }
            Ok(tokens)
        }
        _ => Err(misfit(key, &tokens, allowed)),
    }
}

fn lender(key: &Key, tokens: TokenStream) -> Result<Lender, Error> {
    let tokens = code(key, tokens, "an expression that is or lends a `Breaker`")?;
    let tokens = unwrapped(tokens);
    let (is_reference, path) = match tokens.as_slice() {
        [and, path @ ..] if is_sign(Some(and), '&') => (true, path),
        path => (false, path),
    };
    let is_constant = matches!(path.last(), Some(TokenTree::Ident(last)) if is_upper(last));
    if is_reference && is_path(path) && is_constant {
        Ok(Lender::Static)
    } else {
        Ok(Lender::Expression)
    }
}

fn handle(key: &Key, tokens: &TokenStream) -> Result<Handle, Error> {
    match unwrapped(tokens.clone()).as_slice() {
        [TokenTree::Ident(name)] if is_plain(name) => {
            Ok(Handle { name: name.clone(), on_type: false })
        }
        [owner, _, colon, TokenTree::Ident(name)]
            if is_word(Some(owner), "Self") && is_sign(Some(colon), ':') && is_plain(name) =>
        {
            Ok(Handle { name: name.clone(), on_type: true })
        }
        _ => Err(misfit(key, tokens, "the name of a function that this will make")),
    }
}

fn facade(key: &Key, tokens: TokenStream) -> Result<TokenStream, Error> {
    if is_path(&unwrapped(tokens.clone())) {
        Ok(tokens)
    } else {
        Err(misfit(key, &tokens, "the path of the `breakerbox` crate, without quotes"))
    }
}

fn misfit(key: &Key, tokens: &TokenStream, allowed: &str) -> Error {
    refused(key, tokens, &format!("{} does not fit", quoted(tokens)), allowed)
}

/// Whether these tokens are `a::b::c`, perhaps with `::` before.
fn is_path(tokens: &[TokenTree]) -> bool {
    let mut rest = if is_pair(tokens, [':', ':']) { &tokens[2..] } else { tokens };
    loop {
        match rest {
            [TokenTree::Ident(_)] => return true,
            [TokenTree::Ident(_), behind @ ..] if is_pair(behind, [':', ':']) => {
                rest = &behind[2..];
            }
            _ => return false,
        }
    }
}

/// Whether a name is written as statics are: `PAYMENTS`.
fn is_upper(name: &Ident) -> bool {
    let name = name.to_string();
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

/// Whether a word can name a function.
fn is_plain(word: &Ident) -> bool {
    syn::parse2::<Ident>(word.to_token_stream()).is_ok()
}

/// How many letters must be added, removed, changed or swapped to make `other` of `word`.
fn distance(word: &str, other: &str) -> usize {
    let (word, other): (Vec<char>, Vec<char>) = (word.chars().collect(), other.chars().collect());
    let mut rows = vec![(0..=other.len()).collect::<Vec<_>>()];
    for (i, letter) in word.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, wanted) in other.iter().enumerate() {
            let changed = rows[i][j] + usize::from(letter != wanted);
            let mut least = changed.min(row[j] + 1).min(rows[i][j + 1] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && word[i - 1] == *wanted {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[word.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::{KEYS, distance, key, unknown_key};

    #[test]
    fn suggests_the_nearest_key() {
        for (typed, meant) in [
            ("treshold", "threshold"),
            ("thresholds", "threshold"),
            ("cool_down", "cooldown"),
            ("probe", "probes"),
            ("clasify", "classify"),
            ("failback", "fallback"),
            ("maxfailures", "max_failures"),
            ("on_transitions", "on_transition"),
        ] {
            assert!(unknown_key(typed).contains(&format!("did you mean `{meant}`?")), "{typed}");
        }
    }

    #[test]
    fn suggests_nothing_far_fetched() {
        for typed in ["retries", "x", "bulkhead", "foo"] {
            assert!(!unknown_key(typed).contains("did you mean"), "{typed}");
        }
    }

    #[test]
    fn measures_distance() {
        assert_eq!(distance("rate", "rate"), 0);
        assert_eq!(distance("raet", "rate"), 1);
        assert_eq!(distance("", "rate"), 4);
    }

    #[test]
    fn every_example_begins_with_its_key() {
        for known in KEYS {
            assert!(known.example.starts_with(&format!("{} = ", known.name)));
            assert!(key(known.name).is_some());
        }
    }
}
