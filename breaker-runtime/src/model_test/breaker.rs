//! The same model beside a whole breaker, through what users call: the gate in front of the lock,
//! the permits and the snapshot must do as the model does too, under a clock that the test moves.

use super::{Call, End, Event, Model, cases, configs, events};
use crate::state::Token;
use crate::testing::Clock;
use crate::{Breaker, Config, Outcome, Permit, RejectedKind, State};
use proptest::collection::vec;
use proptest::prelude::*;
use std::time::Duration;

/// Nobody can foretell the jitter of a real breaker.
fn steady(config: Config) -> Config {
    config.jitter(0.0)
}

fn end(permit: Permit<'_>, end: End, asked: u64) {
    match end {
        End::Success => permit.success(),
        End::Failure if asked == 0 => permit.failure(),
        End::Failure => permit.record(Outcome::Throttled(Duration::from_nanos(asked))),
        End::Ignored => permit.record(Outcome::Ignored),
        End::Cancelled => drop(permit),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn the_breaker_does_what_the_model_does(
        config in configs().prop_map(steady),
        other in configs().prop_map(steady),
        events in vec(events(), 1..200),
    ) {
        let clock = Clock::freeze();
        let breaker = Breaker::new("modelled", config);
        let mut model = Model::new(config);
        // The model's time has an origin of its own.
        let mut now = 5_000_000_000;
        let mut in_flight = Vec::new();
        let mut rejected = [0; 3];
        for event in events {
            match event {
                Event::Call => match (model.admit(now, 0), breaker.acquire()) {
                    (Ok(id), Ok(permit)) => {
                        let token = Token { generation: model.generation, slot: 0 };
                        let call = Call { id, generation: model.generation, token };
                        in_flight.push((call, permit, now));
                    }
                    (Err((kind, left)), Err(found)) => {
                        prop_assert_eq!(found.kind(), kind);
                        prop_assert_eq!(found.retry_after(), left.map(Duration::from_nanos));
                        rejected[kind as usize] += 1;
                    }
                    (expected, found) => prop_assert!(false, "{expected:?}, found {found:?}"),
                },
                Event::End(which, how, asked, _) => {
                    if !in_flight.is_empty() {
                        let (call, permit, started) =
                            in_flight.swap_remove(which.index(in_flight.len()));
                        model.settle(&call, (how, asked), now - started, now, 0);
                        end(permit, how, asked);
                    }
                }
                Event::After(time) => {
                    clock.advance(Duration::from_nanos(time));
                    now += time;
                }
                Event::ToEdge(past) => {
                    let later = now.max((model.edge() + past).saturating_sub(1));
                    clock.advance(Duration::from_nanos(later - now));
                    now = later;
                }
                Event::StepBack(_) => {}
                Event::ForceOpen => {
                    breaker.force_open();
                    model.go(State::ForcedOpen);
                }
                Event::Disable => {
                    breaker.disable();
                    model.go(State::Disabled);
                }
                Event::Reset => {
                    breaker.reset();
                    model.go(State::Closed);
                    model.forgiven_at = 0;
                }
                Event::Reconfigure => {
                    breaker.reconfigure(other).expect("a good one");
                    model.config = other;
                    model.go(model.state);
                }
            }
            prop_assert_eq!(breaker.state(), model.state);
            let seen = breaker.snapshot();
            prop_assert_eq!((seen.state, seen.generation), (model.state, model.generation));
            let left = model.deadline.saturating_sub(now);
            let left = (model.state == State::Open).then(|| Duration::from_nanos(left));
            prop_assert_eq!(seen.remaining_cooldown, left);
            let probes = (seen.probes_in_flight as usize, seen.probes_succeeded);
            prop_assert_eq!(probes, (model.probes.len(), model.succeeded));
            let totals = seen.totals;
            prop_assert_eq!(
                [totals.success, totals.failure, totals.ignored, totals.late, totals.slow],
                model.totals
            );
            let kinds = [RejectedKind::Open, RejectedKind::ProbesBusy, RejectedKind::ForcedOpen];
            prop_assert_eq!(kinds.map(|kind| totals.rejected(kind)), rejected);
            prop_assert_eq!(model.admitted, totals.calls() + in_flight.len() as u64);
            let window = (seen.window.calls, seen.window.failures, seen.window.slow);
            prop_assert_eq!(window, model.counted_at(now));
        }
    }
}
