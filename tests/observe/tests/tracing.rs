//! The feature `tracing`, heard by a real subscriber.

use breakerbox::{Breaker, Config, Keyed, Window, testing::Clock};
use observe::{fail, succeed, turned_away};
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber, subscriber::with_default};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::{Registry, filter::LevelFilter};

#[test]
fn each_transition_is_one_event_with_its_cause_and_counts() {
    let heard = listen(LevelFilter::DEBUG, || {
        // s f   x   …15 s…  f     …15 s…  s s
        // closed open       open again    half-open, closed
        let clock = Clock::freeze();
        let breaker =
            Breaker::new("search", Config::new().threshold(2).probes(2).window(Window::Calls(10)));
        succeed(&breaker);
        fail(&breaker);
        turned_away(&breaker);
        clock.advance(Duration::from_secs(15));
        fail(&breaker);
        clock.advance(Duration::from_secs(15));
        succeed(&breaker);
        succeed(&breaker);
    });
    let opened = "circuit breaker opened breaker=search";
    let half_open = "DEBUG circuit breaker half-open breaker=search from=open to=half_open \
                     cause=cooldown_over calls=0 failures=0 slow=0";
    assert_eq!(
        heard,
        [
            &format!(
                "WARN {opened} from=closed to=open cause=failure_rate calls=2 failures=1 slow=0 \
                 cooldown=15s"
            ),
            half_open,
            &format!(
                "WARN {opened} from=half_open to=open cause=probe_failed calls=0 failures=0 \
                 slow=0 cooldown=15s"
            ),
            half_open,
            "INFO circuit breaker closed breaker=search from=half_open to=closed cause=recovered \
             calls=0 failures=0 slow=0",
        ]
    );
}

#[test]
fn what_is_done_by_hand_is_told_too() {
    let heard = listen(LevelFilter::DEBUG, || {
        let _clock = Clock::freeze();
        let breaker = Breaker::new("by_hand", Config::new());
        breaker.force_open();
        breaker.reconfigure(Config::new().threshold(3)).expect("a valid config");
        breaker.disable();
        breaker.reset();
    });
    let event = |start: &str, from: &str, to: &str| {
        format!(
            "{start} breaker=by_hand from={from} to={to} cause=manual calls=0 failures=0 slow=0"
        )
    };
    assert_eq!(
        heard,
        [
            event("WARN circuit breaker forced open", "closed", "forced_open"),
            event("INFO circuit breaker disabled", "forced_open", "disabled"),
            event("INFO circuit breaker closed", "disabled", "closed"),
        ]
    );
}

#[test]
fn rejected_calls_are_told_at_trace_only() {
    let outage = || {
        let clock = Clock::freeze();
        let breaker = Breaker::new("outage", Config::new().consecutive(1).probes(1));
        fail(&breaker);
        clock.advance(Duration::from_secs(5));
        turned_away(&breaker);
        clock.advance(Duration::from_secs(10));
        let probe = breaker.acquire().expect("a probe");
        turned_away(&breaker);
        probe.success();
    };
    let heard = listen(LevelFilter::TRACE, outage);
    let rejected: Vec<_> = heard.iter().filter(|event| event.starts_with("TRACE")).collect();
    assert_eq!(
        rejected,
        [
            "TRACE circuit breaker rejected a call breaker=outage kind=open retry_after=10s",
            "TRACE circuit breaker rejected a call breaker=outage kind=probes_busy",
        ]
    );
    assert_eq!(listen(LevelFilter::DEBUG, outage).len(), 3);
}

#[test]
fn a_hostile_key_cannot_forge_a_line() {
    let heard = listen(LevelFilter::WARN, || {
        let _clock = Clock::freeze();
        let hosts: Keyed<String> = Keyed::new("fetch", Config::new().consecutive(1));
        fail(&hosts.get("eu\nWARN all is lost"));
    });
    assert_eq!(heard.len(), 1);
    assert!(heard[0].contains("breaker=fetch[eu\\nWARN all is lost] from=closed"), "{heard:?}");
}

/// The events come from outside the lock: whoever hears of one may ask the breaker anything.
#[test]
fn a_subscriber_may_ask_the_breaker_and_may_panic() {
    struct Asks(Arc<Breaker>, Arc<Mutex<Vec<&'static str>>>);
    impl<S: Subscriber> Layer<S> for Asks {
        fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {
            self.1.lock().unwrap().push(self.0.snapshot().state.as_str());
            self.0.reset();
            panic!("a subscriber with a bug");
        }
    }
    let _clock = Clock::freeze();
    let breaker = Breaker::shared("asked", Config::new()).expect("a valid config");
    let seen = Arc::default();
    let layer = Asks(Arc::clone(&breaker), Arc::clone(&seen)).with_filter(LevelFilter::WARN);
    with_default(Registry::default().with(layer), || {
        breaker.force_open();
        breaker.force_open();
    });
    assert_eq!(*seen.lock().unwrap(), ["forced_open", "forced_open"]);
}

/// Runs `work` and gives the events of its thread, each as one line.
fn listen(level: LevelFilter, work: impl FnOnce()) -> Vec<String> {
    let lines = Arc::default();
    let layer = Lines(Arc::clone(&lines)).with_filter(level);
    with_default(Registry::default().with(layer), work);
    std::mem::take(&mut *lines.lock().unwrap())
}

/// A layer that keeps each event of the breakers.
struct Lines(Arc<Mutex<Vec<String>>>);

impl<S: Subscriber> Layer<S> for Lines {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        assert_eq!(event.metadata().target(), "breakerbox");
        let mut line = Line::default();
        event.record(&mut line);
        let level: &Level = event.metadata().level();
        let fields = line.fields.iter().map(|(name, value)| format!(" {name}={value}"));
        let line = format!("{level} {}{}", line.message, fields.collect::<String>());
        self.0.lock().unwrap().push(line);
    }
}

#[derive(Default)]
struct Line {
    message: String,
    fields: Vec<(&'static str, String)>,
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        match field.name() {
            "message" => self.message = format!("{value:?}"),
            name => self.fields.push((name, format!("{value:?}"))),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.push((field.name(), value.to_owned()));
    }
}
