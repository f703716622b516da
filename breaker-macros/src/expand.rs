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

use crate::capture::never_runs;
use crate::config::{Given, Settings};
use crate::function::Function;
use crate::output::{AsyncTail, Holder, Output};
use crate::tokens::{ends, group, is_sign, is_word, stream};
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
            let edge = self.edge(value);
            let place = body.span();
            let keywords = quote_spanned!(place=> async move);
            let future = self.around_body(&keywords, &edge);
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
            (Output::Future { value, future, holder }, _) => {
                self.wrap_future(&value, &future, holder)
            }
            (Output::Value(_), Some(tail)) if !tail.is_bypassed() => {
                self.wrap_tail(&quote!(_), &tail)
            }
            (Output::Value(future), Some(tail)) => {
                self.wrap_future(&quote!(_), &future, tail.holder())
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
        self.around_body(&head, &self.edge(None))
    }

    /// The body in a closure or future that begins with `head`, and behind its `edge`.
    fn around_body(&self, head: &TokenStream, edge: &TokenStream) -> TokenStream {
        let is_changed = !self.changed_in_part().is_empty();
        let allowed = is_changed.then(|| quote_spanned!(mixed()=> #[allow(unused_assignments)]));
        around(&self.body, head, edge, allowed.as_ref())
    }

    /// `log(); Box::pin(async move { … })` admits inside its own `async` block.
    fn wrap_tail(&self, value: &TokenStream, tail: &AsyncTail) -> TokenStream {
        let AsyncTail { keywords, block, .. } = tail;
        let named = never_runs(&self.settings.private, Some(value), &[]);
        let future = around(block, keywords, &named, None);
        let protected = self.protect(Some(value), &future, true);
        // What is wrong with the future as a whole underlines the user's block.
        let mut braces = Group::new(Delimiter::Brace, protected);
        braces.set_span(block.span());
        tail.with(quote!(#keywords #braces))
    }

    /// Whatever else gives a future runs when called; the future that it gave is protected.
    fn wrap_future(
        &self,
        value: &TokenStream,
        future: &TokenStream,
        holder: Holder,
    ) -> TokenStream {
        let private = &self.settings.private;
        let member = self.member();
        let given_twice = self.given_twice();
        let closure = self.closure(future);
        let made = quote_spanned!(mixed()=> __future);
        let guarded = self.guard(Some(value), &made, true);
        let guarded = quote_spanned!(mixed()=> async move { #guarded });
        let guarded = match holder {
            // Not as it is: lints know an `async` block, and tell what its author should do.
            Holder::Bare => quote_spanned!(mixed()=> #private::opaque(#guarded)),
            Holder::Pinned => quote_spanned!(mixed()=> #private::Box::pin(#guarded)),
            Holder::Boxed => {
                quote_spanned!(mixed()=> #private::Box::new(#private::Box::pin(#guarded)))
            }
        };
        quote_spanned! {mixed()=>
            #member
            #given_twice
            let __future = #private::run(#closure);
            #guarded
        }
    }

    /// What `guard` says, with the breaker of a key found before.
    fn protect(
        &self,
        value: Option<&TokenStream>,
        call: &TokenStream,
        awaits: bool,
    ) -> TokenStream {
        let member = self.member();
        let guarded = self.guard(value, call, awaits);
        quote!(#member #guarded)
    }

    /// Admission, the call, and what it counts as. `value` is what the call gives in the end, if
    /// that has a type at all.
    fn guard(&self, value: Option<&TokenStream>, call: &TokenStream, awaits: bool) -> TokenStream {
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
                let reject = self.give_up(value);
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
            None => {
                // What the borrow checker says of the returned value, it says of this call.
                let (start, end) = ends(&last_expression(&self.body));
                let private = self.settings.private_at(start);
                let function = quote_spanned!(start=> #private::call);
                let arguments = quote_spanned!(end=> (__permit, #classify, #call));
                quote!(#function #arguments)
            }
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

    /// The value that says to the caller that its call took too long.
    fn give_up(&self, value: Option<&TokenStream>) -> TokenStream {
        let rejected = &self.rejected;
        match value.filter(|value| !is_hidden(value)) {
            // Nothing else says of the return type that it cannot.
            Some(value) if self.settings.fallback.is_some() => {
                let (start, end) = ends(value);
                let private = self.settings.private_at(start);
                let function = quote_spanned!(start=> #private::timed_out::<#value>);
                let argument = quote_spanned!(end=> (#rejected));
                quote!(#function #argument)
            }
            value => self.reject(value),
        }
    }

    /// The value that says to the caller that its call was rejected.
    fn reject(&self, value: Option<&TokenStream>) -> TokenStream {
        let private = &self.settings.private;
        let rejected = &self.rejected;
        let Some(value) = value.filter(|value| !is_hidden(value)) else {
            return quote_spanned!(mixed()=> #private::FromRejected::from_rejected(#rejected));
        };
        let function = if self.has_own_verdict() { "__reject_alone" } else { "__reject" };
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
                Some(value) => self.template(value, "__outcome", &local),
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
        let call = quote_spanned!(end=> ::#function(#argument));
        quote_spanned!(mixed()=> { use #private::OwnType as _; #path #call })
    }
}

/// A body behind `head` and `edge`, with what is allowed in both.
///
/// The braces are the user's, for where those of the expansion surround code, the borrow checker
/// does not tell the names in it. They do not touch those of the body: a block of one expression in
/// another is warned about.
fn around(
    body: &Group,
    head: &TokenStream,
    edge: &TokenStream,
    allowed: Option<&TokenStream>,
) -> TokenStream {
    if edge.is_empty() {
        return quote!(#head #body);
    }
    let braces = |inside| {
        let mut braces = Group::new(Delimiter::Brace, inside);
        braces.set_span(body.span());
        braces
    };
    let inside = braces(quote_spanned!(mixed()=> #edge match () { () => #body }));
    match allowed {
        None => quote!(#head #inside),
        Some(allowed) => {
            let outside = braces(quote_spanned!(mixed()=> match () { #allowed () => #inside }));
            quote!(#head #outside)
        }
    }
}

/// The value of `timeout`; a constant is judged where it stands.
fn limit(settings: &Settings, timeout: &Given<Value>) -> TokenStream {
    let limit = &timeout.value.tokens;
    let private = &settings.private;
    let by_default = quote_spanned!(mixed()=> #private::Config::new().probe_timeout);
    let probe_timeout = settings.measure("probe_timeout").map(|given| &given.value);
    let are_literal = timeout.value.literal.is_some()
        && probe_timeout.is_none_or(|given| given.literal.is_some());
    if are_literal {
        return limit.clone();
    }
    let (start, end) = ends(&timeout.tokens);
    let private = settings.private_at(start);
    let (function, arguments) = if settings.breaker.is_some() {
        (quote_spanned!(start=> #private::limit), quote_spanned!(end=> (#limit)))
    } else {
        let probe_timeout = probe_timeout.map_or(by_default, |given| given.tokens.clone());
        (
            quote_spanned!(start=> #private::limit_of_probe),
            quote_spanned!(end=> (#limit, #probe_timeout)),
        )
    };
    quote_spanned!(mixed()=> const { #function #arguments })
}

/// Locals of the expansion are seen by the expansion alone, and lints know it for what it is.
pub(crate) fn mixed() -> Span {
    Span::mixed_site()
}

/// Whether this type is `_`.
pub(crate) fn is_hidden(value: &TokenStream) -> bool {
    let mut tokens = value.to_token_stream().into_iter();
    is_word(tokens.next().as_ref(), "_") && tokens.next().is_none()
}

/// The expression that a body ends in, as far as tokens tell.
fn last_expression(body: &Group) -> TokenStream {
    let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
    let is_start = |index: usize| match (&tokens[index - 1], &tokens[index]) {
        (TokenTree::Punct(before), _) => before.as_char() == ';',
        // Behind the braces of a statement.
        (TokenTree::Group(before), TokenTree::Ident(word)) => {
            before.delimiter() == Delimiter::Brace && word != "else" && word != "as"
        }
        _ => false,
    };
    let start = (1..tokens.len()).rev().find(|index| is_start(*index));
    stream(&tokens[start.unwrap_or(0)..])
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
