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
                                Result<(), Error>,
                            >::reject(rejected)
                        };
                    }
                }
            }
        };
        match ::breakerbox::__private::within!(
            permit, ::breakerbox::__private::Duration::from_secs(2), | value | { use
            ::breakerbox::__private::OwnType as _; ::breakerbox::__private::Template:: <
            Result < (), Error >> ::outcome(value) }, async move {
            #[allow(unreachable_code, clippy::used_underscore_binding)] if false { let
            value : Result < (), Error >= loop {}; return value; } match () { () => {
            pay(card). await } } }
        )
            .await
        {
            ::core::result::Result::Ok(value) => value,
            ::core::result::Result::Err(rejected) => {
                use ::breakerbox::__private::OwnType as _;
                ::breakerbox::__private::Template::<Result<(), Error>>::reject(rejected)
            }
        }
    }
}
