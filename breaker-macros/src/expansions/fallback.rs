// What is written:

#[circuit_breaker(fallback = Self::cached, classify = outcome_of)]
async fn charge(&self, mut card: Card) -> u32 {
    pay(card).await
}

// What it becomes:

async fn charge(&self, mut card: Card) -> u32 {
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
                        ::breakerbox::__private::fell_back(breaker);
                        Self::cached(self, rejected, card).await
                    };
                }
            }
        }
    };
    ::breakerbox::__private::call_async(
            permit,
            |value| ::breakerbox::__private::classified::<u32, _>(outcome_of, value),
            async move {
                #[allow(unreachable_code, clippy::used_underscore_binding)]
                if false {
                    let value: u32 = loop {};
                    let _ = &card;
                    return value;
                }
                match () {
                    () => pay(card).await,
                }
            },
        )
        .await
}
