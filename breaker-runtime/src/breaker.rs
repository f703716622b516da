//! The breaker: the state machine behind a lock, with a gate in front that most calls pass without
//! it. This file alone locks the machine and reads the clock for it.

use crate::clock::{self, Nanos};
use crate::config::{Config, ConfigError};
use crate::gate::{Gate, Noted, Word};
use crate::guard::Called;
use crate::name::Name;
use crate::observe::{self, Delivery};
use crate::panel;
use crate::permit::{Dropped, Permit};
use crate::policy::Policy;
use crate::rejected::{Rejected, RejectedKind};
use crate::returns::{Classified, FromRejected};
use crate::snapshot::Snapshot;
use crate::state::{Admission, End, Machine, Surroundings, Token, Turn};
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering};
use crate::transition::{State, Transition, WindowCounts};
use std::fmt;
use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::hint::spin_loop;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::time::Duration;

/// A circuit breaker. It is a plain value without thread, timer or task: it looks at the clock when
/// a call comes.
///
/// The attribute makes one per function; make your own to share one between functions, or to have
/// one per object:
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Config, Rejected};
///
/// static PAYMENTS: Breaker = Breaker::new("payments", Config::new().consecutive(5));
///
/// fn charge() -> Result<u32, Rejected> {
///     PAYMENTS.call(|| Ok(42))
/// }
/// assert_eq!(charge().unwrap(), 42);
/// ```
// In the order of who writes them: the gate, that each closed call writes, with what nobody does; what
// rejected calls write, a cache line further; the lock, and the machine with what is rarely written at
// its end. So wherever it lies, no two that are hot at a time share a line, not with the next breaker
// either. It asks for no alignment of its own, so that one in an `Arc` has the gate beside its counts.
#[repr(C)]
pub struct Breaker {
    gate: Gate,
    name: Name,
    location: &'static Location<'static>,
    listener: Option<fn(&Transition)>,
    rejected_rarely: RejectedRarely,
    rejected: RejectedOften,
    fallbacks: AtomicU64,
    machine: Mutex<Machine>,
}

impl Breaker {
    /// A closed breaker. In a `static` the config is judged while the program is compiled.
    ///
    /// # Panics
    ///
    /// If the config is a bad one: in a `static` that is a compile error. Use [`Breaker::try_new`]
    /// for values that are known only at run time.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::{Breaker, Config};
    ///
    /// static SEARCH: Breaker = Breaker::new("search", Config::new().threshold(50));
    /// ```
    #[track_caller]
    #[must_use]
    pub const fn new(name: &'static str, config: Config) -> Self {
        match Policy::new(&config) {
            Ok(policy) => Self::with(Name::Static(name), policy),
            Err(fault) => panic!("{}", fault.bound()),
        }
    }

    /// A closed breaker from values that are known only at run time.
    ///
    /// # Errors
    ///
    /// What [`Config::check`] finds.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::{Breaker, Config};
    ///
    /// let rate: f64 = "1.5".parse().unwrap();
    /// let fault = Breaker::try_new("search", Config::new().rate(rate)).unwrap_err();
    /// assert_eq!(fault.to_string(), "`rate` is 1.5: it must be from 0.000001 to 1");
    /// ```
    #[track_caller]
    pub fn try_new(name: impl AsRef<str>, config: Config) -> Result<Self, ConfigError> {
        Ok(Self::with(Name::shared(name.as_ref()), Policy::new(&config)?))
    }

    /// A closed breaker for an object to own, or objects to share, which the panel shows for as long
    /// as it lives.
    ///
    /// # Errors
    ///
    /// What [`Config::check`] finds.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::{Breaker, Config, panel};
    /// use std::sync::Arc;
    ///
    /// struct Client {
    ///     breaker: Arc<Breaker>,
    /// }
    /// let client = Client { breaker: Breaker::shared("client", Config::new())? };
    /// assert_eq!(panel().find("client").len(), 1);
    /// drop(client);
    /// assert!(panel().find("client").is_empty());
    /// # Ok::<(), breakerbox::ConfigError>(())
    /// ```
    #[track_caller]
    pub fn shared(name: impl AsRef<str>, config: Config) -> Result<Arc<Self>, ConfigError> {
        let breaker = Arc::new(Self::try_new(name, config)?);
        panel::list_shared(&breaker);
        Ok(breaker)
    }

    /// Calls `listener` after each change of the state, in the order of the changes, outside the
    /// lock. It may ask the breaker anything; a panic of it is caught and goes no further than the
    /// panic hook.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// use breakerbox::{Breaker, Config};
    ///
    /// static SEARCH: Breaker =
    ///     Breaker::new("search", Config::new()).on_transition(|change| eprintln!("{change}"));
    /// ```
    #[must_use]
    pub const fn on_transition(mut self, listener: fn(&Transition)) -> Self {
        self.listener = Some(listener);
        self
    }

    #[track_caller]
    const fn with(name: Name, policy: Policy) -> Self {
        Self {
            gate: Gate::new(),
            name,
            location: Location::caller(),
            listener: None,
            rejected_rarely: RejectedRarely {
                probes_busy: AtomicU64::new(0),
                timed_out: AtomicU64::new(0),
            },
            rejected: RejectedOften { open: AtomicU64::new(0), forced_open: AtomicU64::new(0) },
            fallbacks: AtomicU64::new(0),
            machine: Mutex::new(Machine::new(policy)),
        }
    }

    /// When its cooldown ends, or zero if it is not open.
    #[cfg(feature = "keyed")]
    pub(crate) fn deadline(&self) -> Nanos {
        self.gate.deadline(self.gate.read())
    }

    #[cfg(feature = "keyed")]
    pub(crate) fn member(
        name: Name,
        policy: Policy,
        listener: Option<fn(&Transition)>,
        location: &'static Location<'static>,
    ) -> Self {
        let mut member = Self::with(name, policy);
        member.location = location;
        member.listener = listener;
        member
    }

    /// Asks to make one call.
    ///
    /// # Errors
    ///
    /// [`Rejected`] while the breaker is open, or half-open with no probe to give.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// # static SEARCH: Breaker = Breaker::new("search", Config::new());
    /// let permit = SEARCH.acquire()?;
    /// // … the call …
    /// permit.success();
    /// # Ok::<(), breaker_runtime::Rejected>(())
    /// ```
    #[inline]
    pub fn acquire(&self) -> Result<Permit<'_>, Rejected> {
        let mut permit = self.admit()?;
        if std::thread::panicking() {
            // This panic is not the call's.
            permit.when_dropped(Dropped::Cancelled);
        }
        Ok(permit)
    }

    #[inline]
    pub(crate) fn admit(&self) -> Result<Permit<'_>, Rejected> {
        let word = self.gate.read();
        if word.is_closed_untimed() {
            Ok(Permit::new(self, word, 0, 0))
        } else {
            self.carry_out(self.judge(word))
        }
    }

    /// The permit of a breaker that is closed and listed, which is all that most calls ask.
    #[inline]
    pub(crate) fn acquire_closed(&self) -> Option<Permit<'_>> {
        let word = self.gate.read();
        word.is_closed_untimed_and_listed().then(|| Permit::new(self, word, 0, 0))
    }

    /// The same of a breaker that is not to be listed.
    #[inline]
    pub(crate) fn acquire_lent_closed(&self) -> Option<Permit<'_>> {
        let word = self.gate.read();
        word.is_closed_untimed().then(|| Permit::new(self, word, 0, 0))
    }

    /// As [`Breaker::acquire`] where the breaker is not closed, and lists it in the panel on its
    /// first call.
    #[inline]
    pub(crate) fn acquire_listed(&'static self) -> Result<Permit<'static>, Rejected> {
        self.carry_out(self.judge_listed())
    }

    /// The same of a breaker that is not to be listed.
    #[inline]
    pub(crate) fn acquire_lent(&self) -> Result<Permit<'_>, Rejected> {
        self.carry_out(self.judge(self.gate.read()))
    }

    /// Makes of a verdict what the caller gets. Here, in the caller: what is returned by an outlined
    /// function goes through memory, and is read back before it has got there.
    #[inline]
    fn carry_out(&self, verdict: Verdict) -> Result<Permit<'_>, Rejected> {
        match verdict {
            Verdict::Admitted { word, started, slot } => Ok(Permit::new(self, word, started, slot)),
            Verdict::Rejected { kind, left } => Err(Rejected::new(self.name.clone(), kind, left)),
        }
    }

    /// Runs `body` if the breaker admits it, and judges what it returns.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// # static SEARCH: Breaker = Breaker::new("search", Config::new());
    /// let hits = SEARCH.call(|| Ok::<_, std::io::Error>(3))?;
    /// assert_eq!(hits, 3);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    pub fn call<T: Classified + FromRejected>(&self, body: impl FnOnce() -> T) -> T {
        match self.admit() {
            Ok(permit) => crate::guard::call(permit, T::outcome, body),
            Err(rejected) => T::from_rejected(rejected),
        }
    }

    /// As [`Breaker::call`], for a future: admitted at its first poll, judged when it ends.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// # static SEARCH: Breaker = Breaker::new("search", Config::new());
    /// # futures::executor::block_on(async {
    /// let hits = SEARCH.call_async(async { Ok::<_, std::io::Error>(3) }).await?;
    /// assert_eq!(hits, 3);
    /// # Ok::<(), std::io::Error>(())
    /// # }).unwrap();
    /// ```
    #[inline]
    pub fn call_async<F>(&self, body: F) -> Called<'_, F>
    where
        F: Future<Output: Classified + FromRejected>,
    {
        Called::new(self, body)
    }

    /// The name that it was made with.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// assert_eq!(Breaker::new("search", Config::new()).name(), "search");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Where it was made: two breakers of one name are told apart by it.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// let search = Breaker::new("search", Config::new());
    /// assert_eq!(search.location().file(), file!());
    /// ```
    #[must_use]
    pub fn location(&self) -> &'static Location<'static> {
        self.location
    }

    /// The state, as it is: after the cooldown it reads `Open` until a call comes.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config, State};
    /// assert_eq!(Breaker::new("search", Config::new()).state(), State::Closed);
    /// ```
    #[must_use]
    pub fn state(&self) -> State {
        self.gate.read().state().unwrap_or(State::Closed)
    }

    /// All that can be seen of it at one moment. Changes nothing.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// # static SEARCH: Breaker = Breaker::new("search", Config::new());
    /// SEARCH.acquire()?.failure();
    /// let seen = SEARCH.snapshot();
    /// assert_eq!((seen.window.calls, seen.window.failures), (1, 1));
    /// # Ok::<(), breaker_runtime::Rejected>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let rejected = RejectedKind::ALL.map(|kind| self.rejected(kind).load(Ordering::Relaxed));
        let fallbacks = self.fallbacks.load(Ordering::Relaxed);
        let machine = self.lock();
        let name = self.name.clone();
        let now = clock::precise();
        let seen = Snapshot::new(name, self.location, &machine, rejected, fallbacks, now);
        self.unlock(machine);
        seen
    }

    /// Rejects all calls until [`Breaker::reset`] or [`Breaker::disable`].
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config, State};
    /// # static SEARCH: Breaker = Breaker::new("search", Config::new());
    /// SEARCH.force_open();
    /// assert!(SEARCH.acquire().is_err());
    /// ```
    pub fn force_open(&self) {
        self.by_hand(Machine::force_open);
    }

    /// Admits all calls and only counts them, until [`Breaker::reset`] or [`Breaker::force_open`].
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config, State};
    /// # static SEARCH: Breaker = Breaker::new("search", Config::new().threshold(1));
    /// SEARCH.disable();
    /// SEARCH.acquire()?.failure();
    /// assert_eq!(SEARCH.state(), State::Disabled);
    /// # Ok::<(), breaker_runtime::Rejected>(())
    /// ```
    pub fn disable(&self) {
        self.by_hand(Machine::disable);
    }

    /// Closes it, with an empty window and the first cooldown ahead. Calls in flight will be late;
    /// lifetime totals stay.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config, State};
    /// # static SEARCH: Breaker = Breaker::new("search", Config::new());
    /// SEARCH.force_open();
    /// SEARCH.reset();
    /// assert_eq!(SEARCH.state(), State::Closed);
    /// ```
    pub fn reset(&self) {
        self.by_hand(Machine::reset);
    }

    /// Gives it other settings while it runs. Its state stays, and an open one its deadline; the
    /// window starts anew and calls in flight will be late.
    ///
    /// # Errors
    ///
    /// What [`Config::check`] finds; then nothing has changed.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config};
    /// # static SEARCH: Breaker = Breaker::new("search", Config::new());
    /// SEARCH.reconfigure(Config::new().threshold(100))?;
    /// assert!(SEARCH.reconfigure(Config::new().threshold(0)).is_err());
    /// # Ok::<(), breaker_runtime::ConfigError>(())
    /// ```
    pub fn reconfigure(&self, config: Config) -> Result<(), ConfigError> {
        let policy = Policy::new(&config)?;
        self.by_hand(|machine, now| machine.reconfigure(policy, now));
        Ok(())
    }

    /// As before the first call, but for the settings, and that calls in flight will be late.
    #[cfg(feature = "test-util")]
    pub(crate) fn clear(&self) {
        let mut machine = self.lock();
        machine.prepare();
        // Nobody is told: between tests nothing happens that a listener should hear of.
        machine.reset(clock::precise());
        machine.clear_totals();
        self.gate.publish(&machine);
        self.unlock(machine);
        for count in
            RejectedKind::ALL.map(|kind| self.rejected(kind)).into_iter().chain([&self.fallbacks])
        {
            count.store(0, Ordering::Relaxed);
        }
    }

    /// The way of a call whose breaker may not be in the panel yet.
    #[inline(never)]
    fn judge_listed(&'static self) -> Verdict {
        let word = self.gate.read();
        if word.is_listed() {
            return self.judge(word);
        }
        self.list();
        self.judge(self.gate.read())
    }

    /// The way of a call that finds the breaker in any state but Closed, or is to be measured.
    #[inline(never)]
    fn judge(&self, word: Word) -> Verdict {
        match word.state() {
            Some(State::Open) => {
                let deadline = self.gate.deadline(word);
                let mut now = clock::coarse();
                // So near the deadline a tick of the coarse clock would hold calls up.
                if now < deadline && deadline - now < LONGEST_TICK {
                    now = clock::precise();
                }
                if now < deadline {
                    return self.turn_away(RejectedKind::Open, Some(deadline - now));
                }
            }
            Some(State::ForcedOpen) => return self.turn_away(RejectedKind::ForcedOpen, None),
            Some(State::Closed | State::Disabled) => return Verdict::admitted(word, 0),
            Some(State::HalfOpen) | None => {}
        }
        self.judge_by_machine()
    }

    #[inline(never)]
    fn judge_by_machine(&self) -> Verdict {
        let (admission, word) = self.locked(|machine| {
            machine.prepare();
            let (admission, turn) = machine.admit(clock::precise(), &RightNow);
            (turn, admission)
        });
        match admission {
            Admission::Admitted(token) => Verdict::admitted(word, token.slot),
            Admission::Rejected(kind, left) => self.turn_away(kind, left),
        }
    }

    /// Whether a call that came now would be rejected. Changes nothing.
    #[cfg(feature = "tower")]
    pub(crate) fn refuses(&self) -> bool {
        let word = self.gate.read();
        match word.state() {
            Some(State::Open) => clock::precise() < self.gate.deadline(word),
            Some(State::ForcedOpen) => true,
            Some(State::HalfOpen) => self.machine.lock().probes_are_busy(),
            Some(State::Closed | State::Disabled) | None => false,
        }
    }

    /// Takes back a permit. Its parts come one by one, and stay in registers.
    #[inline(never)]
    pub(crate) fn settle(&self, word: Word, slot: u32, started: Nanos, end: End, asked: Nanos) {
        if end != End::Success || word.starts_timed() {
            self.settle_locked(word, slot, started, end, asked);
        } else if word.ends_timed() {
            self.succeed_timed(word, slot);
        } else {
            self.succeed(word, slot, 0);
        }
    }

    #[inline(never)]
    fn succeed_timed(&self, word: Word, slot: u32) {
        self.succeed(word, slot, clock::coarse());
    }

    /// The end of nearly every call. What it leaves to others it does as its last act and from the
    /// start: so what it keeps in registers is little.
    #[inline]
    fn succeed(&self, word: Word, slot: u32, now: Nanos) {
        match self.gate.note(word, now) {
            Noted::Yes => {}
            Noted::NotYet => self.succeed_in_turn(word, slot, now),
            Noted::No => self.settle_locked(word, slot, 0, End::Success, 0),
        }
    }

    /// Leaves the word to another core for a few calls, then tries again. Without the pause two
    /// threads take more than twice as long, as the word moves between them with each call.
    #[cold]
    fn succeed_in_turn(&self, word: Word, slot: u32, now: Nanos) {
        loop {
            for _ in 0..PAUSES {
                spin_loop();
            }
            match self.gate.note(word, now) {
                Noted::Yes => return,
                Noted::NotYet => {}
                Noted::No => return self.settle_locked(word, slot, 0, End::Success, 0),
            }
        }
    }

    #[inline(never)]
    fn settle_locked(&self, word: Word, slot: u32, started: Nanos, end: End, asked: Nanos) {
        let token = Token { generation: word.generation(), slot };
        if end == End::Ignored {
            // Nothing depends on it but totals and slots: what was noted can wait, time too.
            self.machine.lock().settle(token, end, asked, 0, 0, &RightNow);
            return;
        }
        // Read before locking, so that the lock is not held for it.
        let now = if word.ends_timed() { measure(word) } else { 0 };
        let elapsed = now.saturating_sub(started);
        let mut machine = self.lock();
        let turn = machine.settle(token, end, asked, elapsed, now, &RightNow);
        let delivery = turn.and_then(|turn| {
            self.gate.publish(&machine);
            self.queue(turn)
        });
        self.unlock(machine);
        self.deliver(delivery);
    }

    /// The machine, with all outcomes so far. Times that it is to compare with others are read under
    /// the lock: who read one before and then had to wait would bring it a time that is over.
    #[inline]
    fn lock(&self) -> MutexGuard<'_, Machine> {
        let mut machine = self.machine.lock();
        let noted = self.gate.take(&machine);
        if noted > 0 {
            machine.take_in(noted);
        }
        machine
    }

    /// Gives it back, and lets successes pass without it from here on.
    #[inline]
    fn unlock(&self, machine: MutexGuard<'_, Machine>) {
        self.gate.offer(&machine);
        drop(machine);
    }

    /// Counts that a fallback answered in place of a rejected call.
    pub(crate) fn fell_back(&self) {
        self.fallbacks.fetch_add(1, Ordering::Relaxed);
    }

    fn by_hand(&self, change: impl FnOnce(&mut Machine, Nanos) -> Turn) {
        self.locked(|machine| {
            machine.prepare();
            (Some(change(machine, clock::precise())), ())
        });
    }

    /// Does something to the machine that may change its state, and shows the result: the word
    /// that goes with it, and the change to whoever listens.
    fn locked<T>(&self, work: impl FnOnce(&mut Machine) -> (Option<Turn>, T)) -> (T, Word) {
        let mut machine = self.lock();
        let (turn, result) = work(&mut machine);
        self.gate.publish(&machine);
        let delivery = turn.and_then(|turn| self.queue(turn));
        let seen = self.gate.read();
        self.unlock(machine);
        self.deliver(delivery);
        (result, seen)
    }

    /// Under the lock, so that changes are queued in the order in which they were made.
    #[cold]
    fn queue(&self, turn: Turn) -> Option<Delivery> {
        // New settings, or a reset of what is closed: the generation is another, the state is not.
        if turn.from == turn.to || self.listener.is_none() && !observe::anyone_listens() {
            return None;
        }
        let transition = Transition {
            breaker: self.name.clone(),
            from: turn.from,
            to: turn.to,
            cause: turn.cause,
            window: WindowCounts::from(turn.counts),
            cooldown: turn.cooldown.map(Duration::from_nanos),
        };
        observe::queue(std::ptr::from_ref(self).addr(), transition)
    }

    fn deliver(&self, delivery: Option<Delivery>) {
        if let Some(delivery) = delivery {
            delivery.run(self.listener);
        }
    }

    /// The panel knows it; true the first time. What it counts belongs to the sums of its name from
    /// here on.
    pub(crate) fn note_listed(&self) -> bool {
        let machine = self.machine.lock();
        let first = self.gate.list();
        drop(machine);
        first
    }

    #[cold]
    pub(crate) fn list(&'static self) {
        if self.note_listed() {
            panel::list(self);
        }
    }

    #[cfg(any(feature = "tokio", feature = "tower"))]
    pub(crate) fn reject(&self, kind: RejectedKind, left: Option<Nanos>) -> Rejected {
        self.turn_away(kind, left);
        Rejected::new(self.name.clone(), kind, left)
    }

    /// Counts a rejection, and tells of it.
    #[inline]
    fn turn_away(&self, kind: RejectedKind, left: Option<Nanos>) -> Verdict {
        self.rejected(kind).fetch_add(1, Ordering::Relaxed);
        #[cfg(feature = "tracing")]
        observe::rejected(&Rejected::new(self.name.clone(), kind, left));
        Verdict::Rejected { kind, left }
    }

    /// How many calls were rejected in this way.
    #[inline]
    fn rejected(&self, kind: RejectedKind) -> &AtomicU64 {
        match kind {
            RejectedKind::Open => &self.rejected.open,
            RejectedKind::ProbesBusy => &self.rejected_rarely.probes_busy,
            RejectedKind::ForcedOpen => &self.rejected.forced_open,
            RejectedKind::TimedOut => &self.rejected_rarely.timed_out,
        }
    }
}

/// A listed breaker was shared: what it counted stays in the sums of its name.
#[cfg(any(feature = "metrics", feature = "opentelemetry"))]
impl Drop for Breaker {
    fn drop(&mut self) {
        if self.gate.read().is_listed() {
            let seen = self.snapshot();
            observe::ledger::keep(seen.family(), &seen.totals);
        }
    }
}

/// Counts of the rejections that come in floods.
struct RejectedOften {
    open: AtomicU64,
    forced_open: AtomicU64,
}

/// Counts of the others.
struct RejectedRarely {
    probes_busy: AtomicU64,
    timed_out: AtomicU64,
}

/// What becomes of a call, in parts that fit in registers.
#[derive(Clone, Copy)]
enum Verdict {
    Admitted { word: Word, started: Nanos, slot: u32 },
    Rejected { kind: RejectedKind, left: Option<Nanos> },
}

impl Verdict {
    #[inline]
    fn admitted(word: Word, slot: u32) -> Self {
        let started = if word.starts_timed() { measure(word) } else { 0 };
        Self::Admitted { word, started, slot }
    }
}

// Nothing of the user's runs under its lock, so no panic can leave it half-changed; a future that
// holds a permit is as safe to unwind through as it was without.
impl RefUnwindSafe for Breaker {}
impl UnwindSafe for Breaker {}

impl fmt::Debug for Breaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Breaker")
            .field("name", &self.name())
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

/// Of the processor's, each some 3 to 45 ns long.
const PAUSES: u32 = 16;
/// No platform's coarse clock lags by more.
const LONGEST_TICK: Nanos = 20_000_000;

/// The clock that this breaker's calls are measured with.
#[inline]
fn measure(word: Word) -> Nanos {
    if word.is_precise() { clock::precise() } else { clock::coarse() }
}

/// The real time, and the random numbers of the standard library's hasher.
struct RightNow;

impl Surroundings for RightNow {
    fn now(&self) -> Nanos {
        clock::precise()
    }

    #[expect(clippy::cast_possible_truncation, reason = "half of the bits are as random as all")]
    fn random(&self) -> u32 {
        RandomState::new().hash_one(0_u8) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Breaker;
    use std::mem::offset_of;

    #[test]
    fn it_is_small() {
        assert!(size_of::<Breaker>() <= 384, "{} bytes", size_of::<Breaker>());
    }

    #[test]
    fn what_is_hot_shares_no_cache_line_wherever_it_lies() {
        const LINE: usize = 64;
        assert_eq!(offset_of!(Breaker, gate), 0);
        // What a rejected call reads, and what it writes; and the gate of a breaker that follows.
        assert!(offset_of!(Breaker, rejected) >= LINE);
        assert!(offset_of!(Breaker, machine) + LINE <= size_of::<Breaker>());
    }
}
