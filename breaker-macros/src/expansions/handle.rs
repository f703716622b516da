// What is written:

#[circuit_breaker(handle = charge_breaker)]
#[cfg(unix)]
pub(crate) fn charge() -> Result<(), Error> {
    pay()
}

// What it becomes:

#[cfg(unix)]
/// The circuit breaker of `charge`.
#[must_use]
pub(crate) fn charge_breaker() -> &'static ::breakerbox::__private::Breaker {
    static __BREAKER: ::breakerbox::__private::Breaker = ::breakerbox::__private::Breaker::new(
        ::core::concat!(::core::module_path!(), "::", "charge"),
        ::breakerbox::__private::Config::new(),
    );
    &__BREAKER
}
#[cfg(unix)]
pub(crate) fn charge() -> Result<(), Error> {
    let breaker = charge_breaker();
    let permit = match ::breakerbox::__private::closed(breaker) {
        ::core::option::Option::Some(permit) => permit,
        ::core::option::Option::None => {
            match ::breakerbox::__private::enter(breaker) {
                ::core::result::Result::Ok(permit) => permit,
                ::core::result::Result::Err(rejected) => {
                    return {
                        use ::breakerbox::__private::OwnType as _;
                        ::breakerbox::__private::Template::<
                            Result<(), Error>,
                        >::reject(rejected)
                    };
                }
            }
        }
    };
    ::breakerbox::__private::call(
        permit,
        |value| {
            use ::breakerbox::__private::OwnType as _;
            ::breakerbox::__private::Template::<Result<(), Error>>::outcome(value)
        },
        move || -> Result<(), Error> {
            match () {
                () => pay(),
            }
        },
    )
}
