// What is written:

#[circuit_breaker]
fn charge(card: Card, _: Key) -> Result<impl Read, Error> {
    pay(card)
}

// What it becomes:

fn charge(card: Card, __argument_2: Key) -> Result<impl Read, Error> {
    let breaker = {
        static __BREAKER: ::breakerbox::__private::Breaker = ::breakerbox::__private::Breaker::new(
            ::core::concat!(::core::module_path!(), "::", "charge"),
            ::breakerbox::__private::Config::new(),
        );
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
                            Result<_, Error>,
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
            ::breakerbox::__private::Template::<Result<_, Error>>::outcome(value)
        },
        move || -> Result<_, Error> {
            #[allow(unreachable_code, clippy::used_underscore_binding)]
            if false {
                loop {}
                let _ = &__argument_2;
                let _ = &card;
            }
            match () {
                () => pay(card),
            }
        },
    )
}
