//! What the other files ask about raw tokens.
//!
//! The function and the values of the keys are kept as tokens, never rebuilt from a syntax tree:
//! what the user half-typed survives, and every token keeps its place and its edition.

use proc_macro2::{Delimiter, Group, Ident, Literal, Spacing, Span, TokenStream, TokenTree};
use syn::Lit;
use syn::ext::IdentExt;

/// The tokens of a stream, with a group that only macro expansion made (`$limit`, `$item`) opened
/// if it is all there is.
pub(crate) fn unwrapped(stream: TokenStream) -> Vec<TokenTree> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            unwrapped(group.stream())
        }
        _ => tokens,
    }
}

/// Whether `token` is the sign `sign`.
pub(crate) fn is_sign(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// Whether `tokens` begins with the two signs of `::`, `->` or the like.
pub(crate) fn is_pair(tokens: &[TokenTree], pair: [char; 2]) -> bool {
    matches!(tokens, [TokenTree::Punct(first), TokenTree::Punct(second), ..]
        if first.spacing() == Spacing::Joint && [first.as_char(), second.as_char()] == pair)
}

/// Whether `tokens` begins with a `=` that assigns (not `==`, not `=>`).
pub(crate) fn is_assignment(tokens: &[TokenTree]) -> bool {
    is_sign(tokens.first(), '=') && !is_pair(tokens, ['=', '=']) && !is_pair(tokens, ['=', '>'])
}

/// Whether `tokens` begins with `+=` or the like.
fn is_compound_assignment(tokens: &[TokenTree]) -> bool {
    let is_shift = is_pair(tokens, ['<', '<']) || is_pair(tokens, ['>', '>']);
    match tokens {
        [_, rest @ ..] if is_shift => is_pair(rest, ['<', '=']) || is_pair(rest, ['>', '=']),
        _ => ['+', '-', '*', '/', '%', '&', '|', '^']
            .iter()
            .any(|sign| is_pair(tokens, [*sign, '='])),
    }
}

/// Whether `token` is the word `word`.
pub(crate) fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == word)
}

/// Whether these tokens are `a::b::c`, perhaps with `::` before.
pub(crate) fn is_path(tokens: &[TokenTree]) -> bool {
    let mut rest = if is_pair(tokens, [':', ':']) { &tokens[2..] } else { tokens };
    loop {
        match rest {
            [TokenTree::Ident(_)] => return true,
            [TokenTree::Ident(_), behind @ ..] if is_pair(behind, [':', ':']) => {
                rest = &behind[2..];
            }
            _ => return false,
        }
    }
}

/// Where the path at the end of these tokens starts: `::std::boxed::Box::pin`.
pub(crate) fn path_start(tokens: &[TokenTree]) -> usize {
    let mut start = tokens.len();
    while start > 0 && matches!(tokens[start - 1], TokenTree::Ident(_)) {
        start -= 1;
        if start < 2 || !is_pair(&tokens[start - 2..], [':', ':']) {
            break;
        }
        start -= 2;
    }
    start
}

/// The group behind `token` if it has that delimiter, whatever macro expansion put around it.
pub(crate) fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<Group> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group.clone()),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::None => {
            match unwrapped(group.stream()).as_slice() {
                [only] => self::group(Some(only), delimiter),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The length of the `<…>` at the start of `tokens`, or of all of them if it never closes.
pub(crate) fn angle_length(tokens: &[TokenTree]) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        depth = angle_depth(depth, token, index.checked_sub(1).map(|before| &tokens[before]));
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// The depth of `<…>` after `token`; the `>` of `->` and `=>` closes none.
pub(crate) fn angle_depth(depth: usize, token: &TokenTree, before: Option<&TokenTree>) -> usize {
    match token {
        TokenTree::Punct(punct) if punct.as_char() == '<' => depth + 1,
        TokenTree::Punct(punct) if punct.as_char() == '>' => {
            let arrow = matches!(before, Some(TokenTree::Punct(before))
                if matches!(before.as_char(), '-' | '=') && before.spacing() == Spacing::Joint);
            if arrow { depth } else { depth.saturating_sub(1) }
        }
        _ => depth,
    }
}

/// Cuts `tokens` at each `sign` that stands outside `<…>`; a trailing one adds no empty part.
pub(crate) fn split(tokens: &[TokenTree], sign: char) -> Vec<&[TokenTree]> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (index, token) in tokens.iter().enumerate() {
        depth = angle_depth(depth, token, index.checked_sub(1).map(|before| &tokens[before]));
        if depth == 0 && is_sign(Some(token), sign) {
            parts.push(&tokens[start..index]);
            start = index + 1;
        }
    }
    if start < tokens.len() {
        parts.push(&tokens[start..]);
    }
    parts
}

/// Whether `word` stands anywhere in `stream`, however deep.
pub(crate) fn mentions(stream: TokenStream, word: &Ident) -> bool {
    count(stream, word) > 0
}

/// Whether a statement `word = …` stands in `stream`, however deep, and `word` elsewhere too.
pub(crate) fn overwrites_and_reads(stream: TokenStream, word: &Ident) -> bool {
    let overwritten = count_overwritten(stream.clone(), word);
    overwritten > 0 && count(stream, word) > overwritten
}

/// Whether a part of `word` is assigned to in `stream`: `word.field = …`, `word.0 += …`.
pub(crate) fn overwrites_part(stream: TokenStream, word: &Ident) -> bool {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    tokens.iter().enumerate().any(|(index, token)| match token {
        TokenTree::Ident(ident) if is_same(ident, word) => {
            let mut rest = &tokens[index + 1..];
            while let [dot, TokenTree::Ident(_) | TokenTree::Literal(_), behind @ ..] = rest {
                if !is_sign(Some(dot), '.') {
                    break;
                }
                rest = behind;
            }
            let has_part = rest.len() + index + 1 < tokens.len();
            has_part && (is_assignment(rest) || is_compound_assignment(rest))
        }
        TokenTree::Group(group) => overwrites_part(group.stream(), word),
        _ => false,
    })
}

/// How often `word` stands in `stream`, but for the names of fields.
fn count(stream: TokenStream, word: &Ident) -> usize {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let is_dot = |index: Option<usize>| index.is_some_and(|index| is_sign(tokens.get(index), '.'));
    let counts = tokens.iter().enumerate().map(|(index, token)| match token {
        // `x.id` is a field, `..id` a range.
        TokenTree::Ident(ident) => {
            let is_field = is_dot(index.checked_sub(1)) && !is_dot(index.checked_sub(2));
            usize::from(is_same(ident, word) && !is_field)
        }
        TokenTree::Group(group) => count(group.stream(), word),
        TokenTree::Literal(literal) => usize::from(is_named_in_format(literal, word)),
        TokenTree::Punct(_) => 0,
    });
    counts.sum()
}

/// How often statements in `stream` assign to `word`: `word = …`, `(word, other) = …`.
fn count_overwritten(stream: TokenStream, word: &Ident) -> usize {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let starts_statement = |index: usize| match index.checked_sub(1).map(|before| &tokens[before]) {
        None | Some(TokenTree::Group(_)) => true,
        // Behind `;`, `=>` or the head of a closure.
        Some(TokenTree::Punct(punct)) => matches!(punct.as_char(), ';' | '>' | '|'),
        Some(_) => false,
    };
    let counts = tokens.iter().enumerate().map(|(index, token)| {
        let is_assigned = is_assignment(&tokens[index + 1..]);
        match token {
            TokenTree::Ident(ident) if is_same(ident, word) && is_assigned => {
                usize::from(starts_statement(index))
            }
            TokenTree::Group(group) => {
                let path = path_start(&tokens[..index]);
                let is_pattern = match &tokens[path..index] {
                    // `[first, ..] = …`, but not `numbers[first] = …`.
                    [] => true,
                    [word] if is_word(Some(word), "let") => false,
                    _ => group.delimiter() != Delimiter::Bracket,
                };
                if is_assigned && is_pattern && starts_statement(path) {
                    count(group.stream(), word)
                } else {
                    count_overwritten(group.stream(), word)
                }
            }
            _ => 0,
        }
    });
    counts.sum()
}

/// Whether both name the same: `name` and `r#name` do.
fn is_same(one: &Ident, other: &Ident) -> bool {
    one == other || one.unraw() == other.unraw()
}

/// Whether `literal` may name `word` as a format string does: `"{word}"`, `"{word:?}"`.
fn is_named_in_format(literal: &Literal, word: &Ident) -> bool {
    let Lit::Str(text) = Lit::new(literal.clone()) else { return false };
    let (text, captured) = (text.value(), format!("{{{}", word.unraw()));
    text.match_indices(&captured).any(|(start, found)| {
        let behind = text[start + found.len()..].trim_start();
        behind.starts_with(['}', ':'])
    })
}

/// Where code begins and ends, for tokens of the expansion that an error about it should underline.
pub(crate) fn ends(tokens: &TokenStream) -> (Span, Span) {
    let mixed = Span::mixed_site();
    let mut spans = tokens.clone().into_iter().map(|token| token.span().resolved_at(mixed));
    let start = spans.next().unwrap_or(mixed);
    (start, spans.last().unwrap_or(start))
}

/// A stream of these tokens.
pub(crate) fn stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}
