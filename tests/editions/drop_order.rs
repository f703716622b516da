//! Arguments, locals and temporaries are dropped in the same order as without the attribute. Each
//! function is made twice, plain and protected, and both write down what they drop.

use breakerbox::{Rejected, circuit_breaker};
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// What was dropped, in this order.
type Log = Rc<RefCell<Vec<&'static str>>>;

struct Noted(&'static str, Log);

impl Drop for Noted {
    fn drop(&mut self) {
        self.1.borrow_mut().push(self.0);
    }
}

impl std::fmt::Display for Noted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl Noted {
    fn number(&self) -> u32 {
        0
    }

    fn note(&self, what: &'static str) {
        self.1.borrow_mut().push(what);
    }
}

struct Pair {
    left: Noted,
    right: Noted,
}

/// Ready when polled the second time.
struct Once(bool);

impl Future for Once {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

fn fail() -> Result<(), Rejected> {
    static BREAKER: breakerbox::Breaker =
        breakerbox::Breaker::new("fail", breakerbox::Config::new());
    BREAKER.force_open();
    BREAKER.acquire().map(drop)
}

macro_rules! twins {
    ($($item:item)*) => {
        mod plain {
            use super::*;
            $($item)*
        }
        mod protected {
            use super::*;
            $(#[circuit_breaker] $item)*
        }
    };
}

twins! {
    pub(super) fn used(a: Noted, b: Noted, c: Noted) -> Result<u32, Rejected> {
        let local = Noted("local", a.1.clone());
        Ok(b.number() + a.number() + c.number() + local.number())
    }

    pub(super) fn in_part(a: Noted, _: Noted, _b: Noted, c: Noted, _: Noted) -> Result<u32, Rejected> {
        c.note("body");
        Ok(a.number())
    }

    #[allow(unused_variables)]
    pub(super) fn not_mentioned(a: Noted, b: Noted, (c, d): (Noted, Noted), e: Noted) -> Result<u32, Rejected> {
        c.note("body");
        Ok(0)
    }

    #[allow(unused_variables)]
    pub(super) fn mentioned_as_another(a: Noted, b: Noted, c: Noted) -> Result<u32, Rejected> {
        let b = 5;
        'c: while a.number() == 0 {
            a.note("body");
            if b == 5 {
                break 'c;
            }
        }
        Ok(b)
    }

    pub(super) fn moved(a: Noted, b: Noted, c: Noted) -> Result<u32, Rejected> {
        c.note("body");
        drop(b);
        Ok(a.number())
    }

    pub(super) fn moved_sometimes(a: Noted, b: Noted, c: Noted, early: bool) -> Result<u32, Rejected> {
        if early {
            drop(a);
            return Ok(1);
        }
        c.note("body");
        Ok(b.number())
    }

    pub(super) fn failed(a: Noted, b: Noted) -> Result<u32, Rejected> {
        let _local = Noted("local", b.1.clone());
        fail()?;
        Ok(a.number())
    }

    pub(super) fn shadowed(a: Noted, b: Noted) -> Result<u32, Rejected> {
        let a = Noted("inner", a.1.clone());
        b.note("body");
        Ok(a.number())
    }

    pub(super) fn patterns((a, b): (Noted, Noted), Pair { left, right }: Pair, c: Noted) -> Result<u32, Rejected> {
        c.note("body");
        Ok(left.number() + a.number() + right.number() + b.number())
    }

    pub(super) fn one_field(pair: Pair, c: Noted) -> Result<u32, Rejected> {
        c.note("body");
        drop(pair.left);
        Ok(0)
    }

    pub(super) fn one_field_read(pair: Pair, c: Noted) -> Result<u32, Rejected> {
        c.note("body");
        Ok(pair.right.number())
    }

    pub(super) fn tail_temporary(a: Noted) -> Result<u32, Rejected> {
        let _local = Noted("local", a.1.clone());
        Ok(Noted("temporary", a.1.clone()).number())
    }

    pub(super) fn tail_match(a: Noted) -> Result<u32, Rejected> {
        let _local = Noted("local", a.1.clone());
        match Noted("temporary", a.1.clone()).number() {
            0 => Ok(0),
            number => Ok(number + 1),
        }
    }

    pub(super) fn tail_block(a: Noted) -> Result<u32, Rejected> {
        let _local = Noted("local", a.1.clone());
        {
            let _inner = Noted("inner", a.1.clone());
            Ok(Noted("temporary", a.1.clone()).number())
        }
    }

    pub(super) fn returned(a: Noted, b: Noted) -> Result<Noted, Rejected> {
        b.note("body");
        Ok(a)
    }

    #[allow(unused_variables)]
    pub(super) fn named_otherwise(r#type: Noted, b: Noted, c: Noted, d: Noted) -> Result<u32, Rejected> {
        let _ = &r#d;
        c.note("body");
        Ok(format!("{type} \x7bb}").len() as u32)
    }

    #[allow(unused_variables)]
    pub(super) async fn named_otherwise_later(r#type: Noted, b: Noted, c: Noted) -> Result<u32, Rejected> {
        Once(false).await;
        c.note("body");
        Ok(format!("{type} {b }").len() as u32)
    }

    pub(super) async fn waiting(a: Noted, _: Noted, b: Noted, _c: Noted) -> Result<u32, Rejected> {
        let _local = Noted("local", b.1.clone());
        Once(false).await;
        b.note("body");
        Ok(Noted("temporary", a.1.clone()).number())
    }

    #[allow(unused_variables)]
    pub(super) async fn waiting_unmentioned(a: Noted, b: Noted, c: Noted, d: Noted) -> Result<u32, Rejected> {
        Once(false).await;
        b.note("body");
        drop(b);
        Ok(0)
    }

    pub(super) async fn waiting_with_patterns((a, b): (Noted, Noted), c: Noted) -> Result<u32, Rejected> {
        Once(false).await;
        drop(a);
        Once(false).await;
        c.note("body");
        Ok(b.number())
    }
}

/// Runs both twins and compares what they wrote.
macro_rules! compare {
    ($name:ident, |$log:ident| [$($argument:expr),*]) => {{
        let run = |call: &dyn Fn(&Log)| {
            let log = Log::default();
            call(&log);
            log.take()
        };
        let plain = run(&|$log| drop(plain::$name($($argument),*)));
        let protected = run(&|$log| drop(protected::$name($($argument),*)));
        assert_eq!(plain, protected, stringify!($name));
        assert!(!plain.is_empty());
    }};
}

/// The same for futures that are dropped after so many polls.
macro_rules! compare_futures {
    ($name:ident, |$log:ident| [$($argument:expr),*]) => {{
        for polls in 0..4 {
            let plain = poll(polls, |$log| plain::$name($($argument),*));
            let protected = poll(polls, |$log| protected::$name($($argument),*));
            assert_eq!(plain, protected, "{} after {} polls", stringify!($name), polls);
            assert!(!plain.is_empty());
        }
    }};
}

fn poll<F: Future>(polls: usize, make: impl Fn(&Log) -> F) -> Vec<&'static str> {
    let log = Log::default();
    let mut future = Box::pin(make(&log));
    for _ in 0..polls {
        if future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            log.borrow_mut().push("ready");
            break;
        }
    }
    drop(future);
    log.take()
}

fn noted(name: &'static str, log: &Log) -> Noted {
    Noted(name, log.clone())
}

fn pair(log: &Log) -> Pair {
    Pair { left: noted("left", log), right: noted("right", log) }
}

#[test]
fn arguments() {
    compare!(used, |log| [noted("a", log), noted("b", log), noted("c", log)]);
    compare!(in_part, |log| [
        noted("a", log),
        noted("first _", log),
        noted("_b", log),
        noted("c", log),
        noted("second _", log)
    ]);
    compare!(not_mentioned, |log| [
        noted("a", log),
        noted("b", log),
        (noted("c", log), noted("d", log)),
        noted("e", log)
    ]);
    compare!(mentioned_as_another, |log| [noted("a", log), noted("b", log), noted("c", log)]);
    compare!(moved, |log| [noted("a", log), noted("b", log), noted("c", log)]);
    compare!(moved_sometimes, |log| [noted("a", log), noted("b", log), noted("c", log), true]);
    compare!(moved_sometimes, |log| [noted("a", log), noted("b", log), noted("c", log), false]);
    compare!(failed, |log| [noted("a", log), noted("b", log)]);
    compare!(shadowed, |log| [noted("a", log), noted("b", log)]);
    compare!(patterns, |log| [(noted("a", log), noted("b", log)), pair(log), noted("c", log)]);
    compare!(one_field, |log| [pair(log), noted("c", log)]);
    compare!(one_field_read, |log| [pair(log), noted("c", log)]);
    compare!(named_otherwise, |log| [
        noted("type", log),
        noted("b", log),
        noted("c", log),
        noted("d", log)
    ]);
    compare!(returned, |log| [noted("a", log), noted("b", log)]);
}

#[test]
fn temporaries() {
    compare!(tail_temporary, |log| [noted("a", log)]);
    compare!(tail_match, |log| [noted("a", log)]);
    compare!(tail_block, |log| [noted("a", log)]);
}

#[test]
fn futures_dropped_at_any_time() {
    compare_futures!(waiting, |log| [
        noted("a", log),
        noted("_", log),
        noted("b", log),
        noted("_c", log)
    ]);
    compare_futures!(waiting_unmentioned, |log| [
        noted("a", log),
        noted("b", log),
        noted("c", log),
        noted("d", log)
    ]);
    compare_futures!(named_otherwise_later, |log| [
        noted("type", log),
        noted("b", log),
        noted("c", log)
    ]);
    compare_futures!(waiting_with_patterns, |log| [
        (noted("a", log), noted("b", log)),
        noted("c", log)
    ]);
}
