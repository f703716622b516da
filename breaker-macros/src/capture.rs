//! How the arguments come into the body, which the expansion makes a closure or a future: it captures
//! them, in the order in which they are to be dropped.
//!
//! ```text
//! fn charge(card: Card, key: Key)     move || {
//!                                         if false { … capture(key); capture(card); }
//!                                         …
//! ```

use crate::expand::{Expansion, is_hidden, mixed};
use crate::fallback::Fallback;
use crate::tokens::{ends, mentions, overwrites_and_reads, overwrites_part};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

impl Expansion<'_> {
    /// A statement that never runs. It names the type of the body's value, where no signature does,
    /// and captures the arguments.
    ///
    /// They are captured last first, which is the order in which a function drops them. Those with
    /// nothing to drop come as they are mentioned. Those at the end that are not mentioned are left
    /// to the function itself, which drops them behind the others anyway.
    pub(crate) fn edge(&self, value: Option<&TokenStream>) -> TokenStream {
        let private = &self.settings.private;
        let body = self.body.stream();
        let mut captured = Vec::new();
        let mut last_mentioned = 0;
        for parameter in self.function.parameters.iter().rev() {
            let condition = &parameter.condition;
            for name in parameter.bindings().into_iter().rev() {
                // What a body captures and never reads is warned about where it is captured. That is
                // the user's affair only where the body overwrites the argument first.
                let captured_name = if overwrites_and_reads(body.clone(), &name) {
                    name.to_token_stream()
                } else if parameter.may_drop {
                    of_expansion(&name)
                } else {
                    continue;
                };
                captured
                    .push(quote_spanned!(mixed()=> #condition #private::capture(#captured_name);));
                if mentions(body.clone(), &name) {
                    last_mentioned = captured.len();
                }
            }
        }
        captured.truncate(last_mentioned);
        let statement = never_runs(private, value, &captured);
        let used = self.changed_in_part();
        let used = (!used.is_empty()).then(|| quote_spanned!(mixed()=> if false { #(#used)* }));
        quote!(#statement #used)
    }

    /// A use of each argument that is dropped and of which the body assigns to a part. In a function
    /// the assignment counts as a use, as what is dropped may read the part; in what captures the
    /// argument it is warned about.
    pub(crate) fn changed_in_part(&self) -> Vec<TokenStream> {
        let mut uses = Vec::new();
        for parameter in self.function.parameters.iter().filter(|parameter| parameter.may_drop) {
            let condition = &parameter.condition;
            for name in parameter.bindings() {
                if overwrites_part(self.body.stream(), &name) {
                    let name = of_expansion(&name);
                    uses.push(quote_spanned!(mixed()=> #condition let __argument = &#name;));
                }
            }
        }
        uses
    }

    /// Asks of each argument that the body gets and the future needs later that it can be given
    /// twice.
    pub(crate) fn given_twice(&self) -> TokenStream {
        let settings = self.settings;
        let fallback = settings.fallback.as_ref();
        let is_called_with_all =
            fallback.is_some_and(|given| matches!(given.value, Fallback::Path(_)));
        let code = [
            fallback.map(|given| &given.tokens),
            settings.breaker.as_ref().map(|given| &given.tokens),
        ];
        let code: TokenStream = code.into_iter().flatten().cloned().collect();
        let parameters = self.function.parameters.iter();
        let names = parameters.flat_map(|parameter| {
            let names = parameter.bindings().into_iter();
            names.map(|name| (&parameter.condition, name))
        });
        let needed = names.filter(|(_, name)| is_called_with_all || mentions(code.clone(), name));
        let asked = needed.map(|(condition, name)| {
            let place = name.span().resolved_at(mixed());
            let private = settings.private_at(place);
            let name = of_expansion(&name);
            quote_spanned!(place=> #condition #private::given_twice(&#name);)
        });
        asked.collect()
    }
}

/// The statement that names a type and captures.
///
/// What stands behind the wait is never reached, so that nothing there is read: the user's own
/// warnings about what is never read must stay. That it is unreachable shows only when all types are
/// known, behind the lint that would say so; to silence it is an error where users forbid that.
pub(crate) fn never_runs(
    private: &TokenStream,
    value: Option<&TokenStream>,
    captured: &[TokenStream],
) -> TokenStream {
    let value = value.filter(|value| !is_hidden(value));
    if value.is_none() && captured.is_empty() {
        return TokenStream::new();
    }
    let back = value.map(|value| {
        // An error that says where a type comes from underlines the type.
        let place = ends(value).0;
        quote_spanned!(place=> return #private::any::<#value>();)
    });
    quote_spanned! {mixed()=>
        if false {
            let __nothing = #private::nothing();
            #private::wait_for(&__nothing);
            #(#captured)*
            #private::never_comes(&__nothing);
            #back
        }
    }
}

/// The name of an argument as a name of the expansion's, of which lints do not speak: so it is with
/// `::<>` behind it, which changes nothing else.
pub(crate) fn of_expansion(name: &Ident) -> TokenStream {
    if name == "self" {
        return name.into_token_stream();
    }
    let nothing = quote_spanned!(name.span().resolved_at(mixed())=> ::<>);
    quote!(#name #nothing)
}
