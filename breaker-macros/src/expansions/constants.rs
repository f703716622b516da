// What is written:

#[circuit_breaker(threshold = LIMIT, window = WINDOW)]
fn charge() -> Result<(), Error> {
    pay()
}

// What it becomes:

fn charge() -> Result<(), Error> {
    let breaker = {
        static __BREAKER: ::breakerbox::__private::Breaker = {
            let config = ::breakerbox::__private::Config::new()
                .threshold(LIMIT)
                .window(::breakerbox::__private::DurationOrU32OrWindow(WINDOW).window());
            ::breakerbox::__private::judge(&config, "threshold");
            ::breakerbox::__private::judge(&config, "window");
            ::breakerbox::__private::Breaker::new(
                ::core::concat!(::core::module_path!(), "::", "charge"),
                config,
            )
        };
        &__BREAKER
    };
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
