// What is written:

#[circuit_breaker(timeout = "2s")]
fn charge(card: Card) -> impl Future<Output = Result<(), Error>> {
    log();
    async move { pay(card).await }
}

// What it becomes:

fn charge(card: Card) -> impl Future<Output = Result<(), Error>> {
    log();
    async move {
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
                                Result<(), Error>,
                            >::__reject(__rejected)
                        };
                    }
                }
            }
        };
        match ::breakerbox::__private::within!(
            __permit, ::breakerbox::__private::Duration::from_secs(2), | __value | { use
            ::breakerbox::__private::OwnType as _; ::breakerbox::__private::Template:: <
            Result < (), Error > > ::__outcome(__value) }, async move { if false { let
            __nothing = ::breakerbox::__private::nothing();
            ::breakerbox::__private::wait_for(& __nothing);
            ::breakerbox::__private::never_comes(& __nothing); return
            ::breakerbox::__private::any:: < Result < (), Error > > (); } match () { ()
            => { pay(card). await } } }
        )
            .await
        {
            ::core::result::Result::Ok(__value) => __value,
            ::core::result::Result::Err(__rejected) => {
                use ::breakerbox::__private::OwnType as _;
                ::breakerbox::__private::Template::<
                    Result<(), Error>,
                >::__reject(__rejected)
            }
        }
    }
}
