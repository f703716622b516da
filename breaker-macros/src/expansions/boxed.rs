// What is written:

#[circuit_breaker(breaker = &self.breaker)]
fn charge(&self) -> BoxFuture<'_, Result<(), Error>> {
    self.client.charge()
}

// What it becomes:

fn charge(&self) -> BoxFuture<'_, Result<(), Error>> {
    let future = ::breakerbox::__private::run(move || -> BoxFuture<
        '_,
        Result<(), Error>,
    > {
        #[allow(unreachable_code, clippy::used_underscore_binding)]
        if false {
            loop {}
            let _ = &self;
        }
        match () {
            () => self.client.charge(),
        }
    });
    ::breakerbox::__private::Box::pin(async move {
        let lent = &(&self.breaker);
        let breaker: &::breakerbox::__private::Breaker = lent;
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
                    ::breakerbox::__private::Template::<
                        Result<(), Error>,
                    >::outcome(value)
                },
                future,
            )
            .await
    })
}
