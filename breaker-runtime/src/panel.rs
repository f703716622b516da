//! The panel: every breaker of this process that has been called, in one place.

use crate::breaker::Breaker;
use crate::observe;
use crate::snapshot::Snapshot;
use crate::transition::{State, Transition};
use parking_lot::Mutex;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Weak};

/// The panel of this process.
///
/// It shows the breakers of annotated functions from their first call on, keyed ones too, and those
/// of [`Breaker::shared`]. A `static` that is only called by hand is added with [`Panel::add`].
///
/// A `Breaker` that an object owns as it is, `struct Client { breaker: Breaker }`, is not shown, not
/// even where the attribute says `breaker = &self.breaker`: nobody would tell the panel when the object
/// moves or goes. An `Arc<Breaker>` of [`Breaker::shared`] in its place is shown.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::{Breaker, Config, panel};
///
/// static SEARCH: Breaker = Breaker::new("search", Config::new());
/// panel().add(&SEARCH);
///
/// assert_eq!(panel().find("search").len(), 1);
/// println!("{}", panel()); // a table
/// ```
#[must_use]
pub fn panel() -> Panel {
    Panel(())
}

/// What [`panel`] gives: a view, not a copy.
///
/// ```
/// # use breaker_runtime::panel;
/// panel().reset_all();
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Panel(());

/// A breaker of the panel, or of a [`Keyed`](crate::Keyed): use it as a `&Breaker`.
///
/// ```
/// # use breaker_runtime::{Breaker, BreakerRef, Config, panel};
/// # let _alive = Breaker::shared("search", Config::new())?;
/// let search: BreakerRef = panel().find("search").remove(0);
/// search.force_open();
/// # Ok::<(), breaker_runtime::ConfigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct BreakerRef(Held);

#[derive(Clone)]
enum Held {
    Static(&'static Breaker),
    Shared(Arc<Breaker>),
    #[cfg(feature = "keyed")]
    Member(Arc<crate::keyed::Member>),
}

/// Breakers of one configuration that come and go.
pub(crate) trait Family: Send + Sync {
    fn members(&self) -> Vec<BreakerRef>;
    /// The name that its members have in common.
    #[cfg(any(feature = "metrics", feature = "opentelemetry"))]
    fn name(&self) -> &'static str;
    /// What its members have counted, those that were evicted too, and what they are in.
    #[cfg(any(feature = "metrics", feature = "opentelemetry"))]
    fn seen(&self) -> observe::Seen;
    /// Forgets what members that are gone have counted.
    #[cfg(feature = "test-util")]
    fn clear_retired(&self);
}

static LISTED: Mutex<Listed> = Mutex::new(Listed {
    statics: Vec::new(),
    shared: Vec::new(),
    families: Vec::new(),
    prune_at: FIRST_PRUNE,
});

struct Listed {
    statics: Vec<&'static Breaker>,
    shared: Vec<Weak<Breaker>>,
    families: Vec<Weak<dyn Family>>,
    /// At how many shared ones those that are gone are removed.
    prune_at: usize,
}

const FIRST_PRUNE: usize = 64;

impl Panel {
    /// Adds a `static` breaker that no attribute names. More than once does no harm.
    ///
    /// ```
    /// # use breaker_runtime::{Breaker, Config, panel};
    /// static SEARCH: Breaker = Breaker::new("search", Config::new());
    /// panel().add(&SEARCH);
    /// ```
    pub fn add(self, breaker: &'static Breaker) {
        breaker.list();
    }

    /// Every breaker, in the order of first calls; the members of families last.
    ///
    /// ```
    /// # use breaker_runtime::{State, panel};
    /// let open = panel().breakers().into_iter().filter(|breaker| breaker.state() == State::Open);
    /// assert_eq!(open.count(), 0);
    /// ```
    #[must_use]
    pub fn breakers(self) -> Vec<BreakerRef> {
        let (mut breakers, families) = by_family();
        for family in families {
            breakers.extend(family.members());
        }
        breakers
    }

    /// The breakers of this name. Names need not be unique: [`Breaker::location`] tells them apart.
    ///
    /// ```
    /// # use breaker_runtime::panel;
    /// assert!(panel().find("nobody").is_empty());
    /// ```
    #[must_use]
    pub fn find(self, name: &str) -> Vec<BreakerRef> {
        let mut found = self.breakers();
        found.retain(|breaker| breaker.name() == name);
        found
    }

    /// A snapshot of each breaker. Each is consistent in itself; they are taken one after the other.
    ///
    /// ```
    /// # use breaker_runtime::panel;
    /// for seen in panel().snapshots() {
    ///     println!("{seen}");
    /// }
    /// ```
    #[must_use]
    pub fn snapshots(self) -> Vec<Snapshot> {
        self.breakers().iter().map(|breaker| breaker.snapshot()).collect()
    }

    /// Calls `subscriber` after each change of the state of any breaker of the process, listed or
    /// not, for as long as the process lives. What holds for [`Breaker::on_transition`] holds here.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// breakerbox::panel().subscribe(|change| eprintln!("{change}"));
    /// ```
    pub fn subscribe(self, subscriber: fn(&Transition)) {
        observe::subscribe(subscriber);
    }

    /// For a test to begin with: as if no breaker had been called.
    #[cfg(feature = "test-util")]
    pub(crate) fn clear(self) {
        for breaker in self.breakers() {
            breaker.clear();
        }
        for family in by_family().1 {
            family.clear_retired();
        }
        // Last: the exporters have counted the resets.
        #[cfg(any(feature = "metrics", feature = "opentelemetry"))]
        observe::clear();
    }

    /// Resets every breaker.
    ///
    /// ```
    /// # extern crate breaker_runtime as breakerbox;
    /// breakerbox::panel().reset_all();
    /// ```
    pub fn reset_all(self) {
        for breaker in self.breakers() {
            breaker.reset();
        }
    }
}

/// A table, a line for each breaker, those that are not closed first.
impl fmt::Display for Panel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut seen = self.snapshots();
        seen.sort_by_key(|seen| (seen.state == State::Closed, seen.name().to_owned()));
        let rows = seen.iter().map(row);
        let rows: Vec<_> = std::iter::once(HEAD.map(String::from)).chain(rows).collect();
        let widths: [usize; HEAD.len()] = std::array::from_fn(|column| {
            rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        });
        for row in &rows {
            write!(f, "{:<1$}  {2:<3$}", row[0], widths[0], row[1], widths[1])?;
            for (cell, width) in row.iter().zip(widths).take(HEAD.len() - 1).skip(2) {
                write!(f, "  {cell:>width$}")?;
            }
            match row[HEAD.len() - 1].as_str() {
                "" => writeln!(f)?,
                why => writeln!(f, "  {why}")?,
            }
        }
        Ok(())
    }
}

const HEAD: [&str; 9] = [
    "breaker",
    "state",
    "window",
    "failed",
    "cooldown",
    "calls",
    "rejected",
    "fallbacks",
    "opened by",
];

fn row(seen: &Snapshot) -> [String; HEAD.len()] {
    [
        seen.name().to_owned(),
        seen.state.to_string(),
        seen.window.calls.to_string(),
        seen.window.failures.to_string(),
        seen.remaining_cooldown.map_or_else(|| "-".into(), |left| format!("{left:.1?}")),
        seen.totals.calls().to_string(),
        seen.totals.all_rejected().to_string(),
        seen.totals.fallbacks.to_string(),
        seen.opened.map_or_else(String::new, |opened| opened.to_string()),
    ]
}

impl Deref for BreakerRef {
    type Target = Breaker;

    #[inline]
    fn deref(&self) -> &Breaker {
        match &self.0 {
            Held::Static(breaker) => breaker,
            Held::Shared(breaker) => breaker,
            #[cfg(feature = "keyed")]
            Held::Member(member) => member,
        }
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static(breaker) => breaker.fmt(f),
            Self::Shared(breaker) => breaker.fmt(f),
            #[cfg(feature = "keyed")]
            Self::Member(member) => (***member).fmt(f),
        }
    }
}

/// For as long as the process lives; the panel shows it from here on.
impl From<&'static Breaker> for BreakerRef {
    fn from(breaker: &'static Breaker) -> Self {
        panel().add(breaker);
        Self(Held::Static(breaker))
    }
}

impl From<Arc<Breaker>> for BreakerRef {
    fn from(breaker: Arc<Breaker>) -> Self {
        Self(Held::Shared(breaker))
    }
}

/// The panel shows it for as long as a clone of this lives.
impl From<Breaker> for BreakerRef {
    fn from(breaker: Breaker) -> Self {
        let breaker = Arc::new(breaker);
        list_shared(&breaker);
        Self(Held::Shared(breaker))
    }
}

#[cfg(feature = "keyed")]
impl From<Arc<crate::keyed::Member>> for BreakerRef {
    #[inline]
    fn from(member: Arc<crate::keyed::Member>) -> Self {
        Self(Held::Member(member))
    }
}

pub(crate) fn list(breaker: &'static Breaker) {
    LISTED.lock().statics.push(breaker);
}

pub(crate) fn list_shared(breaker: &Arc<Breaker>) {
    breaker.note_listed();
    let mut listed = LISTED.lock();
    if listed.shared.len() >= listed.prune_at {
        listed.shared.retain(|breaker| breaker.strong_count() > 0);
        listed.prune_at = FIRST_PRUNE.max(listed.shared.len() * 2);
    }
    listed.shared.push(Arc::downgrade(breaker));
}

#[cfg(feature = "keyed")]
pub(crate) fn list_family(family: Weak<dyn Family>) {
    let mut listed = LISTED.lock();
    listed.families.retain(|family| family.strong_count() > 0);
    listed.families.push(family);
}

/// The breakers that stand alone, and the families of the others.
pub(crate) fn by_family() -> (Vec<BreakerRef>, Vec<Arc<dyn Family>>) {
    let listed = LISTED.lock();
    let statics = listed.statics.iter().map(|breaker| BreakerRef(Held::Static(breaker)));
    let shared = listed.shared.iter().filter_map(Weak::upgrade);
    let shared = shared.map(|breaker| BreakerRef(Held::Shared(breaker)));
    let families = listed.families.iter().filter_map(Weak::upgrade);
    (statics.chain(shared).collect(), families.collect())
}
