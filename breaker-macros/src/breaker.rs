//! Which breaker the expansion asks: the function's own static, one behind a handle, a borrowed one,
//! or the one of a key.
//!
//! ```text
//! threshold = 10              let breaker = { static BREAKER: Breaker = Breaker::new(…); &BREAKER };
//! handle = charge_breaker     let breaker = charge_breaker();
//! breaker = &self.breaker     let lent = &(&self.breaker); let breaker: &Breaker = lend(lent);
//! key = host                  let lent = keyed! { {Keyed::new(…)} {key(&(host))} };
//!                             let breaker: &Breaker = &lent;
//! ```

use crate::config::Lender;
use crate::expand::{Expansion, mixed};
use crate::function::Function;
use crate::tokens::{ends, mentions, stream, unwrapped};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

impl Expansion<'_> {
    /// The statement that finds the breaker, and the expression that asks it for a permit: `refused`
    /// are the arms for what it answers with.
    pub(crate) fn breaker(&self, refused: &TokenStream) -> (TokenStream, TokenStream) {
        let private = &self.settings.private;
        let ask = |closed: &str, enter: &str| {
            let (closed, enter) = (Ident::new(closed, mixed()), Ident::new(enter, mixed()));
            quote_spanned! {mixed()=>
                match #private::#closed(__breaker) {
                    ::core::option::Option::Some(__permit) => __permit,
                    ::core::option::Option::None => match #private::#enter(__breaker) { #refused },
                }
            }
        };
        let enter = ask("closed", "enter");
        if let Some(given) = &self.settings.breaker {
            let tokens = &given.tokens;
            let (start, end) = ends(tokens);
            let lender = self.settings.private_at(start);
            let lender = quote_spanned!(start=> #lender::lend);
            if given.value == Lender::Static && !self.is_argument(tokens) {
                let value = quote_spanned!(end=> (#tokens));
                return (
                    quote_spanned!(mixed()=> let __breaker: &'static #private::Breaker = #lender #value;),
                    enter,
                );
            }
            // A reference to a place moves nothing out of it, and one to a value keeps it. It is
            // taken before it is asked to be one to a breaker, so that a block may lend one.
            let local = Ident::new("__lent", start);
            let value = quote_spanned!(end=> (__lent));
            return (
                quote_spanned! {mixed()=>
                    let #local = &(#tokens);
                    let __breaker: &#private::Breaker = #lender #value;
                },
                ask("lent_closed", "lent_enter"),
            );
        }
        if self.settings.key.is_some() {
            return (
                quote_spanned!(mixed()=> let __breaker: &#private::Breaker = &__lent;),
                ask("lent_closed", "lent_enter"),
            );
        }
        if let Some(given) = &self.settings.handle {
            let name = &given.value.name;
            let owner = match &given.value.owner {
                Some(owner) => Some(quote!(#owner::)),
                None => self.is_method().then(|| quote_spanned!(mixed()=> Self::)),
            };
            return (quote_spanned!(mixed()=> let __breaker = #owner #name();), enter);
        }
        let made = self.own_breaker();
        (quote_spanned!(mixed()=> let __breaker = { #made };), enter)
    }

    /// The statement that finds the breaker of the key, if there is one, in a static family of
    /// breakers. The key is evaluated outside the block of the static, which it must not see.
    pub(crate) fn member(&self) -> Option<TokenStream> {
        let key = self.settings.key.as_ref()?;
        let private = &self.settings.private;
        let family = self.configured(&quote_spanned!(mixed()=> #private::Keyed));
        let capacity = self.settings.capacity.as_ref().map(|given| {
            let tokens = &given.value.tokens;
            quote_spanned!(given.name.span().resolved_at(mixed())=> .capacity(#tokens))
        });
        let (start, end) = ends(&key.tokens);
        let tokens = &key.value;
        let reader = self.settings.private_at(start);
        let reader = quote_spanned!(start=> #reader::key);
        let argument = quote_spanned!(end=> (&(#tokens)));
        // Named at the key, so that an error about a missing feature is underlined there.
        let keyed = Ident::new("keyed", key.name.span().resolved_at(mixed()));
        Some(quote_spanned! {mixed()=>
            let __lent = #private::#keyed! { {#family #capacity} {#reader #argument} };
        })
    }

    /// The function's own static, and a reference to it.
    fn own_breaker(&self) -> TokenStream {
        let private = &self.settings.private;
        let made = self.configured(&quote_spanned!(mixed()=> #private::Breaker));
        quote_spanned! {mixed()=>
            static __BREAKER: #private::Breaker = #made;
            &__BREAKER
        }
    }

    /// What is made of the name and the settings: a breaker, or a family of them.
    fn configured(&self, what: &TokenStream) -> TokenStream {
        let settings = self.settings;
        let private = &settings.private;
        let setters = settings.measures.iter().map(|given| {
            let tokens = &given.value.tokens;
            let name = Ident::new(&given.name.to_string(), given.name.span().resolved_at(mixed()));
            quote_spanned!(given.name.span().resolved_at(mixed())=> .#name(#tokens))
        });
        let cancelled = settings.cancelled.as_ref().map(|given| {
            let tokens = &given.value;
            quote_spanned!(given.name.span().resolved_at(mixed())=> .cancelled(#tokens))
        });
        let config = quote_spanned!(mixed()=> #private::Config::new() #(#setters)* #cancelled);
        let listener = settings.on_transition.as_ref().map(|given| {
            let tokens = &given.value;
            quote_spanned!(given.name.span().resolved_at(mixed())=> .on_transition(#tokens))
        });
        let name = self.name();
        // A constant may contradict a literal, and the fault be the literal's.
        if settings.measures.iter().all(|given| given.value.literal.is_some()) {
            return quote_spanned!(mixed()=> #what::new(#name, #config) #listener);
        }
        let judgements = settings.measures.iter().map(|given| {
            let name = given.name.to_string();
            let (start, end) = ends(&given.tokens);
            let private = settings.private_at(start);
            let judge = quote_spanned!(start=> #private::judge);
            let arguments = quote_spanned!(end=> (&__config, #name));
            quote!(#judge #arguments;)
        });
        quote_spanned! {mixed()=>
            {
                let __config = #config;
                #(#judgements)*
                #what::new(#name, __config) #listener
            }
        }
    }

    /// The breaker's name: as given, or the path of the function.
    fn name(&self) -> TokenStream {
        if let Some(given) = &self.settings.name {
            return given.value.clone();
        }
        let function = self.function.name.unraw().to_string();
        quote_spanned! {mixed()=>
            ::core::concat!(::core::module_path!(), "::", #function)
        }
    }

    /// The function that gives the breaker out.
    pub(crate) fn handle(&self) -> Option<TokenStream> {
        let given = self.settings.handle.as_ref()?;
        let private = &self.settings.private;
        let Function { condition, visibility, .. } = self.function;
        let name = &given.value.name;
        let documentation = format!(" The circuit breaker of `{}`.", self.function.name.unraw());
        let made = self.own_breaker();
        // Underlined where it is asked for, if there is no place for it: in the impl of a trait.
        let place = name.span().resolved_at(mixed());
        Some(quote_spanned! {place=>
            #condition
            #[doc = #documentation]
            #[must_use]
            #visibility fn #name() -> &'static #private::Breaker { #made }
        })
    }

    /// Whether `&NAME` names an argument that is written as statics are.
    fn is_argument(&self, reference: &TokenStream) -> bool {
        let parameters = self.function.parameters.iter();
        let mut words = parameters.flat_map(|parameter| &parameter.pattern);
        match unwrapped(reference.clone()).as_slice() {
            [_and, TokenTree::Ident(name)] => {
                words.any(|word| matches!(word, TokenTree::Ident(word) if word == name))
            }
            _ => false,
        }
    }

    /// Whether the signature shows that the function belongs to a type.
    fn is_method(&self) -> bool {
        let type_name = Ident::new("Self", Span::call_site());
        self.function.receiver().is_some() || mentions(stream(&self.function.head), &type_name)
    }
}
