//! What the attribute's `breaker` may be: anything that is a [`Breaker`], or derefs to one.

use crate::breaker::Breaker;
use std::ops::Deref;

/// The breaker behind the value of `breaker`.
#[inline]
pub fn lend<L: Lends + ?Sized>(lender: &L) -> &Breaker {
    lender.breaker()
}

/// A breaker, or what derefs to one.
#[diagnostic::on_unimplemented(
    message = "`breaker` takes what is a `Breaker` or derefs to one, and `{Self}` does not",
    label = "no `Breaker`",
    note = "write `breaker = &PAYMENTS` for a static, or `breaker = &self.breaker` for a field",
    note = "a `Keyed` is a family of breakers, one for each key: write `breaker = HOSTS.get(key)`"
)]
pub trait Lends {
    /// That breaker.
    fn breaker(&self) -> &Breaker;
}

impl Lends for Breaker {
    #[inline]
    fn breaker(&self) -> &Breaker {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<P: Deref<Target: Lends> + ?Sized> Lends for P {
    #[inline]
    fn breaker(&self) -> &Breaker {
        (**self).breaker()
    }
}
