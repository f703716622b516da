//! The feature `opentelemetry`, through the real SDK and its exporter into memory.

use breakerbox::testing::Clock;
use breakerbox::{Breaker, Config, Keyed};
use observe::{Exported, been_through_all, fail, succeed};

#[test]
fn a_breaker_that_has_been_through_all_shows_all_of_it() {
    let clock = Clock::freeze();
    let meter = Exported::open();
    let _breaker = been_through_all("went_through", &clock);
    assert_eq!(
        meter.points_of("went_through"),
        [
            "breakerbox.calls{outcome=failure} 3 {call}",
            "breakerbox.calls{outcome=ignored} 1 {call}",
            "breakerbox.calls{outcome=late} 1 {call}",
            "breakerbox.calls{outcome=success} 5 {call}",
            "breakerbox.fallbacks{} 0 {call}",
            "breakerbox.open{} 20.0 s",
            "breakerbox.probes{} 1 {call}",
            "breakerbox.rejected_calls{kind=forced_open} 1 {call}",
            "breakerbox.rejected_calls{kind=open} 1 {call}",
            "breakerbox.rejected_calls{kind=probes_busy} 1 {call}",
            "breakerbox.slow_calls{} 1 {call}",
            "breakerbox.state{state=closed} 1.0 {breaker}",
            "breakerbox.state{state=disabled} 0.0 {breaker}",
            "breakerbox.state{state=forced_open} 0.0 {breaker}",
            "breakerbox.state{state=half_open} 0.0 {breaker}",
            "breakerbox.state{state=open} 0.0 {breaker}",
            "breakerbox.timed_out_calls{} 0 {call}",
            "breakerbox.transitions{cause=cooldown_over,from=open,to=half_open} 1 {transition}",
            "breakerbox.transitions{cause=failure_rate,from=closed,to=open} 1 {transition}",
            "breakerbox.transitions{cause=manual,from=closed,to=forced_open} 1 {transition}",
            "breakerbox.transitions{cause=manual,from=forced_open,to=closed} 1 {transition}",
            "breakerbox.transitions{cause=recovered,from=half_open,to=closed} 1 {transition}",
            "breakerbox.window.calls{} 3.0 {call}",
            "breakerbox.window.failure_ratio{} 0.3333333333333333 1",
        ]
    );
}

#[test]
fn every_export_looks_anew() {
    let _clock = Clock::freeze();
    let meter = Exported::open();
    let breaker = Breaker::shared("looked_at", Config::new()).expect("a valid config");
    for calls in 1..=3 {
        succeed(&breaker);
        let points = meter.points_of("looked_at");
        let success = format!("breakerbox.calls{{outcome=success}} {calls} {{call}}");
        let window = format!("breakerbox.window.calls{{}} {calls}.0 {{call}}");
        assert!(points.contains(&success) && points.contains(&window), "{points:?}");
    }
    drop(breaker);
    let points = meter.points_of("looked_at");
    assert!(points.contains(&"breakerbox.calls{outcome=success} 3 {call}".to_owned()));
    assert!(points.contains(&"breakerbox.state{state=closed} 0.0 {breaker}".to_owned()));
}

#[test]
fn keys_are_summed_under_their_family() {
    let _clock = Clock::freeze();
    let meter = Exported::open();
    let tenants: Keyed<u64> = Keyed::new("tenants", Config::new().consecutive(1)).capacity(10);
    for tenant in 0..100 {
        succeed(&tenants.get(&tenant));
    }
    fail(&tenants.get(&7));
    let points = meter.points_of("tenants");
    assert!(points.contains(&"breakerbox.calls{outcome=success} 100 {call}".to_owned()));
    assert!(points.contains(&"breakerbox.state{state=closed} 9.0 {breaker}".to_owned()));
    assert!(points.contains(&"breakerbox.state{state=open} 1.0 {breaker}".to_owned()));
    assert_eq!(meter.points_of("tenants[7]"), [""; 0]);
}

/// A recorder of `metrics` hides a count that falls, this one does not.
#[test]
fn no_counter_falls_when_a_family_is_dropped_and_calls_outlive_it() {
    let _clock = Clock::freeze();
    let meter = Exported::open();
    let successes = || meter.counters_of("dropped_family")["breakerbox.calls{outcome=success}"];
    let family: Keyed<u64> = Keyed::new("dropped_family", Config::new());
    succeed(&family.get(&1));
    let member = family.get(&2);
    let permit = member.acquire().expect("closed");
    assert_eq!(successes().to_string(), "1");
    drop(family);
    assert_eq!(successes().to_string(), "1");
    permit.success();
    drop(member);
    assert_eq!(successes().to_string(), "2");
}
