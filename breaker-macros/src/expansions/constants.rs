// What is written:

#[circuit_breaker(threshold = LIMIT, window = WINDOW)]
fn charge() -> Result<(), Error> {
    pay()
}

// What it becomes:

fn charge() -> Result<(), Error> {
    let __breaker = {
        static __BREAKER: ::breakerbox::__private::Breaker = {
            let __config = ::breakerbox::__private::Config::new()
                .threshold(LIMIT)
                .window({
                    use ::breakerbox::__private::NoWindow as _;
                    ::breakerbox::__private::window_given(WINDOW).window()
                });
            ::breakerbox::__private::judge(&__config, "threshold");
            ::breakerbox::__private::judge(&__config, "window");
            ::breakerbox::__private::Breaker::new(
                ::core::concat!(::core::module_path!(), "::", "charge"),
                __config,
            )
        };
        &__BREAKER
    };
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
