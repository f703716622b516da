//! What answers in place of a rejected call.
//!
//! ```text
//! fallback = Self::cached         Self::cached(self, rejected, id)
//! fallback = |rejected| EMPTY     answer(|rejected| EMPTY, rejected)
//! ```
//!
//! Either is awaited in async functions.

use crate::capture::of_expansion;
use crate::config::Settings;
use crate::errors::Errors;
use crate::expand::mixed;
use crate::function::{Condition, Function, Parameter};
use crate::keys::Key;
use crate::tokens::{ends, is_pair, is_sign, is_word, stream, unwrapped};
use crate::value::{quoted, refused};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Error;

/// The value of `fallback`.
pub(crate) enum Fallback {
    /// A path, called with `self` if there is one, the rejection, and the arguments.
    Path(TokenStream),
    /// A closure, called with the rejection alone.
    Closure(TokenStream),
}

impl Fallback {
    /// Tells a path from a closure, and both from all else.
    pub(crate) fn read(key: &Key, tokens: TokenStream) -> Result<Self, Error> {
        let inside = unwrapped(tokens.clone());
        let words = inside.iter().take_while(|token| {
            ["static", "async", "move"].iter().any(|word| is_word(Some(token), word))
        });
        let words = words.count();
        if is_sign(inside.get(words), '|') {
            return Ok(Self::Closure(not_redundant(inside)));
        }
        let starts_path = matches!(inside.first(), Some(TokenTree::Ident(word))
                if word != "true" && word != "false")
            || is_pair(&inside, [':', ':'])
            || is_sign(inside.first(), '<');
        let is_called = matches!(inside.last(), Some(TokenTree::Group(_)));
        let has_dot = inside.iter().any(|token| is_sign(Some(token), '.'));
        if starts_path && !is_called && !has_dot {
            return Ok(Self::Path(tokens));
        }
        if let [receiver, dot, TokenTree::Ident(method), ..] = inside.as_slice() {
            if is_word(Some(receiver), "self") && is_sign(Some(dot), '.') {
                return Err(Error::new_spanned(
                    &tokens,
                    format!(
                        "`fallback` takes the path of a method, which is called with `self`, the \
                         rejection and the arguments: write `fallback = Self::{method}`, or a \
                         closure, `fallback = |rejected| self.{method}(…)`"
                    ),
                ));
            }
        }
        let allowed = "the path of a function (without a call) or a closure";
        Err(refused(key, &tokens, &format!("{} does not fit", quoted(&tokens)), allowed))
    }

    /// Notes each argument that a path would have to be given and that has no name.
    pub(crate) fn judge(&self, function: &Function, errors: &mut Errors) {
        let Self::Path(path) = self else { return };
        for parameter in &function.parameters {
            if parameter.name().is_none() {
                errors.at(
                    stream(&parameter.pattern),
                    format!(
                        "`fallback = {path}` is called with every argument, and this one has no \
                         name of its own: name it, or write a closure, `fallback = |rejected| …`",
                    ),
                );
            }
        }
    }

    /// The expression that answers for `rejected`.
    pub(crate) fn call(
        &self,
        settings: &Settings,
        function: &Function,
        value: &TokenStream,
        rejected: &Ident,
        awaits: bool,
    ) -> TokenStream {
        let (Self::Path(tokens) | Self::Closure(tokens)) = self;
        let (place, end) = ends(tokens);
        let private = settings.private_at(place);
        match self {
            Self::Path(path) => {
                let receiver = function.receiver().map(|word| quote!(#word,));
                let parameters = function.parameters.iter().filter_map(|parameter| {
                    parameter.name().map(|name| (&parameter.condition, name))
                });
                // Handing on an argument that the user does not use is not the user's doing.
                let parameters = parameters.filter(|(_, name)| *name != "self");
                let parameters: Vec<_> = parameters
                    .map(|(condition, name)| {
                        let is_unused = name.to_string().starts_with('_');
                        let name =
                            if is_unused { of_expansion(name) } else { name.into_token_stream() };
                        (condition, name)
                    })
                    .collect();
                let wait = awaits.then(|| quote_spanned!(end=> .await));
                with_those_there(&parameters, &mut Vec::new(), &|given| {
                    let call = quote_spanned!(end=> (#receiver #rejected, #(#given),*));
                    quote!(#path #call #wait)
                })
            }
            Self::Closure(closure) if awaits => quote_spanned! {place=>
                #private::answer_async::<#value, _, _>(#closure, #rejected).await
            },
            Self::Closure(closure) => quote_spanned! {place=>
                #private::answer::<#value, _>(#closure, #rejected)
            },
        }
    }
}

/// A call with those of the arguments that are there: one block for each case, as no condition can
/// stand in a call.
fn with_those_there(
    parameters: &[(&Condition, TokenStream)],
    given: &mut Vec<TokenStream>,
    call: &dyn Fn(&[TokenStream]) -> TokenStream,
) -> TokenStream {
    let Some(((condition, name), rest)) = parameters.split_first() else { return call(given) };
    let without = (!condition.is_always())
        .then(|| (condition.otherwise(), with_those_there(rest, given, call)));
    given.push(name.clone());
    let with = with_those_there(rest, given, call);
    given.pop();
    match without {
        None => with,
        Some((otherwise, without)) => quote_spanned! {mixed()=>
            { #condition { #with } #otherwise { #without } }
        },
    }
}

/// The closure, marked as code of the expansion where it begins. `|rejected| Err(rejected)` would be
/// called redundant otherwise, but the path `Err` in its place would be called with every argument.
fn not_redundant(closure: Vec<TokenTree>) -> TokenStream {
    let mut tokens = closure.into_iter();
    let first = tokens.next().map(|mut first| {
        first.set_span(first.span().resolved_at(Span::mixed_site()));
        first
    });
    first.into_iter().chain(tokens).collect()
}

impl Parameter {
    /// The name under which the argument can be handed on: `card` of `mut card`.
    fn name(&self) -> Option<&Ident> {
        match self.pattern.as_slice() {
            [TokenTree::Ident(name)] if name != "_" => Some(name),
            [word, TokenTree::Ident(name)] if is_word(Some(word), "mut") => Some(name),
            _ => None,
        }
    }
}
