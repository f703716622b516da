//! What the function gives back: a value, a future, or nothing ever.
//!
//! ```text
//! -> Result<impl Read, Error>                      Value   Result<_, Error>
//! -> impl Future<Output = Result<(), Error>>       Future  Result<(), Error>, bare
//! -> Pin<Box<dyn Future<Output = u32> + '_>>       Future  u32, pinned
//! -> !                                             Never
//! ```

use crate::tokens::{
    angle_length, is_assignment, is_path, is_sign, is_word, path_start, split, stream, unwrapped,
};
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

/// What a call of the function gives back.
pub(crate) enum Output {
    /// A value of this type; `_` stands where the type cannot be named.
    Value(TokenStream),
    /// A future.
    Future {
        /// What it gives in the end, `_` if that is not written.
        value: TokenStream,
        /// The type of the future itself.
        future: TokenStream,
        holder: Holder,
    },
    /// `!`.
    Never,
}

/// What a function returns its future in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Holder {
    /// Nothing: `impl Future`.
    Bare,
    /// `Pin<Box<…>>`, which also is what any `impl Future + Unpin` can be.
    Pinned,
    /// `Box<…>`.
    Boxed,
}

/// The `async` block that makes the future which a function returns.
///
/// ```text
/// log(); Box::pin(async move { … })
/// before      [   ][block         ]
/// ```
pub(crate) struct AsyncTail {
    /// The statements before it, and the path of the call that it is the argument of.
    pub(crate) before: TokenStream,
    /// `async`, perhaps `move`.
    pub(crate) keywords: TokenStream,
    pub(crate) block: Group,
    /// The parentheses around it, if it is the argument of a call.
    parentheses: Option<Group>,
    /// `.boxed()` behind it.
    behind: TokenStream,
}

impl Output {
    /// Reads the type behind the `->`; where there is none, errors about `()` underline `place`.
    pub(crate) fn read(tokens: &[TokenTree], place: Span) -> Self {
        let tokens = &unwrapped(stream(tokens))[..];
        let future = nameable(stream(tokens));
        match tokens {
            [] => {
                let place = place.resolved_at(Span::mixed_site());
                Self::Value(quote_spanned!(place=> ()))
            }
            [never] if is_sign(Some(never), '!') => Self::Never,
            _ => match held_future(tokens) {
                Some((value, holder)) => Self::Future { value, future, holder },
                None => Self::Value(future),
            },
        }
    }

    /// Whether nothing of the value's type can be named.
    pub(crate) fn is_hidden(&self) -> bool {
        match self {
            Self::Value(value) => is_word(value.clone().into_iter().next().as_ref(), "_"),
            _ => false,
        }
    }
}

impl AsyncTail {
    /// Finds the block at the end of a body.
    pub(crate) fn find(body: &[TokenTree]) -> Option<Self> {
        let (rest, behind) = match body {
            [rest @ .., dot, boxed, call]
                if is_sign(Some(dot), '.')
                    && (is_word(Some(boxed), "boxed") || is_word(Some(boxed), "boxed_local"))
                    && matches!(call, TokenTree::Group(_)) =>
            {
                (rest, quote!(#dot #boxed #call))
            }
            _ => (body, TokenStream::new()),
        };
        let (before, keywords, block, parentheses) = match rest {
            [path @ .., TokenTree::Group(group)] if ends_in_box_pin(path) => {
                let inside = unwrapped(group.stream());
                let inside = match inside.as_slice() {
                    [block @ .., comma] if is_sign(Some(comma), ',') => block,
                    block => block,
                };
                let (before, keywords, block) = async_block(inside)?;
                if !before.is_empty() {
                    return None;
                }
                (path, keywords, block, Some(group.clone()))
            }
            _ => {
                let (before, keywords, block) = async_block(rest)?;
                (before, keywords, block, None)
            }
        };
        let start = if parentheses.is_some() { path_start(before) } else { before.len() };
        starts_expression(&before[..start]).then(|| Self {
            before: stream(before),
            keywords,
            block,
            parentheses,
            behind,
        })
    }

    /// Whether the statements before it may return another future in its place.
    pub(crate) fn is_bypassed(&self) -> bool {
        leaves_early(self.before.clone())
    }

    /// What it is returned in.
    pub(crate) fn holder(&self) -> Holder {
        if self.parentheses.is_some() || !self.behind.is_empty() {
            Holder::Pinned
        } else {
            Holder::Bare
        }
    }

    /// The body with another future in the place of the block.
    pub(crate) fn with(&self, future: TokenStream) -> TokenStream {
        let Self { before, behind, .. } = self;
        let future = self.parentheses.as_ref().map_or(future.clone(), |parentheses| {
            let mut group = Group::new(Delimiter::Parenthesis, future);
            group.set_span(parentheses.span());
            group.into_token_stream()
        });
        quote!(#before #future #behind)
    }
}

/// Cuts `… async move { … }`.
fn async_block(tokens: &[TokenTree]) -> Option<(&[TokenTree], TokenStream, Group)> {
    let (TokenTree::Group(block), rest) = tokens.split_last()? else {
        return None;
    };
    if block.delimiter() != Delimiter::Brace {
        return None;
    }
    let length = match rest {
        [.., first, second] if is_word(Some(first), "async") && is_word(Some(second), "move") => 2,
        [.., first] if is_word(Some(first), "async") => 1,
        _ => return None,
    };
    let (before, keywords) = rest.split_at(rest.len() - length);
    Some((before, stream(keywords), block.clone()))
}

/// Whether a `return` or a `?` stands anywhere in these tokens.
fn leaves_early(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => leaves_early(group.stream()),
        other => is_word(Some(&other), "return") || is_sign(Some(&other), '?'),
    })
}

fn ends_in_box_pin(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [.., owner, first, second, call]
        if is_word(Some(owner), "Box") && is_sign(Some(first), ':')
            && is_sign(Some(second), ':') && is_word(Some(call), "pin"))
}

/// Whether an expression behind these statements is one by itself, and no part of another:
/// `*slot = async { … }`, `|x| async { … }`.
fn starts_expression(statements: &[TokenTree]) -> bool {
    statements.last().is_none_or(|last| {
        is_sign(Some(last), ';')
            || matches!(last, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
    })
}

/// The type with `_` for each `impl Trait`, which no type inside a function can be.
fn nameable(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut named = Vec::new();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        match token {
            TokenTree::Ident(word) if word == "impl" => {
                named.push(TokenTree::Ident(Ident::new("_", word.span())));
                index += bounds_length(&tokens[index..]);
                continue;
            }
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), nameable(group.stream()));
                inside.set_span(group.span());
                named.push(TokenTree::Group(inside));
            }
            _ => named.push(token.clone()),
        }
        index += 1;
    }
    // The last `>` does not join what the expansion writes behind it: both would be one token then,
    // and an error underline more than the type.
    if let Some(TokenTree::Punct(last)) = named.last_mut() {
        let mut alone = Punct::new(last.as_char(), Spacing::Alone);
        alone.set_span(last.span());
        *last = alone;
    }
    named.into_iter().collect()
}

/// The length of `impl A<B> + C`: up to what closes or separates it.
fn bounds_length(tokens: &[TokenTree]) -> usize {
    let mut index = 0;
    while index < tokens.len() {
        if is_sign(tokens.get(index), '<') {
            index += angle_length(&tokens[index..]);
            continue;
        }
        let is_arrow = index > 0 && is_sign(tokens.get(index - 1), '-');
        let separates = [',', ';'].into_iter().any(|sign| is_sign(tokens.get(index), sign));
        if separates || is_sign(tokens.get(index), '>') && !is_arrow {
            break;
        }
        index += 1;
    }
    index
}

/// What the future in a return type gives in the end, and what holds it; nothing if there is none.
fn held_future(tokens: &[TokenTree]) -> Option<(TokenStream, Holder)> {
    if is_word(tokens.first(), "impl") {
        let bounds = bounds(tokens)?;
        let is_unpin = bounds.iter().any(|bound| is_word(bound.last(), "Unpin"));
        let holder = if is_unpin { Holder::Pinned } else { Holder::Bare };
        return Some((awaited(&bounds)?, holder));
    }
    let (name, arguments) = generic(tokens)?;
    match name.to_string().as_str() {
        // `futures` puts a lifetime first, others' aliases have none.
        "BoxFuture" | "LocalBoxFuture" => {
            let value = arguments.last().filter(|value| !is_sign(value.first(), '\''));
            Some((value.map_or(quote!(_), |value| nameable(stream(value))), Holder::Pinned))
        }
        "Pin" => match generic(arguments.first()?)? {
            (name, inside) if name == "Box" => {
                Some((awaited(&bounds(inside.first()?)?)?, Holder::Pinned))
            }
            _ => None,
        },
        "Box" => Some((awaited(&bounds(arguments.first()?)?)?, Holder::Boxed)),
        _ => None,
    }
}

/// The last name of a path, and its arguments: `BoxFuture` and `'_`, `u8` of `f::BoxFuture<'_, u8>`.
fn generic(tokens: &[TokenTree]) -> Option<(&Ident, Vec<&[TokenTree]>)> {
    let open = tokens.iter().position(|token| is_sign(Some(token), '<'))?;
    let (path, arguments) = tokens.split_at(open);
    let Some(TokenTree::Ident(name)) = path.last().filter(|_| is_path(path)) else { return None };
    let is_all = angle_length(arguments) == arguments.len();
    is_all.then(|| (name, split(&arguments[1..arguments.len() - 1], ',')))
}

/// The bounds of `impl A + B` and `dyn A + B`.
fn bounds(tokens: &[TokenTree]) -> Option<Vec<&[TokenTree]>> {
    let (word, bounds) = tokens.split_first()?;
    let has_bounds = is_word(Some(word), "impl") || is_word(Some(word), "dyn");
    has_bounds.then(|| split(bounds, '+'))
}

/// What a future with these bounds gives in the end, `_` if that is not written; nothing if none of
/// them is `Future`.
fn awaited(bounds: &[&[TokenTree]]) -> Option<TokenStream> {
    bounds.iter().find_map(|bound| {
        if is_word(bound.last(), "Future") {
            return Some(quote!(_));
        }
        let (_, arguments) = generic(bound).filter(|(name, _)| *name == "Future")?;
        let value = arguments.iter().find_map(|argument| match argument {
            [word, rest @ ..] if is_word(Some(word), "Output") && is_assignment(rest) => {
                Some(nameable(stream(&rest[1..])))
            }
            _ => None,
        });
        Some(value.unwrap_or_else(|| quote!(_)))
    })
}

#[cfg(test)]
mod tests {
    use super::{AsyncTail, Output};
    use proc_macro2::{Span, TokenStream, TokenTree};

    fn tokens(text: &str) -> Vec<TokenTree> {
        text.parse::<TokenStream>().expect("tokens").into_iter().collect()
    }

    fn read(text: &str) -> String {
        let shown = match Output::read(&tokens(text), Span::call_site()) {
            Output::Never => "never".to_owned(),
            Output::Value(value) => format!("value {value}"),
            Output::Future { value, holder, .. } => format!("{holder:?} {value}"),
        };
        shown.replace(' ', "")
    }

    #[test]
    fn reads_return_types() {
        for (text, output) in [
            ("", "value()"),
            ("!", "never"),
            ("Result<u32, E>", "valueResult<u32,E>"),
            ("Result<impl Iterator<Item = (u8, u8)> + '_, E>", "valueResult<_,E>"),
            (
                "Result<(impl Fn(u8) -> u8, Box<dyn Fn() -> u8>), E>",
                "valueResult<(_,Box<dynFn()->u8>),E>",
            ),
            ("impl Iterator<Item = impl Future<Output = u8>>", "value_"),
            ("impl Future<Output = Result<u8, E>> + Send + 'a", "BareResult<u8,E>"),
            ("impl Send + core::future::Future<Output = impl Sized>", "Bare_"),
            ("Pin<Box<dyn Future<Output = Result<u8, E>> + Send + '_>>", "PinnedResult<u8,E>"),
            ("futures::future::BoxFuture<'a, Result<Vec<u8>, E>>", "PinnedResult<Vec<u8>,E>"),
            ("impl Add<u8, Output = u8> + Future<Output = u16>", "Bareu16"),
            ("impl Future<Output = fn(u8) -> u8> + Unpin", "Pinnedfn(u8)->u8"),
            ("impl Future", "Bare_"),
            ("impl Futures<Output = u8>", "value_"),
            ("impl Fn() -> Pin<Box<dyn Future<Output = u8>>>", "value_"),
            ("Pin<Box<impl Future<Output = u8>>>", "Pinnedu8"),
            ("std::pin::Pin<std::boxed::Box<dyn Send + Future<Output = u8>>>", "Pinnedu8"),
            ("Box<dyn Future<Output = u8> + Unpin + 'a>", "Boxedu8"),
            ("own::BoxFuture<Result<u8, E>>", "PinnedResult<u8,E>"),
            ("own::BoxFuture<'a>", "Pinned_"),
            ("Option<BoxFuture<'a, u8>>", "valueOption<BoxFuture<'a,u8>>"),
            ("Pin<Box<dyn Stream<Item = u8>>>", "valuePin<Box<dynStream<Item=u8>>>"),
            (
                "Pin<Box<dyn Fn() -> Pin<Box<dyn Future<Output = u8>>>>>",
                "valuePin<Box<dynFn()->Pin<Box<dynFuture<Output=u8>>>>>",
            ),
            ("Pin<Box<Ready<u8>>>", "valuePin<Box<Ready<u8>>>"),
            ("<T as Fetch<Future<u8>>>::Answer", "value<TasFetch<Future<u8>>>::Answer"),
        ] {
            assert_eq!(read(text), output, "{text}");
        }
    }

    #[test]
    fn finds_the_async_block_at_the_end() {
        for (body, found) in [
            ("async { 1 }", true),
            ("let a = 1; async move { a }", true),
            ("if a { b() } async move { a }", true),
            ("Box::pin(async move { a })", true),
            ("log(); std::boxed::Box::pin(async { a },)", true),
            ("async move { a }.boxed()", true),
            ("if a { b() } ::std::boxed::Box::pin(async { a })", true),
            ("*slot = Box::pin(async move { a })", false),
            ("*slot = std::boxed::Box::pin(async move { a })", false),
            ("|x| Box::pin(async move { x })", false),
            ("|x| async move { x }", false),
            ("a; move || ::std::boxed::Box::pin(async move { x })", false),
            ("let x = 1; slot = Box::pin(async {}).boxed()", false),
            ("x == Box::pin(async {})", false),
            ("client.get(async { a })", false),
            ("let f = async { a }; f", false),
            ("return async { a }", false),
            ("ready(1)", false),
            ("", false),
        ] {
            assert_eq!(AsyncTail::find(&tokens(body)).is_some(), found, "{body}");
        }
    }
}
