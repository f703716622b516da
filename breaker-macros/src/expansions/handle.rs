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
    let __breaker = charge_breaker();
    let __permit = match ::breakerbox::__private::closed(__breaker) {
        ::core::option::Option::Some(__permit) => __permit,
        ::core::option::Option::None => {
            match ::breakerbox::__private::enter(__breaker) {
                ::core::result::Result::Ok(__permit) => __permit,
                ::core::result::Result::Err(__rejected) => {
                    return {
                        use ::breakerbox::__private::OwnType as _;
                        ::breakerbox::__private::Template::<
                            Result<(), Error>,
                        >::__reject(__rejected)
                    };
                }
            }
        }
    };
    ::breakerbox::__private::call(
        __permit,
        |__value| {
            use ::breakerbox::__private::OwnType as _;
            ::breakerbox::__private::Template::<Result<(), Error>>::__outcome(__value)
        },
        move || -> Result<(), Error> { pay() },
    )
}
