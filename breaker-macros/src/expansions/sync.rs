// What is written:

#[circuit_breaker]
fn charge(card: Card, _: Key) -> Result<impl Read, Error> {
    pay(card)
}

// What it becomes:

fn charge(card: Card, __argument_2: Key) -> Result<impl Read, Error> {
    let __breaker = {
        static __BREAKER: ::breakerbox::__private::Breaker = ::breakerbox::__private::Breaker::new(
            ::core::concat!(::core::module_path!(), "::", "charge"),
            ::breakerbox::__private::Config::new(),
        );
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
                            Result<_, Error>,
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
            ::breakerbox::__private::Template::<Result<_, Error>>::__outcome(__value)
        },
        move || -> Result<_, Error> {
            if false {
                let __nothing = ::breakerbox::__private::nothing();
                ::breakerbox::__private::wait_for(&__nothing);
                ::breakerbox::__private::capture(__argument_2);
                ::breakerbox::__private::capture(card);
                ::breakerbox::__private::never_comes(&__nothing);
            }
            match () {
                () => pay(card),
            }
        },
    )
}
