//! What the gate shows is what the machine is in.

use crate::config::{Config, Window};
use crate::gate::Gate;
use crate::policy::Policy;
use crate::state::{End, Machine, Surroundings, Token};
use crate::transition::State::{Closed, Disabled, ForcedOpen, HalfOpen, Open};
use std::time::Duration;

const SECOND: u64 = 1_000_000_000;

struct Still;

impl Surroundings for Still {
    fn now(&self) -> u64 {
        7 * SECOND
    }

    fn random(&self) -> u32 {
        0
    }
}

fn machine(config: &Config) -> Machine {
    let mut machine = Machine::new(Policy::new(config).expect("a valid config"));
    machine.prepare();
    machine
}

#[test]
fn before_the_first_call_nothing_is_known_and_no_call_passes() {
    let fresh = Gate::new().read();
    assert_eq!((fresh.state(), fresh.generation()), (None, 0));
    assert!(!fresh.is_listed() && !fresh.is_closed_untimed());
    assert!(!fresh.is_closed_untimed_and_listed());
    assert!(!fresh.starts_timed() && !fresh.ends_timed() && !fresh.is_precise());
}

#[test]
fn state_generation_and_deadline_are_those_of_the_machine() {
    for listed in [false, true] {
        let gate = Gate::new();
        if listed {
            assert!(gate.list(), "the first to tell the panel");
            assert!(!gate.list(), "and the only one");
        }
        let mut machine = machine(&Config::new().consecutive(1));
        let mut seen = Vec::new();
        let mut show = |machine: &Machine| {
            gate.publish(machine);
            let word = gate.read();
            assert_eq!(word.state(), Some(machine.state()));
            assert_eq!(word.generation(), machine.generation());
            assert_eq!(word.is_listed(), listed);
            assert_eq!(word.is_closed_untimed(), machine.state() == Closed);
            assert_eq!(word.is_closed_untimed_and_listed(), listed && word.is_closed_untimed());
            seen.push(machine.state());
        };
        show(&machine);
        let token = Token { generation: 0, slot: 0 };
        machine.settle(token, End::Failure, 0, 0, 7 * SECOND, &Still);
        show(&machine);
        assert_eq!(gate.deadline(), 22 * SECOND);
        machine.admit(22 * SECOND, &Still);
        show(&machine);
        machine.force_open(23 * SECOND);
        show(&machine);
        machine.disable(24 * SECOND);
        show(&machine);
        for _ in 0..1_000 {
            machine.reset(25 * SECOND);
            show(&machine);
        }
        let (first, rest) = seen.split_at(5);
        assert_eq!(first, [Closed, Open, HalfOpen, ForcedOpen, Disabled]);
        assert_eq!(gate.read().generation(), 4 + rest.len() as u64);
    }
}

#[test]
fn a_call_reads_no_clock_that_its_settings_do_not_need() {
    let by_calls = Config::new().window(Window::Calls(20));
    let slow = |nanoseconds| by_calls.slow_call(Duration::from_nanos(nanoseconds));
    for (config, starts, ends, is_precise) in [
        (by_calls, false, false, false),
        (Config::new(), false, true, false),
        (slow(1), true, true, true),
        (slow(SECOND - 1), true, true, true),
        (slow(SECOND), true, true, false),
        (slow(2 * SECOND), true, true, false),
        (Config::new().slow_call(Duration::from_secs(1)), true, true, false),
    ] {
        let gate = Gate::new();
        gate.publish(&machine(&config));
        assert!(!gate.read().is_closed_untimed_and_listed());
        gate.list();
        let word = gate.read();
        let timed = (word.starts_timed(), word.ends_timed(), word.is_precise());
        assert_eq!(timed, (starts, ends, is_precise), "{config:?}");
        assert_eq!(
            (word.is_closed_untimed(), word.is_closed_untimed_and_listed()),
            (!starts, !starts)
        );
    }
}
