// What is written:

#[circuit_breaker(key = host, capacity = 100, probes = 1)]
async fn fetch(host: &str) -> Result<(), Error> {
    get(host).await
}

// What it becomes:

async fn fetch(host: &str) -> Result<(), Error> {
    let lent = ::breakerbox::__private::keyed! {
        { ::breakerbox::__private::Keyed::new(::core::concat!(::core::module_path!(),
        "::", "fetch"), ::breakerbox::__private::Config::new().probes(1)).capacity(100) }
        { ::breakerbox::__private::key(& (host)) }
    };
    let breaker: &::breakerbox::__private::Breaker = &lent;
    let permit = match ::breakerbox::__private::lent_closed(breaker) {
        ::core::option::Option::Some(permit) => permit,
        ::core::option::Option::None => {
            match ::breakerbox::__private::lent_enter(breaker) {
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
    ::breakerbox::__private::call_async(
            permit,
            |value| {
                use ::breakerbox::__private::OwnType as _;
                ::breakerbox::__private::Template::<Result<(), Error>>::outcome(value)
            },
            async move {
                #[allow(unreachable_code, clippy::used_underscore_binding)]
                if false {
                    let value: Result<(), Error> = loop {};
                    let _ = &host;
                    return value;
                }
                match () {
                    () => get(host).await,
                }
            },
        )
        .await
}
