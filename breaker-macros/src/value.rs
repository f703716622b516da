//! One value: its tokens become a literal that is judged here, or a constant that the compiler will
//! judge.
//!
//! ```text
//! threshold = 20      literal: Integer(20)        tokens: 20
//! cooldown = "15s"    literal: Nanoseconds(15e9)  tokens: Duration::from_secs(15)
//! threshold = LIMIT   literal: none               tokens: LIMIT
//! threshold = 0       error at `0`
//! ```

use crate::duration;
use crate::keys::Key;
use crate::tokens::{ends, is_sign, unwrapped};
use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{Error, Lit};

/// A value that the macro has judged, or that const evaluation will judge.
pub(crate) struct Value {
    /// What it is worth, if it was written as a literal.
    pub(crate) literal: Option<Literal>,
    /// How the expansion writes it.
    pub(crate) tokens: TokenStream,
}

/// What a literal is worth.
#[derive(Clone, Copy)]
pub(crate) enum Literal {
    Integer(u64),
    Share,
    Nanoseconds(u64),
}

/// What a key that takes a measure takes.
#[derive(Clone, Copy)]
pub(crate) enum Measure {
    /// A whole number from 1 to this.
    Integer(u64),
    /// A share from this to 1.
    Share(f64),
    /// A duration of at least so many nanoseconds, which messages call so.
    Duration(u64, &'static str),
    /// A duration, or a number of calls.
    Window,
}

/// What stands where a value is expected.
pub(crate) enum Written {
    /// One literal, perhaps with a minus before it.
    Literal { negative: bool, literal: Lit },
    /// Anything else: a constant expression, a path, a closure.
    Code,
}

/// The shortest window by time, in nanoseconds.
const SHORTEST_WINDOW: u64 = 10_000_000;
/// The longest window by count.
pub(crate) const MOST_CALLS: u64 = 1_000_000;

/// Reads the value of `key`, which takes a measure.
pub(crate) fn measure(
    key: &Key,
    measure: Measure,
    private: &TokenStream,
    tokens: TokenStream,
) -> Result<Value, Error> {
    let Written::Literal { negative, literal } = written(&tokens) else {
        let tokens = match measure {
            Measure::Window => {
                let (start, end) = ends(&tokens);
                let given = quote_spanned!(start=> #private::window_given);
                let rest = quote_spanned!(end=> (#tokens).window());
                quote_spanned!(start=> { use #private::NoWindow as _; #given #rest })
            }
            _ => tokens,
        };
        return Ok(Value { literal: None, tokens });
    };
    let judged = match measure {
        Measure::Integer(most) => integer(&literal, negative, most),
        Measure::Share(least) => share(&literal, negative, least),
        Measure::Duration(least, _) => time(&literal, negative, least, private),
        Measure::Window => window(&literal, negative, private),
    };
    judged.map_err(|fault| {
        let written = quoted(&tokens);
        let wrong = match fault {
            Fault::Kind => format!("{written} does not fit"),
            Fault::Range => format!("{written} is out of range"),
            Fault::Suffix(suffix) => format!("{written} does not fit, as it ends in `{suffix}`"),
            Fault::Says(wrong) => wrong,
        };
        refused(key, &tokens, &wrong, &measure.allowed())
    })
}

/// Tells a literal from code.
pub(crate) fn written(tokens: &TokenStream) -> Written {
    let (negative, only) = match unwrapped(tokens.clone()).as_slice() {
        [only] => (false, only.clone()),
        [minus, only] if is_sign(Some(minus), '-') => (true, only.clone()),
        _ => return Written::Code,
    };
    match only {
        TokenTree::Literal(literal) => Written::Literal { negative, literal: Lit::new(literal) },
        TokenTree::Ident(word) if word == "true" || word == "false" => {
            let literal = syn::LitBool::new(word == "true", word.span());
            Written::Literal { negative, literal: Lit::Bool(literal) }
        }
        _ => Written::Code,
    }
}

/// An error at a value: what is wrong, what is allowed, what to write.
pub(crate) fn refused(key: &Key, tokens: &TokenStream, wrong: &str, allowed: &str) -> Error {
    let Key { name, example, .. } = key;
    Error::new_spanned(tokens, format!("{wrong}\n`{name}` takes {allowed}, such as `{example}`"))
}

/// The value as written, for messages.
pub(crate) fn quoted(tokens: &TokenStream) -> String {
    format!("`{}`", tokens.to_string().replace("- ", "-").replace(" :: ", "::"))
}

/// What is wrong with a literal.
enum Fault {
    Kind,
    Range,
    Suffix(String),
    Says(String),
}

fn integer(literal: &Lit, negative: bool, most: u64) -> Result<Value, Fault> {
    let number = match literal {
        Lit::Int(number) => number,
        Lit::Str(text) if text.value().parse::<u64>().is_ok() => {
            return Err(Fault::Says(format!(
                "`{}` is a text: write the number without quotes",
                text.token()
            )));
        }
        _ => return Err(Fault::Kind),
    };
    if !matches!(number.suffix(), "" | "u32") {
        return Err(Fault::Suffix(number.suffix().to_owned()));
    }
    let value = number.base10_parse().ok().filter(|value| !negative && (1..=most).contains(value));
    let value = value.ok_or(Fault::Range)?;
    Ok(Value { literal: Some(Literal::Integer(value)), tokens: quote!(#number) })
}

fn share(literal: &Lit, negative: bool, least: f64) -> Result<Value, Fault> {
    let (digits, suffix) = match literal {
        Lit::Int(number) => (number.base10_digits(), number.suffix()),
        Lit::Float(number) => (number.base10_digits(), number.suffix()),
        Lit::Str(text) => {
            let said = text.value();
            let digits = said.trim_end_matches('%').trim_end();
            let number: f64 = digits.parse().map_err(|_| Fault::Kind)?;
            let is_percent = digits != said || number > 1.0;
            let share = if is_percent { number / 100.0 } else { number };
            return Err(Fault::Says(format!(
                "`{}` is a text: write `{share}`, a number without quotes",
                text.token()
            )));
        }
        _ => return Err(Fault::Kind),
    };
    if !matches!(suffix, "" | "f64") {
        return Err(Fault::Suffix(suffix.to_owned()));
    }
    let value: f64 = digits.parse().map_err(|_| Fault::Kind)?;
    if negative && value != 0.0 {
        return Err(Fault::Range);
    }
    if value > 1.0 && value <= 100.0 {
        let share = value / 100.0;
        return Err(Fault::Says(format!("a share is at most 1 ({value} % is `{share}`)")));
    }
    if !(least..=1.0).contains(&value) {
        return Err(Fault::Range);
    }
    let mut token = proc_macro2::Literal::f64_unsuffixed(value);
    token.set_span(literal.span());
    Ok(Value { literal: Some(Literal::Share), tokens: quote!(#token) })
}

fn time(literal: &Lit, negative: bool, least: u64, private: &TokenStream) -> Result<Value, Fault> {
    let text = match literal {
        Lit::Str(text) if text.suffix().is_empty() => text,
        Lit::Int(number) => return Err(bare_time(&number.token().to_string())),
        Lit::Float(number) => return Err(bare_time(&number.token().to_string())),
        _ => return Err(Fault::Kind),
    };
    if negative {
        return Err(Fault::Kind);
    }
    let nanoseconds = duration::parse(&text.value()).map_err(Fault::Says)?;
    if nanoseconds < least {
        return Err(Fault::Range);
    }
    let (from, count) = match nanoseconds {
        n if n % 1_000_000_000 == 0 => (quote!(from_secs), n / 1_000_000_000),
        n if n % 1_000_000 == 0 => (quote!(from_millis), n / 1_000_000),
        n => (quote!(from_nanos), n),
    };
    let count = proc_macro2::Literal::u64_unsuffixed(count);
    let tokens = quote_spanned!(text.span()=> #private::Duration::#from(#count));
    Ok(Value { literal: Some(Literal::Nanoseconds(nanoseconds)), tokens })
}

/// `15` and `15s` where `"15s"` is meant.
fn bare_time(number: &str) -> Fault {
    let number = number.replace('_', "");
    Fault::Says(if number.ends_with(|sign: char| sign.is_ascii_digit() || sign == '.') {
        format!("`{number}` has no unit and no quotes: write `\"{number}s\"`")
    } else {
        format!("`{number}` has no quotes: write `\"{number}\"`")
    })
}

fn window(literal: &Lit, negative: bool, private: &TokenStream) -> Result<Value, Fault> {
    let (measured, variant) = match literal {
        Lit::Str(_) => (time(literal, negative, SHORTEST_WINDOW, private)?, quote!(Time)),
        Lit::Int(number) if matches!(number.suffix(), "" | "u32") => {
            (integer(literal, negative, MOST_CALLS)?, quote!(Calls))
        }
        Lit::Int(number) => return Err(bare_time(&number.token().to_string())),
        _ => return Err(Fault::Kind),
    };
    let tokens = measured.tokens;
    Ok(Value { tokens: quote!(#private::Window::#variant(#tokens)), ..measured })
}

impl Measure {
    /// What is allowed, in words.
    fn allowed(self) -> String {
        match self {
            Self::Integer(most) => format!("an integer from 1 to {}", grouped(most)),
            Self::Share(least) => format!("a share from {least} to 1"),
            Self::Duration(_, text) => format!("a duration {text}, in quotes and with its unit"),
            Self::Window => format!(
                "a duration of at least 10ms, in quotes and with its unit, or {} (a number of calls)",
                Self::Integer(MOST_CALLS).allowed()
            ),
        }
    }
}

/// A number with `_` between its groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn groups_digits() {
        assert_eq!(grouped(1), "1");
        assert_eq!(grouped(1_000), "1_000");
        assert_eq!(grouped(4_294_967_295), "4_294_967_295");
    }
}
