// What is written:

#[circuit_breaker(key = host, capacity = 100, probes = 1)]
async fn fetch(host: &str) -> Result<(), Error> {
    get(host).await
}

// What it becomes:

async fn fetch(host: &str) -> Result<(), Error> {
    let __lent = ::breakerbox::__private::keyed! {
        { ::breakerbox::__private::Keyed::new(::core::concat!(::core::module_path!(),
        "::", "fetch"), ::breakerbox::__private::Config::new().probes(1)).capacity(100) }
        { ::breakerbox::__private::key(& (host)) }
    };
    let __breaker: &::breakerbox::__private::Breaker = &__lent;
    let __permit = match ::breakerbox::__private::lent_closed(__breaker) {
        ::core::option::Option::Some(__permit) => __permit,
        ::core::option::Option::None => {
            match ::breakerbox::__private::lent_enter(__breaker) {
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
    ::breakerbox::__private::call_async(
            __permit,
            |__value| {
                use ::breakerbox::__private::OwnType as _;
                ::breakerbox::__private::Template::<
                    Result<(), Error>,
                >::__outcome(__value)
            },
            async move {
                if false {
                    let __nothing = ::breakerbox::__private::nothing();
                    ::breakerbox::__private::wait_for(&__nothing);
                    ::breakerbox::__private::never_comes(&__nothing);
                    return ::breakerbox::__private::any::<Result<(), Error>>();
                }
                match () {
                    () => get(host).await,
                }
            },
        )
        .await
}
