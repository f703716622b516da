//! What the gate shows is what the machine is in.

use crate::config::{Config, Window};
use crate::gate::{Gate, Noted, Word};
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
        assert_eq!(gate.deadline(gate.read()), 22 * SECOND);
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

/// A gate in front of a machine that has done so, and the word of a call that it admitted.
fn shown(machine: &Machine) -> (Gate, Word) {
    let gate = Gate::new();
    gate.publish(machine);
    gate.offer(machine);
    let admitted = gate.read();
    (gate, admitted)
}

#[test]
fn successes_are_noted_until_the_one_that_completes_the_threshold() {
    let by_calls = Config::new().window(Window::Calls(100)).threshold(5);
    let mut machine = machine(&by_calls);
    let (gate, admitted) = shown(&machine);
    for _ in 0..4 {
        assert_eq!(gate.note(admitted, u64::MAX - 1), Noted::Yes, "time does not matter");
    }
    assert_eq!(gate.note(admitted, 0), Noted::No);
    assert_eq!(gate.take(&machine), 4);
    machine.take_in(4);
    gate.offer(&machine);
    assert_eq!(gate.note(admitted, 0), Noted::No, "it completes the threshold");
    assert_eq!(gate.take(&machine), 0);
    let token = Token { generation: 0, slot: 0 };
    machine.settle(token, End::Success, 0, 0, 0, &Still);
    gate.offer(&machine);
    for noted in 1..=1_023 {
        assert_eq!(gate.note(admitted, 0), Noted::Yes, "{noted}");
    }
    assert_eq!(gate.note(admitted, 0), Noted::No, "as many as the word can hold");
    assert_eq!(gate.take(&machine), 1_023);
}

#[test]
fn nothing_is_noted_between_take_and_offer() {
    let machine = machine(&Config::new().window(Window::Calls(100)));
    let (gate, admitted) = shown(&machine);
    assert_eq!(gate.take(&machine), 0);
    assert_eq!(gate.note(admitted, 0), Noted::No);
    gate.offer(&machine);
    assert_eq!(gate.note(admitted, 0), Noted::Yes);
    assert_eq!(gate.take(&machine), 1);
}

#[test]
fn the_first_success_of_a_slice_is_not_noted() {
    let mut machine = machine(&Config::new());
    let (gate, admitted) = shown(&machine);
    assert_eq!(gate.note(admitted, 7 * SECOND), Noted::No, "the first of all begins a slice");
    assert_eq!(gate.take(&machine), 0);
    let token = Token { generation: 0, slot: 0 };
    machine.settle(token, End::Success, 0, 0, 7 * SECOND, &Still);
    gate.offer(&machine);
    assert_eq!(gate.note(admitted, 9 * SECOND - 1), Noted::Yes);
    assert_eq!(gate.note(admitted, 9 * SECOND), Noted::No);
    assert_eq!(gate.take(&machine), 1);
}

#[test]
fn late_successes_and_those_of_other_states_are_not_noted() {
    let config = Config::new().window(Window::Calls(100)).consecutive(1);
    let mut machine = machine(&config);
    let (gate, admitted) = shown(&machine);
    machine.reset(7 * SECOND);
    gate.publish(&machine);
    gate.offer(&machine);
    assert_eq!(gate.note(admitted, 0), Noted::No, "late");
    for change in [Machine::force_open, Machine::disable] {
        assert_eq!(gate.take(&machine), 0);
        change(&mut machine, 8 * SECOND);
        gate.publish(&machine);
        gate.offer(&machine);
        assert_eq!(gate.note(gate.read(), 0), Noted::No);
    }
    machine.reset(9 * SECOND);
    gate.publish(&machine);
    gate.offer(&machine);
    assert_eq!(gate.note(gate.read(), 0), Noted::Yes);
    assert_eq!(gate.take(&machine), 1);
    let generation = machine.generation();
    machine.settle(Token { generation, slot: 0 }, End::Failure, 0, 0, 0, &Still);
    gate.publish(&machine);
    gate.offer(&machine);
    assert_eq!(gate.note(gate.read(), 0), Noted::No, "open");
    assert_eq!(gate.deadline(gate.read()), 22 * SECOND, "and its deadline stays");
}

#[test]
fn measured_calls_are_all_the_machines() {
    let machine = machine(&Config::new().slow_call(Duration::from_secs(1)));
    let (gate, admitted) = shown(&machine);
    assert_eq!((gate.note(admitted, 0), gate.take(&machine)), (Noted::No, 0));
}

#[test]
fn before_the_first_call_nothing_is_offered() {
    let machine = machine(&Config::new().window(Window::Calls(100)));
    let gate = Gate::new();
    gate.offer(&machine);
    assert_eq!((gate.take(&machine), gate.read().state()), (0, None));
}

#[test]
fn a_deadline_is_only_given_to_who_has_read_the_newest_word() {
    let mut machine = machine(&Config::new().consecutive(1));
    let (gate, _) = shown(&machine);
    machine.settle(Token { generation: 0, slot: 0 }, End::Failure, 0, 0, 7 * SECOND, &Still);
    gate.publish(&machine);
    let open = gate.read();
    assert_eq!(gate.deadline(open), 22 * SECOND);
    machine.reset(8 * SECOND);
    gate.publish(&machine);
    assert_eq!(gate.deadline(open), 0);
}
