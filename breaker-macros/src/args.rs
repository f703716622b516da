//! First stage: the attribute's tokens are cut into keys and values.
//!
//! ```text
//! threshold = 20, classify = |r: &Result<A, B>| …, rate = SHARE
//! [threshold] [20]  [classify] [|r: &Result<A, B>| …]  [rate] [SHARE]
//! ```
//!
//! A value is kept as tokens; what it may be is the next stage's affair (`config`). Every fault of
//! form (no `=`, no value, no comma, no key) is noted, and reading goes on behind it.

use crate::errors::Errors;
use crate::keys::{self, Key};
use crate::tokens::{
    angle_depth, angle_length, is_assignment, is_pair, is_sign, is_word, stream, unwrapped,
};
use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};

/// One `key = value`.
pub(crate) struct Argument {
    /// Which key.
    pub(crate) key: &'static Key,
    /// The key as the user wrote it.
    pub(crate) name: Ident,
    /// The tokens of the value; at least one.
    pub(crate) value: TokenStream,
}

/// All of them.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) read: Vec<Argument>,
    /// The keys that were meant, as far as can be told, and could not be read.
    pub(crate) unread: Vec<&'static str>,
}

/// Cuts the attribute's tokens into arguments.
pub(crate) fn read(attribute: TokenStream, errors: &mut Errors) -> Arguments {
    let tokens = unwrapped(attribute);
    let mut arguments = Arguments::default();
    let mut rest = tokens.as_slice();
    while !rest.is_empty() {
        rest = read_one(rest, &mut arguments, errors);
    }
    arguments
}

/// Reads one argument off the front and returns what follows it.
fn read_one<'a>(
    tokens: &'a [TokenTree],
    arguments: &mut Arguments,
    errors: &mut Errors,
) -> &'a [TokenTree] {
    let TokenTree::Ident(name) = &tokens[0] else {
        errors.at(
            &tokens[0],
            "expected a key here, such as `threshold = 20`; the keys are separated by commas",
        );
        return behind_comma(tokens);
    };
    let Some(key) = keys::key(&name.to_string()) else {
        let typed = name.to_string();
        errors.at(name, keys::unknown_key(&typed));
        arguments.unread.extend(keys::nearest(&typed));
        return behind_comma(tokens);
    };
    if !is_assignment(&tokens[1..]) {
        let wrong = match tokens.get(1) {
            None => format!("`{name}` needs a value"),
            Some(next) if is_sign(Some(next), ',') => format!("`{name}` needs a value"),
            Some(_) => format!("expected `=` and a value behind `{name}`"),
        };
        errors.at(name, format!("{wrong}: write `{}`", key.example));
        arguments.unread.push(key.name);
        return behind_comma(tokens);
    }
    let value = &tokens[2..];
    let length = value_length(value);
    if length == 0 {
        errors.at(
            stream(&tokens[..2]),
            format!("`{name}` needs a value behind the `=`: write `{}`", key.example),
        );
        arguments.unread.push(key.name);
    } else {
        let value = stream(&value[..length]);
        arguments.read.push(Argument { key, name: name.clone(), value });
    }
    let rest = &value[length..];
    if let Some(next) = rest.first() {
        if is_sign(Some(next), ';') {
            errors.at(next, "the keys are separated by commas: write `,`");
        } else if !is_sign(Some(next), ',') {
            errors.at(next, format!("expected `,` between the value of `{name}` and this"));
            return if starts_argument(rest) { rest } else { behind_comma(rest) };
        }
    }
    rest.get(1..).unwrap_or_default()
}

/// What follows the argument that could not be read.
fn behind_comma(tokens: &[TokenTree]) -> &[TokenTree] {
    let length = match tokens {
        [_, value @ ..] if is_assignment(value) => 2 + value_length(&value[1..]),
        _ => tokens.iter().position(|token| is_sign(Some(token), ',')).unwrap_or(tokens.len()),
    };
    match tokens[length..].first() {
        Some(comma) if is_sign(Some(comma), ',') => &tokens[length + 1..],
        _ => &tokens[length..],
    }
}

/// How many tokens the value at the front has: up to the comma that ends it, or to the place where
/// such a comma is missing.
fn value_length(tokens: &[TokenTree]) -> usize {
    let mut index = closure_head_length(tokens);
    let mut depth = 0;
    while index < tokens.len() {
        let before = index.checked_sub(1).map(|before| &tokens[before]);
        let ends = [',', ';'].into_iter().any(|sign| is_sign(tokens.get(index), sign));
        if depth == 0 && ends {
            return index;
        }
        if depth == 0 && index > 0 && lacks_comma(before, &tokens[index..]) {
            return index;
        }
        if depth > 0 || opens_generics(before, &tokens[index]) {
            depth = angle_depth(depth, &tokens[index], before);
        }
        index += 1;
    }
    index
}

/// The length of `move |…|` and of a return type, in which commas separate other things than keys.
fn closure_head_length(tokens: &[TokenTree]) -> usize {
    let mut index = 0;
    if is_word(tokens.first(), "for") {
        index = 1 + angle_length(&tokens[1..]);
    }
    while ["static", "async", "move"].iter().any(|word| is_word(tokens.get(index), word)) {
        index += 1;
    }
    if !is_sign(tokens.get(index), '|') {
        return 0;
    }
    index += 1;
    while index < tokens.len() && !is_sign(tokens.get(index), '|') {
        index += 1;
    }
    index = tokens.len().min(index + 1);
    if is_pair(&tokens[index..], ['-', '>']) {
        let braces = tokens[index..].iter().position(|token| {
            matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
        });
        index = braces.map_or(tokens.len(), |position| index + position);
    }
    index
}

/// Whether a comma is missing before `tokens`: an argument starts there, or an operand follows a
/// literal.
fn lacks_comma(before: Option<&TokenTree>, tokens: &[TokenTree]) -> bool {
    let follows_operand =
        matches!(before, Some(TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_)));
    let follows_literal = matches!(before, Some(TokenTree::Literal(_)));
    match &tokens[0] {
        TokenTree::Ident(word) => {
            follows_operand && starts_argument(tokens) || follows_literal && word != "as"
        }
        TokenTree::Literal(_) => follows_literal,
        _ => false,
    }
}

/// Whether `word =` stands at the front.
fn starts_argument(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Ident(_), rest @ ..] if is_assignment(rest))
}

/// Whether this `<` opens generics and is no comparison.
fn opens_generics(before: Option<&TokenTree>, token: &TokenTree) -> bool {
    is_sign(Some(token), '<')
        && match before {
            None => true,
            Some(TokenTree::Punct(punct)) => {
                punct.as_char() != '<' || punct.spacing() == Spacing::Alone
            }
            Some(TokenTree::Ident(word)) => word == "as" || word == "move",
            Some(_) => false,
        }
}
