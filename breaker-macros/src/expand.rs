//! Last stage: the function with a new body.
//!
//! ```text
//! #[circuit_breaker(threshold = 10)]          async fn charge(card: Card) -> Result<(), Error> {
//! async fn charge(card: Card)                     let breaker = { static …; &… };
//!     -> Result<(), Error>                        let permit = match enter(breaker) {
//! {                                                   Ok(permit) => permit,
//!     …                                               Err(rejected) => return reject(rejected),
//! }                                               };
//!                                                 call_async(permit, outcome, async move { … }).await
//!                                             }
//! ```
//!
//! A sync function differs in two things: its body becomes a closure, and nothing is awaited.
//!
//! Everything named here is either a local, which hygiene hides from the body, or stands under the
//! facade's hidden module. The locals are named with `__`, as a pattern of another name would match a
//! static or constant of the user's. The static stands in a block of its own, since items know no
//! hygiene. The body keeps its own braces, which decide by their edition when its temporaries are
//! dropped.

use crate::config::{Given, Settings};
use crate::function::Function;
use crate::output::{AsyncTail, Output};
use crate::tokens::{ends, group, is_sign, is_word, mentions, stream};
use crate::value::Value;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

/// Writes the function anew.
pub(crate) fn expand(function: &Function, settings: &Settings) -> TokenStream {
    let (inner_attributes, body) = without_inner_attributes(&function.body);
    let expansion = Expansion {
        function,
        settings,
        body,
        rejected: Ident::new("__rejected", Span::mixed_site()),
    };
    let handle = expansion.handle();
    let mut block = Group::new(Delimiter::Brace, {
        let statements = expansion.statements();
        quote!(#inner_attributes #statements)
    });
    block.set_span(function.body.span());
    let Function { attributes, .. } = function;
    let head = stream(&function.head);
    quote!(#handle #attributes #head #block)
}

/// One function, and what is asked for it.
pub(crate) struct Expansion<'a> {
    pub(crate) function: &'a Function,
    pub(crate) settings: &'a Settings,
    pub(crate) body: Group,
    rejected: Ident,
}

impl Expansion<'_> {
    /// The statements of the new body.
    fn statements(&self) -> TokenStream {
        let body = &self.body;
        let output = self.function.output();
        if self.function.is_async {
            let value = match &output {
                Output::Value(value) | Output::Future { future: value, .. } => Some(value),
                Output::Never => None,
            };
            let edge = edge(value, &self.captured());
            let place = body.span();
            let keywords = quote_spanned!(place=> async move);
            let future = around(body, &keywords, &edge);
            return self.protect(value, &future, true);
        }
        let tail = AsyncTail::find(&body.stream().into_iter().collect::<Vec<_>>());
        match (output, tail) {
            (Output::Never, _) => {
                let closure = self.closure(&quote_spanned!(mixed()=> !));
                self.protect(None, &closure, false)
            }
            (Output::Future { value, .. }, Some(tail)) if !tail.is_bypassed() => {
                self.wrap_tail(&value, &tail)
            }
            (Output::Future { value, future, is_boxed }, _) => {
                self.wrap_future(&value, &future, is_boxed)
            }
            (Output::Value(_), Some(tail)) if !tail.is_bypassed() => {
                self.wrap_tail(&quote!(_), &tail)
            }
            (Output::Value(future), Some(tail)) => {
                self.wrap_future(&quote!(_), &future, tail.is_boxed())
            }
            (Output::Value(value), None) => {
                let closure = self.closure(&value);
                self.protect(Some(&value), &closure, false)
            }
        }
    }

    /// The body as a closure that returns this type.
    fn closure(&self, returned: &TokenStream) -> TokenStream {
        let keyword = quote_spanned!(self.body.span()=> move);
        let head = quote_spanned!(mixed()=> #keyword || -> #returned);
        around(&self.body, &head, &edge(None, &self.captured()))
    }

    /// `log(); Box::pin(async move { … })` admits inside its own `async` block.
    fn wrap_tail(&self, value: &TokenStream, tail: &AsyncTail) -> TokenStream {
        let AsyncTail { keywords, block, .. } = tail;
        let future = around(block, keywords, &edge(Some(value), &[]));
        let protected = self.protect(Some(value), &future, true);
        tail.with(quote_spanned!(mixed()=> #keywords { #protected }))
    }

    /// Whatever else gives a future runs when called; the future that it gave is protected.
    fn wrap_future(
        &self,
        value: &TokenStream,
        future: &TokenStream,
        is_boxed: bool,
    ) -> TokenStream {
        let private = &self.settings.private;
        let closure = self.closure(future);
        let made = quote_spanned!(mixed()=> __future);
        let protected = self.protect(Some(value), &made, true);
        let protected = quote_spanned!(mixed()=> async move { #protected });
        let protected = if is_boxed {
            quote_spanned!(mixed()=> #private::Box::pin(#protected))
        } else {
            protected
        };
        quote_spanned! {mixed()=>
            let __future = #private::run(#closure);
            #protected
        }
    }

    /// Admission, the call, and what it counts as. `value` is what the call gives in the end, if
    /// that has a type at all.
    fn protect(
        &self,
        value: Option<&TokenStream>,
        call: &TokenStream,
        awaits: bool,
    ) -> TokenStream {
        let private = &self.settings.private;
        let rejected = &self.rejected;
        let answer = self.answer(value, awaits);
        // What never returns needs no `return`, and is warned about with one.
        let back = value.map(|_| quote_spanned!(mixed()=> return));
        let (breaker, permit) = self.breaker(&quote_spanned! {mixed()=>
            ::core::result::Result::Ok(__permit) => __permit,
            ::core::result::Result::Err(#rejected) => #back #answer,
        });
        let classify = self.classify(value);
        let run = match &self.settings.timeout {
            Some(timeout) => {
                let reject = self.reject(value);
                let limit = limit(self.settings, timeout);
                let place = timeout.name.span().resolved_at(mixed());
                let private = self.settings.private_at(place);
                let timed = quote_spanned! {place=>
                    #private::within!(__permit, #limit, #classify, #call).await
                };
                quote_spanned! {mixed()=>
                    match #timed {
                        ::core::result::Result::Ok(__value) => __value,
                        ::core::result::Result::Err(#rejected) => #reject,
                    }
                }
            }
            None if awaits => quote_spanned! {mixed()=>
                #private::call_async(__permit, #classify, #call).await
            },
            None => quote_spanned!(mixed()=> #private::call(__permit, #classify, #call)),
        };
        quote_spanned! {mixed()=>
            #breaker
            let __permit = #permit;
            #run
        }
    }

    /// What the caller gets in place of the call.
    fn answer(&self, value: Option<&TokenStream>, awaits: bool) -> TokenStream {
        let Some(fallback) = &self.settings.fallback else {
            return self.reject(value);
        };
        let private = &self.settings.private;
        let hidden = quote!(_);
        let call = fallback.value.call(
            self.settings,
            self.function,
            value.unwrap_or(&hidden),
            &self.rejected,
            awaits,
        );
        quote_spanned! {mixed()=>
            { #private::fell_back(__breaker); #call }
        }
    }

    /// The value that says to the caller that its call was rejected.
    fn reject(&self, value: Option<&TokenStream>) -> TokenStream {
        let private = &self.settings.private;
        let rejected = &self.rejected;
        let Some(value) = value.filter(|value| !is_hidden(value)) else {
            return quote_spanned!(mixed()=> #private::FromRejected::from_rejected(#rejected));
        };
        let function = if self.has_own_verdict() { "reject_alone" } else { "reject" };
        self.template(value, function, rejected)
    }

    /// The closure that says what a value counts as.
    fn classify(&self, value: Option<&TokenStream>) -> TokenStream {
        let private = &self.settings.private;
        let hidden = quote!(_);
        let named = value.unwrap_or(&hidden);
        let local = Ident::new("__value", mixed());
        let judged = if let Some(given) = &self.settings.classify {
            let tokens = &given.value;
            let place = ends(tokens).0;
            let private = self.settings.private_at(place);
            quote_spanned!(place=> #private::classified::<#named, _>(#tokens, #local))
        } else if let Some(given) = &self.settings.failure_if {
            let tokens = &given.value;
            let place = ends(tokens).0;
            let private = self.settings.private_at(place);
            quote_spanned! {place=>
                #private::failed_if(#private::error_of::<#named, _>(#local), #tokens)
            }
        } else {
            match value {
                None => return quote_spanned!(mixed()=> #private::never),
                Some(value) if is_hidden(value) => {
                    quote_spanned!(mixed()=> #private::Classified::outcome(#local))
                }
                Some(value) if self.settings.fallback.is_some() => {
                    quote_spanned!(mixed()=> <#value as #private::Classified>::outcome(#local))
                }
                Some(value) => self.template(value, "outcome", &local),
            }
        };
        quote_spanned!(mixed()=> |#local| #judged)
    }

    /// Whether the user says what a value counts as.
    fn has_own_verdict(&self) -> bool {
        self.settings.classify.is_some() || self.settings.failure_if.is_some()
    }

    /// Calls a function of the hidden `Template`, which reports all that the return type lacks as one
    /// error, underlining the type.
    fn template(&self, value: &TokenStream, function: &str, argument: &Ident) -> TokenStream {
        let (start, end) = ends(value);
        let private = self.settings.private_at(start);
        let function = Ident::new(function, end);
        // The same fault at the same place is reported once.
        let argument = Ident::new(&argument.to_string(), start);
        let path = quote_spanned!(start=> #private::Template::<#value>);
        let colons = quote_spanned!(end=> ::#function);
        quote_spanned!(mixed()=> { use #private::OwnType as _; #path #colons(#argument) })
    }

    /// The parameters that the body's closure or future must capture, last first, which is the
    /// order in which a function drops them.
    fn captured(&self) -> Vec<TokenStream> {
        let mut captured = Vec::new();
        for parameter in self.function.parameters.iter().rev() {
            for name in parameter.bindings().into_iter().rev() {
                let is_used =
                    name.to_string().starts_with('_') || mentions(self.body.stream(), &name);
                if is_used {
                    let conditions = &parameter.conditions;
                    captured.push(quote_spanned!(mixed()=> #conditions let _ = &#name;));
                }
            }
        }
        captured
    }
}

/// The body in a closure or future that begins with `head`.
///
/// The braces are the user's, for where those of the expansion surround code, the borrow checker
/// does not tell the names in it. They do not touch those of the body: a block of one expression in
/// another is warned about.
fn around(body: &Group, head: &TokenStream, edge: &TokenStream) -> TokenStream {
    let inside = quote_spanned!(mixed()=> #edge match () { () => #body });
    let mut braces = Group::new(Delimiter::Brace, inside);
    braces.set_span(body.span());
    quote!(#head #braces)
}

/// A statement that never runs. It names the type of the body's value, where no signature does,
/// and captures the arguments in the order in which they are to be dropped.
fn edge(value: Option<&TokenStream>, captured: &[TokenStream]) -> TokenStream {
    let (local, back) = match value.filter(|value| !is_hidden(value)) {
        Some(value) => (
            quote_spanned!(mixed()=> let __value: #value = loop {};),
            quote_spanned!(mixed()=> return __value;),
        ),
        None if captured.is_empty() => return TokenStream::new(),
        None => (quote_spanned!(mixed()=> loop {}), TokenStream::new()),
    };
    // Behind the loop, what is captured is not read: the user's own warnings about what is never
    // read must stay.
    quote_spanned! {mixed()=>
        #[allow(unreachable_code, clippy::used_underscore_binding)]
        if false { #local #(#captured)* #back }
    }
}

/// The value of `timeout`; a constant is judged where it stands.
fn limit(settings: &Settings, timeout: &Given<Value>) -> TokenStream {
    let tokens = &timeout.value.tokens;
    if timeout.value.literal.is_some() {
        return tokens.clone();
    }
    let (start, end) = ends(&timeout.tokens);
    let private = settings.private_at(start);
    let function = quote_spanned!(start=> #private::limit);
    let arguments = quote_spanned!(end=> (#tokens));
    quote_spanned!(mixed()=> const { #function #arguments })
}

/// Locals of the expansion are seen by the expansion alone, and lints know it for what it is.
pub(crate) fn mixed() -> Span {
    Span::mixed_site()
}

/// Whether this type is `_`.
fn is_hidden(value: &TokenStream) -> bool {
    let mut tokens = value.to_token_stream().into_iter();
    is_word(tokens.next().as_ref(), "_") && tokens.next().is_none()
}

/// The `#![…]` at the head of a body, which only a function's own block may have, and the rest.
fn without_inner_attributes(body: &Group) -> (TokenStream, Group) {
    let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
    let mut length = 0;
    while is_sign(tokens.get(length), '#')
        && is_sign(tokens.get(length + 1), '!')
        && group(tokens.get(length + 2), Delimiter::Bracket).is_some()
    {
        length += 3;
    }
    if length == 0 {
        return (TokenStream::new(), body.clone());
    }
    let mut rest = Group::new(Delimiter::Brace, stream(&tokens[length..]));
    rest.set_span(body.span());
    (stream(&tokens[..length]), rest)
}
