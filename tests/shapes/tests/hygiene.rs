//! Names that a user may shadow, and functions that macros make.

#![allow(clippy::wrong_self_convention, reason = "unusual shapes are the point")]

use breakerbox::Config;
use std::time::Duration;

mod shadowed {
    #![allow(dead_code, non_camel_case_types)]

    use ::breakerbox::{Rejected, circuit_breaker};

    pub(crate) struct Result;
    pub(crate) struct Option;
    pub(crate) struct Ok;
    pub(crate) struct Err;
    pub(crate) struct Some;
    pub(crate) struct None;
    pub(crate) struct Box;
    pub(crate) struct From;
    pub(crate) struct Duration;
    pub(crate) struct Breaker;
    pub(crate) struct Config;
    pub(crate) struct Template;
    pub(crate) struct Outcome;
    pub(crate) mod core {}
    pub(crate) mod std {}
    pub(crate) mod breakerbox {}
    pub(crate) type u32 = ();
    pub(crate) type bool = ();
    pub(crate) type str = ();

    const LIMIT: ::core::primitive::u32 = 20;

    #[circuit_breaker(handle = sync_breaker, threshold = LIMIT, window = "30s", cancelled = Ignored)]
    pub(crate) fn sync(number: u8) -> ::core::result::Result<u8, Rejected> {
        ::core::result::Result::Ok(number)
    }

    #[circuit_breaker(handle = future_breaker)]
    pub(crate) async fn future(number: u8) -> ::core::result::Result<u8, Rejected> {
        ::core::result::Result::Ok(number)
    }

    #[circuit_breaker(handle = boxed_breaker)]
    pub(crate) fn boxed(
        number: u8,
    ) -> ::core::pin::Pin<
        ::std::boxed::Box<
            dyn ::core::future::Future<Output = ::core::result::Result<u8, Rejected>>,
        >,
    > {
        let future = ::core::future::ready(::core::result::Result::Ok(number));
        ::std::boxed::Box::pin(future)
    }
}

mod bare {
    //! Nothing in scope but what is named.
    #![no_implicit_prelude]

    use ::breakerbox::{Outcome, Rejected, circuit_breaker};
    use ::core::result::Result;

    #[circuit_breaker(
        handle = sync_breaker,
        window = 5 * 5,
        cooldown = "1s",
        name = "bare",
        fallback = |rejected| Result::Err(rejected)
    )]
    pub(crate) fn sync(number: u8) -> Result<u8, Rejected> {
        Result::Ok(number)
    }

    #[circuit_breaker(handle = future_breaker, classify = |_| Outcome::Success)]
    pub(crate) async fn future(number: u8) -> Result<u8, Rejected> {
        Result::Ok(number)
    }

    #[circuit_breaker(handle = boxed_breaker, failure_if = |_| true)]
    pub(crate) fn boxed(number: u8) -> ::futures::future::BoxFuture<'static, Result<u8, Rejected>> {
        let future = ::core::future::ready(Result::Ok(number));
        ::std::boxed::Box::pin(future)
    }
}

pub mod hijacked {
    //! Blanket traits whose functions would answer to every unqualified call.

    use breakerbox::{Classified, FromRejected, Outcome, Rejected, circuit_breaker};

    pub trait Everything: Sized {
        fn outcome(self) {}
        fn reject(self) {}
        fn record(self) {}
        fn acquire(self) {}
        fn threshold(self, _: u32) {}
        fn window(self, _: u32) {}
        fn is_err(self) {}
    }

    impl<T> Everything for T {}

    pub trait Associated {
        fn outcome(_: &u8) {}
        fn reject(_: Rejected) {}
        fn reject_alone(_: Rejected) {}
    }

    impl<T> Associated for T {}

    #[derive(Debug, PartialEq)]
    pub(crate) enum Own {
        Value(u8),
        Rejected,
    }

    impl Classified for Own {
        fn outcome(&self) -> Outcome {
            Outcome::Success
        }
    }

    impl FromRejected for Own {
        fn from_rejected(_: Rejected) -> Self {
            Self::Rejected
        }
    }

    #[circuit_breaker(handle = own_breaker)]
    pub(crate) fn own(number: u8) -> Own {
        Own::Value(number)
    }

    #[circuit_breaker(classify = |_| Outcome::Success)]
    pub(crate) async fn own_classified(number: u8) -> Own {
        Own::Value(number)
    }

    #[circuit_breaker(handle = sync_breaker, threshold = 3, window = 2 + 2)]
    pub(crate) fn sync(number: u8) -> Result<u8, Rejected> {
        Ok(number)
    }
}

mod renamed {
    //! The facade under another name, and through another module.

    pub(crate) mod other {
        pub(crate) use ::breakerbox as inner;
    }
    use other::inner::{Rejected, circuit_breaker};

    #[circuit_breaker(crate = self::other::inner, threshold = 3, cooldown = "1s")]
    pub(crate) fn sync(number: u8) -> Result<u8, Rejected> {
        Ok(number)
    }
}

mod macros {
    use breakerbox::{Rejected, circuit_breaker};

    macro_rules! make {
        ($(#[$attribute:meta])* $vis:vis fn $name:ident($argument:ident: $type:ty) -> $output:ty $body:block, $limit:expr, $time:literal) => {
            $(#[$attribute])*
            #[circuit_breaker(handle = breaker_of, threshold = $limit, cooldown = $time)]
            $vis fn $name($argument: $type, extra: u8) -> $output {
                let inside = extra;
                let _ = inside;
                $body
            }
        };
    }

    pub(crate) mod one {
        use super::{Rejected, circuit_breaker};
        make! {
            /// Documented.
            pub(crate) fn single(number: u8) -> Result<u8, Rejected> { Ok(number) }, 5, "2s"
        }
    }

    macro_rules! whole {
        ($item:item) => {
            #[circuit_breaker(threshold = 5)]
            $item
        };
    }

    whole! {
        pub(crate) fn item(number: u8) -> Result<u8, Rejected> { Ok(number) }
    }

    macro_rules! method {
        ($self:ident, $name:ident, $arguments:tt, $body:expr) => {
            #[circuit_breaker(fallback = async |rejected| Err(rejected))]
            pub(crate) async fn $name(&$self, _number: u8) -> Result<u8, Rejected> {
                $body
            }
        };
    }

    pub(crate) struct Client(pub(crate) u8);

    impl Client {
        method!(self, fetch, (), Ok(self.0));
    }
}

#[test]
fn shadowed_names() {
    assert_eq!(shadowed::sync(1).unwrap(), 1);
    assert_eq!(futures::executor::block_on(shadowed::future(1)).unwrap(), 1);
    assert_eq!(futures::executor::block_on(shadowed::boxed(1)).unwrap(), 1);
    assert_eq!(bare::sync(1).unwrap(), 1);
    assert_eq!(futures::executor::block_on(bare::future(1)).unwrap(), 1);
    assert_eq!(futures::executor::block_on(bare::boxed(1)).unwrap(), 1);
    assert_eq!(hijacked::sync(1).unwrap(), 1);
    assert_eq!(hijacked::own(1), hijacked::Own::Value(1));
    assert_eq!(futures::executor::block_on(hijacked::own_classified(1)), hijacked::Own::Value(1));
    for breaker in [
        shadowed::sync_breaker(),
        shadowed::future_breaker(),
        shadowed::boxed_breaker(),
        bare::sync_breaker(),
        bare::future_breaker(),
        bare::boxed_breaker(),
        hijacked::sync_breaker(),
        hijacked::own_breaker(),
    ] {
        assert_eq!(shapes::calls(breaker), 1, "{}", breaker.name());
    }
    hijacked::own_breaker().force_open();
    assert_eq!(hijacked::own(1), hijacked::Own::Rejected);
}

#[test]
fn renamed_facade() {
    assert_eq!(renamed::sync(1).unwrap(), 1);
}

#[test]
fn made_by_macros() {
    assert_eq!(macros::one::single(1, 2).unwrap(), 1);
    assert_eq!(shapes::calls(macros::one::breaker_of()), 1);
    let config = macros::one::breaker_of().snapshot().config;
    let expected = Config::new().threshold(5).cooldown(Duration::from_secs(2));
    assert_eq!(config, expected);
    assert_eq!(macros::item(1).unwrap(), 1);
    assert_eq!(futures::executor::block_on(macros::Client(2).fetch(1)).unwrap(), 2);
}

/// A pattern matches a static, a constant or a unit struct of its name, whatever its hygiene.
mod lower_case_items {
    #![expect(non_upper_case_globals, non_camel_case_types, reason = "that is what it is about")]

    use breakerbox::{Breaker, Config, Rejected, circuit_breaker};

    pub(super) static breaker: Breaker = Breaker::new("lower_case", Config::new());
    const permit: u8 = 1;
    static value: u8 = 2;
    static future: u8 = 3;
    static config: u8 = 4;
    static lent: u8 = 5;
    static key: u8 = 6;
    struct rejected;

    const LIMIT: u32 = 30;

    #[circuit_breaker(breaker = &breaker)]
    pub(super) fn lent_to() -> Result<u8, Rejected> {
        let rejected = rejected;
        Ok(permit + value + future + config + lent + key)
    }

    #[circuit_breaker(threshold = LIMIT, fallback = async |_| Ok(0))]
    pub(super) async fn own() -> Result<u8, Rejected> {
        Ok(permit)
    }

    #[circuit_breaker(key = host)]
    pub(super) fn keyed(host: &str) -> Result<usize, Rejected> {
        Ok(host.len())
    }
}

#[test]
fn lower_case_items_of_the_locals_names_do_no_harm() {
    assert_eq!(lower_case_items::lent_to().unwrap(), 21);
    assert_eq!(shapes::calls(&lower_case_items::breaker), 1);
    assert_eq!(futures::executor::block_on(lower_case_items::own()).unwrap(), 1);
    assert_eq!(lower_case_items::keyed("eu").unwrap(), 2);
}
