// What is written:

#[circuit_breaker(fallback = Self::cached, classify = outcome_of)]
async fn charge(&self, mut card: Card) -> u32 {
    pay(card).await
}

// What it becomes:

async fn charge(&self, mut card: Card) -> u32 {
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
                        ::breakerbox::__private::fell_back(__breaker);
                        Self::cached(self, __rejected, card).await
                    };
                }
            }
        }
    };
    ::breakerbox::__private::call_async(
            __permit,
            |__value| ::breakerbox::__private::classified::<u32, _>(outcome_of, __value),
            async move {
                if false {
                    let __nothing = ::breakerbox::__private::nothing();
                    ::breakerbox::__private::wait_for(&__nothing);
                    ::breakerbox::__private::capture(card);
                    ::breakerbox::__private::never_comes(&__nothing);
                    return ::breakerbox::__private::any::<u32>();
                }
                match () {
                    () => pay(card).await,
                }
            },
        )
        .await
}
