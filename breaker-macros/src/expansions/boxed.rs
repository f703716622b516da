// What is written:

#[circuit_breaker(breaker = &self.breaker)]
fn charge(&self) -> BoxFuture<'_, Result<(), Error>> {
    self.client.charge()
}

// What it becomes:

fn charge(&self) -> BoxFuture<'_, Result<(), Error>> {
    ::breakerbox::__private::given_twice(&self);
    let __future = ::breakerbox::__private::run(move || -> BoxFuture<
        '_,
        Result<(), Error>,
    > { self.client.charge() });
    ::breakerbox::__private::Box::pin(async move {
        let __lent = &(&self.breaker);
        let __breaker: &::breakerbox::__private::Breaker = ::breakerbox::__private::lend(
            __lent,
        );
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
                __future,
            )
            .await
    })
}
