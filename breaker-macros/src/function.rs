//! The annotated function: its signature is taken apart as tokens, its body is not looked into.
//!
//! ```text
//! #[inline] pub async fn charge(&self, mut card: Card) -> Result<Receipt, Error> { … }
//! attributes  head …     name   parameters                output                   body
//! ```
//!
//! `head` is everything from the visibility to the body, and is printed as it came. A body that does
//! not parse, such as one that is being typed, does no harm.

use crate::output::{AsyncTail, Output};
use crate::tokens::{
    angle_depth, angle_length, group, is_pair, is_sign, is_word, split, stream, unwrapped,
};
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Error;
use syn::ext::IdentExt;

/// What the expansion needs to know of a function.
pub(crate) struct Function {
    /// The attributes before it, as they came.
    pub(crate) attributes: TokenStream,
    /// What of them may remove it.
    pub(crate) condition: Condition,
    pub(crate) visibility: TokenStream,
    /// From the visibility to the body.
    pub(crate) head: Vec<TokenTree>,
    /// Whether it is an `async fn`.
    pub(crate) is_async: bool,
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Parameter>,
    /// The type behind `->`, or nothing.
    pub(crate) returned: Vec<TokenTree>,
    pub(crate) body: Group,
}

/// One parameter.
pub(crate) struct Parameter {
    /// What of its attributes may remove it.
    pub(crate) condition: Condition,
    /// The pattern; for a receiver, the word `self` alone.
    pub(crate) pattern: Vec<TokenTree>,
    /// Whether there may be something to drop, as far as tokens tell.
    pub(crate) may_drop: bool,
}

/// On what it depends whether something is there: on all of these, each from a `#[cfg(…)]`.
pub(crate) struct Condition(Vec<TokenStream>);

/// The types that never have anything to drop.
const PRIMITIVES: [&str; 16] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32",
    "u64", "u128", "usize",
];

impl Function {
    /// Takes a function apart; nothing comes of a signature that is being typed, of which the
    /// compiler says all there is to say.
    pub(crate) fn parse(item: TokenStream) -> Result<Option<Self>, Error> {
        let tokens = unwrapped(item);
        let start = attributes_length(&tokens);
        let (attributes, rest) = tokens.split_at(start);
        let word = rest.iter().position(|token| is_word(Some(token), "fn"));
        let Some(fn_index) = word.filter(|index| are_qualifiers(&rest[..*index])) else {
            return Err(not_a_function(rest));
        };
        let qualifiers = &rest[..fn_index];
        if let Some(word) = qualifiers.iter().find(|token| is_word(Some(token), "const")) {
            return Err(Error::new_spanned(
                word,
                "a `const fn` can run while the program is compiled, where there is no breaker to \
                 ask: remove `const`, or protect the function that makes the call",
            ));
        }
        let Some(TokenTree::Ident(name)) = rest.get(fn_index + 1) else {
            return Err(not_a_function(rest));
        };
        let mut index = fn_index + 2;
        if is_sign(rest.get(index), '<') {
            index += angle_length(&rest[index..]);
        }
        let Some(parameters) = group(rest.get(index), Delimiter::Parenthesis) else {
            return Ok(None);
        };
        let behind = index + 1;
        let Some(body_index) = body_position(&rest[behind..]).map(|position| behind + position)
        else {
            return Err(Error::new_spanned(
                stream(&rest[fn_index..fn_index + 2]),
                "this function has no body to protect: put `#[circuit_breaker]` where it is \
                 implemented",
            ));
        };
        if !is_return_type(&rest[behind..body_index]) || !are_typed(&parameters) {
            return Ok(None);
        }
        let body = group(rest.get(body_index), Delimiter::Brace);
        let body = body.ok_or_else(|| not_a_function(rest))?;
        let (parameters, named) = parameters_of(&parameters);
        let mut head = rest[..body_index].to_vec();
        head[index] = TokenTree::Group(named);
        let visibility = &qualifiers[..visibility_length(qualifiers)];
        Ok(Some(Self {
            attributes: stream(attributes),
            condition: Condition::read(attributes),
            visibility: stream(visibility),
            head,
            is_async: qualifiers.iter().any(|token| is_word(Some(token), "async")),
            name: name.clone(),
            parameters,
            returned: returned(&rest[behind..body_index]),
            body,
        }))
    }

    /// What a call gives back.
    pub(crate) fn output(&self) -> Output {
        Output::read(&self.returned, self.name.span())
    }

    /// Whether the body ends in an `async` block, whose future the function returns.
    pub(crate) fn ends_in_future(&self) -> bool {
        AsyncTail::find(&self.body.stream().into_iter().collect::<Vec<_>>()).is_some()
    }

    /// The receiver's `self`, as the function wrote it.
    pub(crate) fn receiver(&self) -> Option<&TokenTree> {
        match self.parameters.first()?.pattern.as_slice() {
            [only] if is_word(Some(only), "self") => Some(only),
            _ => None,
        }
    }
}

impl Condition {
    /// Reads it off the attributes: `#[cfg(…)]`, also in a `#[cfg_attr(…)]`.
    fn read(attributes: &[TokenTree]) -> Self {
        let attributes = attributes.chunks(2).filter_map(|attribute| {
            group(attribute.get(1), Delimiter::Bracket).map(|inside| inside.stream())
        });
        Self(attributes.flat_map(predicates).collect())
    }

    /// Whether it is there in any case.
    pub(crate) fn is_always(&self) -> bool {
        self.0.is_empty()
    }

    /// The attribute for what is there when this is not.
    pub(crate) fn otherwise(&self) -> TokenStream {
        let all = &self.0;
        quote!(#[cfg(not(all(#(#all),*)))])
    }
}

impl ToTokens for Condition {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let all = &self.0;
        tokens.extend(quote!(#(#[cfg(#all)])*));
    }
}

/// What the `cfg` in an attribute asks for: `b` in `cfg(b)`, `any(not(a), b)` in
/// `cfg_attr(a, cfg(b))`.
fn predicates(attribute: TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = attribute.into_iter().collect();
    let [word, inside] = tokens.as_slice() else { return Vec::new() };
    let Some(inside) = group(Some(inside), Delimiter::Parenthesis) else { return Vec::new() };
    let inside: Vec<TokenTree> = inside.stream().into_iter().collect();
    if is_word(Some(word), "cfg") {
        let predicates = split(&inside, ',').into_iter().map(stream);
        return predicates.collect();
    }
    let parts = split(&inside, ',');
    let Some((asked, given)) = parts.split_first().filter(|_| is_word(Some(word), "cfg_attr"))
    else {
        return Vec::new();
    };
    let asked = stream(asked);
    let given = given.iter().flat_map(|attribute| predicates(stream(attribute)));
    given.map(|predicate| quote!(any(not(#asked), #predicate))).collect()
}

impl Parameter {
    fn read(tokens: &[TokenTree]) -> Self {
        let (attributes, rest) = tokens.split_at(attributes_length(tokens));
        let (pattern, type_of_it) = rest.split_at(colon(rest));
        let pattern = unwrapped(stream(pattern));
        let may_drop = match type_of_it {
            [_colon, name @ ..] => may_drop(name),
            _ => may_drop(&pattern),
        };
        let receiver = pattern.iter().find(|token| is_word(Some(token), "self")).cloned();
        Self {
            condition: Condition::read(attributes),
            pattern: receiver.map_or(pattern, |word| vec![word]),
            may_drop,
        }
    }

    /// The names that the pattern binds, as far as tokens tell: none that an attribute may remove,
    /// and none written as a constant is.
    pub(crate) fn bindings(&self) -> Vec<Ident> {
        bindings(&self.pattern, false)
    }
}

/// The parameters, and their group with a name given to each `_` that may hold something to drop.
///
/// A closure can only capture what has a name, and only what it captures is dropped in turn.
fn parameters_of(group: &Group) -> (Vec<Parameter>, Group) {
    let mut parameters = Vec::new();
    let mut tokens = Vec::new();
    let inside = unwrapped(group.stream());
    for (index, part) in split(&inside, ',').into_iter().enumerate() {
        let mut part = part.to_vec();
        let start = attributes_length(&part);
        if is_word(part.get(start), "_") && may_drop(part.get(start + 2..).unwrap_or_default()) {
            let name = Ident::new(&format!("__argument_{}", index + 1), part[start].span());
            part[start] = TokenTree::Ident(name);
        }
        parameters.push(Parameter::read(&part));
        tokens.extend(part);
        tokens.push(TokenTree::Punct(Punct::new(',', Spacing::Alone)));
    }
    if !is_sign(inside.last(), ',') {
        tokens.pop();
    }
    let mut named = Group::new(Delimiter::Parenthesis, tokens.into_iter().collect());
    named.set_span(group.span());
    (parameters, named)
}

/// Whether a value of this type may have something to drop: whatever is no reference, pointer or
/// primitive.
fn may_drop(type_tokens: &[TokenTree]) -> bool {
    match unwrapped(stream(type_tokens)).as_slice() {
        [sign, ..] if is_sign(Some(sign), '&') || is_sign(Some(sign), '*') => false,
        [TokenTree::Ident(name)] => !PRIMITIVES.iter().any(|primitive| name == primitive),
        _ => true,
    }
}

/// The names bound by a pattern; in braces, `field: pattern` binds only in the pattern.
fn bindings(pattern: &[TokenTree], in_braces: bool) -> Vec<Ident> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut is_conditional = false;
    for (index, token) in pattern.iter().enumerate() {
        // In `Pair { #[cfg(unix)] left, right }` the `left` may not be there.
        is_conditional =
            !is_sign(Some(token), ',') && (is_conditional || is_sign(Some(token), '#'));
        if is_conditional {
            continue;
        }
        let next = pattern.get(index + 1);
        // In `Pair::<T>(x)` the `T` is no name.
        depth = angle_depth(depth, token, index.checked_sub(1).map(|before| &pattern[before]));
        if depth > 0 {
            continue;
        }
        match token {
            TokenTree::Group(group) => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                names.extend(bindings(&inside, group.delimiter() == Delimiter::Brace));
            }
            TokenTree::Ident(word) => {
                let is_keyword = ["ref", "mut", "_"].iter().any(|keyword| word == keyword);
                let is_path = is_pair(&pattern[index + 1..], [':', ':'])
                    || index > 1 && is_pair(&pattern[index - 2..], [':', ':']);
                let is_field = in_braces && is_sign(next, ':');
                let is_struct = matches!(next, Some(TokenTree::Group(_)));
                let is_macro = is_sign(next, '!');
                if is_macro {
                    break;
                }
                // A constant, or a unit struct, of which the type may not be clear by itself.
                let is_constant = word.unraw().to_string().starts_with(char::is_uppercase);
                if !(is_keyword || is_path || is_field || is_struct || is_constant) {
                    names.push(word.clone());
                }
            }
            _ => {}
        }
    }
    names
}

/// The type in `-> Type where …`.
fn returned(tokens: &[TokenTree]) -> Vec<TokenTree> {
    if !is_pair(tokens, ['-', '>']) {
        return Vec::new();
    }
    let tokens = &tokens[2..];
    let end = tokens.iter().position(|token| is_word(Some(token), "where"));
    tokens[..end.unwrap_or(tokens.len())].to_vec()
}

/// Whether these tokens can stand between parameters and body: `-> Type where …`.
fn is_return_type(tokens: &[TokenTree]) -> bool {
    match tokens.first() {
        None => true,
        Some(word) if is_word(Some(word), "where") => true,
        Some(_) => is_type(&returned(tokens)),
    }
}

/// Whether each parameter is `self` or has a type.
fn are_typed(group: &Group) -> bool {
    let inside = unwrapped(group.stream());
    split(&inside, ',').into_iter().all(|part| {
        let pattern = &part[attributes_length(part)..];
        let colon = colon(pattern);
        let is_receiver = pattern[..colon].iter().any(|token| is_word(Some(token), "self"));
        match pattern.get(colon + 1..) {
            Some(type_of_it) => is_type(type_of_it),
            None => is_receiver,
        }
    })
}

/// Whether these tokens may be a type: neither nothing, nor `_`, nor the beginning of one.
fn is_type(tokens: &[TokenTree]) -> bool {
    let is_begun = ["mut", "impl", "dyn"].iter().any(|word| is_word(tokens.last(), word))
        || is_sign(tokens.last(), '&');
    let is_unknown = tokens.len() == 1 && is_word(tokens.last(), "_");
    !(tokens.is_empty() || is_begun || is_unknown)
}

/// Where the `:` between a pattern and its type stands, or the end.
fn colon(tokens: &[TokenTree]) -> usize {
    let is_colon = |index: &usize| {
        is_sign(tokens.get(*index), ':')
            && !is_pair(&tokens[*index..], [':', ':'])
            && !(*index > 0 && is_pair(&tokens[*index - 1..], [':', ':']))
    };
    (0..tokens.len()).find(is_colon).unwrap_or(tokens.len())
}

/// Where the body stands: the first braces outside `<…>`.
fn body_position(tokens: &[TokenTree]) -> Option<usize> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        depth = angle_depth(depth, token, index.checked_sub(1).map(|before| &tokens[before]));
        if depth == 0 && group(Some(token), Delimiter::Brace).is_some() {
            return Some(index);
        }
    }
    None
}

/// The length of the `#[…]` at the front.
fn attributes_length(tokens: &[TokenTree]) -> usize {
    let mut length = 0;
    while is_sign(tokens.get(length), '#')
        && group(tokens.get(length + 1), Delimiter::Bracket).is_some()
    {
        length += 2;
    }
    length
}

/// The length of `pub`, `pub(crate)` or a `$vis`.
fn visibility_length(qualifiers: &[TokenTree]) -> usize {
    match qualifiers {
        [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::None => 1,
        [word, scope, ..] if is_word(Some(word), "pub") => {
            1 + usize::from(group(Some(scope), Delimiter::Parenthesis).is_some())
        }
        [word, ..] if is_word(Some(word), "pub") => 1,
        _ => 0,
    }
}

/// Whether these tokens may stand before `fn`.
fn are_qualifiers(tokens: &[TokenTree]) -> bool {
    tokens[visibility_length(tokens)..].iter().all(|token| match token {
        TokenTree::Ident(word) => {
            ["default", "const", "async", "unsafe", "safe", "extern"].iter().any(|w| word == w)
        }
        TokenTree::Literal(_) => true,
        TokenTree::Group(group) => group.delimiter() == Delimiter::None,
        TokenTree::Punct(_) => false,
    })
}

/// The error at whatever else was annotated.
fn not_a_function(tokens: &[TokenTree]) -> Error {
    let kinds = [
        ("impl", "an `impl`: put it on the methods inside that make calls"),
        ("trait", "a trait: put it on the methods inside that have a body"),
        ("struct", "a struct"),
        ("enum", "an enum"),
        ("union", "a union"),
        ("mod", "a module: put it on the functions inside that make calls"),
        ("static", "a static"),
        ("type", "a type alias"),
        ("use", "a `use`"),
        ("extern", "an `extern` block or crate"),
        ("macro_rules", "a macro"),
        ("const", "a constant"),
        ("let", "a statement"),
    ];
    let found = tokens.iter().find_map(|token| match token {
        TokenTree::Ident(word) => {
            kinds.iter().find(|(kind, _)| word == kind).map(|kind| (word, kind.1))
        }
        _ => None,
    });
    match found {
        Some((word, kind)) => Error::new_spanned(
            word,
            format!("`#[circuit_breaker]` protects a function, and this is {kind}"),
        ),
        None => Error::new_spanned(
            stream(tokens),
            "`#[circuit_breaker]` protects a function: put it before a `fn` with a body",
        ),
    }
}
