//! The feature `metrics`, through the real Prometheus exporter, scraped over HTTP.

use breakerbox::testing::Clock;
use breakerbox::{Breaker, BreakerRef, Config, Keyed, State, circuit_breaker, panel};
use observe::{Page, been_through_all, fail, secs, succeed, turned_away};
use std::io;
use std::sync::Barrier;

#[test]
fn a_breaker_that_has_been_through_all_shows_all_of_it() {
    let clock = Clock::freeze();
    let page = Page::open();
    let _breaker = been_through_all("been_through", &clock);
    assert_eq!(
        page.lines_of("been_through"),
        [
            r#"breakerbox_calls_total{breaker="been_through",outcome="failure"} 3"#,
            r#"breakerbox_calls_total{breaker="been_through",outcome="ignored"} 1"#,
            r#"breakerbox_calls_total{breaker="been_through",outcome="late"} 1"#,
            r#"breakerbox_calls_total{breaker="been_through",outcome="success"} 5"#,
            r#"breakerbox_fallbacks_total{breaker="been_through"} 0"#,
            r#"breakerbox_open_seconds_total{breaker="been_through"} 20"#,
            r#"breakerbox_probes_total{breaker="been_through"} 1"#,
            r#"breakerbox_rejected_calls_total{breaker="been_through",kind="forced_open"} 1"#,
            r#"breakerbox_rejected_calls_total{breaker="been_through",kind="open"} 1"#,
            r#"breakerbox_rejected_calls_total{breaker="been_through",kind="probes_busy"} 1"#,
            r#"breakerbox_slow_calls_total{breaker="been_through"} 1"#,
            r#"breakerbox_state{breaker="been_through",state="closed"} 1"#,
            r#"breakerbox_state{breaker="been_through",state="disabled"} 0"#,
            r#"breakerbox_state{breaker="been_through",state="forced_open"} 0"#,
            r#"breakerbox_state{breaker="been_through",state="half_open"} 0"#,
            r#"breakerbox_state{breaker="been_through",state="open"} 0"#,
            r#"breakerbox_timed_out_calls_total{breaker="been_through"} 0"#,
            r#"breakerbox_transitions_total{breaker="been_through",from="closed",to="forced_open",cause="manual"} 1"#,
            r#"breakerbox_transitions_total{breaker="been_through",from="closed",to="open",cause="failure_rate"} 1"#,
            r#"breakerbox_transitions_total{breaker="been_through",from="forced_open",to="closed",cause="manual"} 1"#,
            r#"breakerbox_transitions_total{breaker="been_through",from="half_open",to="closed",cause="recovered"} 1"#,
            r#"breakerbox_transitions_total{breaker="been_through",from="open",to="half_open",cause="cooldown_over"} 1"#,
            r#"breakerbox_window_calls{breaker="been_through"} 3"#,
            r#"breakerbox_window_failure_ratio{breaker="been_through"} 0.3333333333333333"#,
        ]
    );
    for (metric, kind) in [
        ("calls_total", "counter"),
        ("slow_calls_total", "counter"),
        ("rejected_calls_total", "counter"),
        ("timed_out_calls_total", "counter"),
        ("fallbacks_total", "counter"),
        ("probes_total", "counter"),
        ("transitions_total", "counter"),
        ("open_seconds_total", "counter"),
        ("state", "gauge"),
        ("window_calls", "gauge"),
        ("window_failure_ratio", "gauge"),
    ] {
        let page = page.scrape();
        assert!(page.contains(&format!("# TYPE breakerbox_{metric} {kind}\n")), "{page}");
        assert!(page.contains(&format!("# HELP breakerbox_{metric} ")), "{page}");
    }
}

#[test]
fn fallbacks_are_counted_apart() {
    #[circuit_breaker(name = "falls_back", consecutive = 1, fallback = |_rejected| Ok(7))]
    fn price() -> io::Result<u32> {
        Err(io::ErrorKind::ConnectionRefused.into())
    }
    let _clock = Clock::freeze();
    let page = Page::open();
    price().unwrap_err();
    assert_eq!(price().unwrap() + price().unwrap(), 14);
    assert_eq!(page.value(r#"fallbacks_total{breaker="falls_back"}"#), Some(2.0));
    assert_eq!(page.value(r#"rejected_calls_total{breaker="falls_back",kind="open"}"#), Some(2.0));
}

#[test]
fn keys_are_summed_under_their_family_also_those_that_were_evicted() {
    let _clock = Clock::freeze();
    let page = Page::open();
    let hosts: Keyed<String> = Keyed::new("hosts", Config::new().consecutive(1)).capacity(3);
    fail(&hosts.get("down.example"));
    for key in 0..100 {
        succeed(&hosts.get(&format!("x\"}} 1\nforged{{k=\"{key}")));
    }
    assert_eq!(hosts.len(), 3);
    let calls = |outcome: &str| {
        page.value(&format!(r#"calls_total{{breaker="hosts",outcome="{outcome}"}}"#))
    };
    assert_eq!((calls("success"), calls("failure")), (Some(100.0), Some(1.0)));
    let state = |state: &str| page.value(&format!(r#"state{{breaker="hosts",state="{state}"}}"#));
    assert_eq!((state("closed"), state("open")), (Some(2.0), Some(1.0)));
    let page = page.scrape();
    assert!(!page.contains("forged") && !page.contains("example"), "{page}");
}

#[test]
fn counters_survive_resets_and_breakers_that_are_dropped() {
    let _clock = Clock::freeze();
    let page = Page::open();
    let failures = || page.value(r#"calls_total{breaker="comes_and_goes",outcome="failure"}"#);
    let open = || page.value(r#"state{breaker="comes_and_goes",state="open"}"#);
    let trip = || {
        let breaker = Breaker::shared("comes_and_goes", Config::new().consecutive(1)).unwrap();
        fail(&breaker);
        turned_away(&breaker);
        breaker
    };
    let breaker = trip();
    assert_eq!((failures(), open()), (Some(1.0), Some(1.0)));
    breaker.reset();
    assert_eq!((failures(), open()), (Some(1.0), Some(0.0)));
    drop(breaker);
    assert_eq!((failures(), open()), (Some(1.0), Some(0.0)));
    let (_one, _other) = (trip(), trip());
    assert_eq!((failures(), open()), (Some(3.0), Some(2.0)), "two of one name are summed");
}

#[test]
fn counters_of_breakers_that_a_reference_owns_survive_too() {
    let _clock = Clock::freeze();
    let page = Page::open();
    let failures = || page.value(r#"calls_total{breaker="owned",outcome="failure"}"#);
    for dropped in 1..=3 {
        let breaker = BreakerRef::from(Breaker::new("owned", Config::new()));
        fail(&breaker);
        drop(breaker);
        assert_eq!(failures(), Some(f64::from(dropped)));
    }
}

#[test]
fn what_the_panel_does_not_show_is_not_published() {
    static LATER: Breaker = Breaker::new("listed_later", Config::new().consecutive(1));
    let _clock = Clock::freeze();
    let page = Page::open();
    fail(&LATER);
    assert_eq!(page.lines_of("listed_later"), [""; 0]);
    panel().add(&LATER);
    let transitions =
        r#"transitions_total{breaker="listed_later",from="closed",to="open",cause="consecutive"}"#;
    assert_eq!(page.value(transitions), Some(1.0));
}

#[test]
fn transitions_are_counted_while_a_listener_hangs() {
    static HANGS: Barrier = Barrier::new(2);
    static BREAKER: Breaker = Breaker::new("hung", Config::new()).on_transition(|_| {
        if BREAKER.state() == State::ForcedOpen {
            HANGS.wait();
            HANGS.wait();
        }
    });
    let clock = Clock::freeze();
    let page = Page::open();
    panel().add(&BREAKER);
    std::thread::scope(|scope| {
        scope.spawn(|| BREAKER.force_open());
        HANGS.wait();
        clock.advance(secs(1));
        BREAKER.disable();
        let counted =
            r#"transitions_total{breaker="hung",from="forced_open",to="disabled",cause="manual"}"#;
        assert_eq!(page.value(counted), Some(1.0));
        HANGS.wait();
    });
}
