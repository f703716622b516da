//! Arbitrary tokens in the attribute and behind it: whatever stands there, the macro does not panic.
//! It gives the function with its new body, or the tokens untouched and what is wrong with them; and
//! what the compiler could read before, it can read afterwards.
//!
//! The tokens are random ones, or those of real uses with a few random changes. `PROPTEST_CASES` says
//! how many are tried; those that once failed are kept in `proptest-regressions/`.

use crate::duration;
use crate::function::Function;
use crate::keys::KEYS;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::fmt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;

/// A token as proptest needs it: one that can be cloned between threads, and shown with the groups
/// that are not seen in source.
#[derive(Clone)]
enum Tree {
    Word(String),
    Sign(char, Spacing),
    Literal(String),
    Lifetime(String),
    Group(Delimiter, Vec<Tree>),
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group(Delimiter::None, inside) => write!(f, "None{inside:?}"),
            Self::Group(_, inside) => write!(f, "Group{inside:?}"),
            _ => write!(f, "{}", tokens(std::slice::from_ref(self))),
        }
    }
}

#[derive(Debug, Clone)]
enum Change {
    Delete,
    Duplicate,
    SwapWithNext,
    Nest(Delimiter),
    Insert(Tree),
    Replace(Tree),
}

/// What is written between the parentheses of the attribute.
const ATTRIBUTES: [&str; 14] = [
    "",
    "threshold = 20, rate = 0.5, window = \"30s\", cooldown = \"15s\", probes = 3",
    "window = 100, threshold = LIMIT, rate = 1, jitter = 0.2, max_cooldown = \"1m 30s\",",
    "slow_call = Duration::from_secs(2), slow_rate = 0.8, consecutive = 5, max_failures = 1_000",
    "probe_concurrency = 1, probe_timeout = \"60s\", cancelled = Failure, name = \"payments\"",
    "classify = |result: &Result<A, B>| -> Outcome { judge(result) }, cancelled = Cancelled::Ignored",
    "failure_if = Error::is_timeout, fallback = Self::cached, on_transition = log_transition",
    "fallback = async move |rejected| Err(Error::from(rejected)), timeout = \"2s\"",
    "fallback = |rejected| panic!(\"{rejected}\")",
    "breaker = &self.breaker, failure_if = <E as Fault<A, B>>::is_timeout",
    "breaker = &crate::PAYMENTS, timeout = if a < b { LONG } else { SHORT }",
    "key = request.host(), capacity = 10_000, threshold = size_of::<Pair<u8, u8>>() as u32",
    "handle = payments_breaker, crate = ::renamed::breakerbox, rate = -SHARE * 2.0",
    "handle = Self::breaker, name = r#\"raw\"#, rate = 1e-3, threshold = 0x14u32",
];

/// What the attribute stands before.
const FUNCTIONS: [&str; 12] = [
    "fn charge() -> Result<(), Error> { pay() }",
    "#[inline] #[cfg(unix)] pub(crate) async fn charge(&self, mut card: Card, _: Key) -> Result<u32, Error> { #![allow(x)] pay(card).await? }",
    "unsafe extern \"C\" fn charge<'a, T: Into<Card>, const N: usize>((a, B { c, d: e, .. }): (&'a T, B), [f, ..]: [u8; N]) -> Result<&'a T, Error> where T: Send { return Ok(a); }",
    "fn charge(card: Card) -> impl Future<Output = Result<(), Error>> + Send + 'static { log(); async move { pay(card).await } }",
    "fn charge(self: Pin<&mut Self>, #[cfg(unix)] card: Card) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + '_>> { Box::pin(async move { pay(card).await }) }",
    "fn charge(&'a mut self, ref card: Card) -> BoxFuture<'a, Result<Vec<u8>, Error>> { if x { return y; } async { pay().await }.boxed() }",
    "async fn charge(pay: impl Fn(&Card) -> u8, f: fn(u8) -> u8) -> Result<impl Iterator<Item = (u8, u8)> + '_, Error> { Ok(pay) }",
    "pub fn charge(_: &str, _card @ Card { .. }: Card) -> ! { loop { std::process::exit(1) } }",
    "fn r#type(r#fn: u8) { println!(\"{fn} {card:?}\"); }",
    "pub const unsafe fn charge<T>() -> [u8; { N }] where [u8; N]: Sized, T: Fn() -> u8 { [0; N] }",
    "struct Card { number: u64 }",
    "async fn charge(&self) -> Result<(), Error>;",
];

const WORDS: [&str; 44] = [
    "fn",
    "async",
    "const",
    "unsafe",
    "safe",
    "extern",
    "default",
    "pub",
    "crate",
    "self",
    "Self",
    "super",
    "mut",
    "ref",
    "impl",
    "dyn",
    "where",
    "for",
    "return",
    "move",
    "static",
    "as",
    "_",
    "true",
    "false",
    "struct",
    "trait",
    "macro_rules",
    "cfg",
    "Future",
    "Output",
    "Box",
    "Pin",
    "pin",
    "BoxFuture",
    "boxed",
    "Failure",
    "LIMIT",
    "card",
    "rejected",
    "r#type",
    "r#fn",
    "größe",
    "if",
];

const SIGNS: &str = "=,:;<>&|!?#.-+*/@$~^%";

const LITERALS: [&str; 40] = [
    "0",
    "1",
    "20",
    "08",
    "0x14",
    "0b10",
    "0o7",
    "1_000",
    "1_",
    "5u32",
    "5u64",
    "15s",
    "0xffs",
    "4294967296",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0.5",
    "1.",
    "1.5f64",
    "0.5f32",
    "1e400",
    "1e-400",
    "1e3",
    "2e5s",
    "99999999999999999999.0",
    "\"15s\"",
    "\"1m 30s\"",
    "\"\"",
    "\" \"",
    "\"20\"",
    "\"50%\"",
    "\"1,5 s\"",
    "\"15s\"x",
    "r##\"15s\"#\"##",
    "b\"15s\"",
    "br\"x\"",
    "c\"x\"",
    "b'x'",
    "'c'",
    "\"{card} {{ \u{1f980} \\u{1f980} \\x41 \\\n  a\"",
];

fn trees() -> impl Strategy<Value = Vec<Tree>> {
    vec(tree(), 0..12)
}

fn tree() -> impl Strategy<Value = Tree> {
    let signs: Vec<char> = SIGNS.chars().collect();
    let keys: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
    let leaf = prop_oneof![
        3 => select(&WORDS[..]).prop_map(|word| Tree::Word(word.to_owned())),
        3 => select(keys).prop_map(|word| Tree::Word(word.to_owned())),
        4 => (select(signs), select(&[Spacing::Alone, Spacing::Joint][..]))
            .prop_map(|(sign, spacing)| Tree::Sign(sign, spacing)),
        3 => Just(Tree::Sign('=', Spacing::Alone)),
        2 => Just(Tree::Sign(',', Spacing::Alone)),
        4 => literal(),
        1 => select(&["a", "static", "_"][..]).prop_map(|name| Tree::Lifetime(name.to_owned())),
    ];
    leaf.prop_recursive(4, 32, 6, |inside| {
        (delimiter(), vec(inside, 0..6)).prop_map(|(around, inside)| Tree::Group(around, inside))
    })
}

fn delimiter() -> impl Strategy<Value = Delimiter> {
    use Delimiter::{Brace, Bracket, None, Parenthesis};
    select(&[Parenthesis, Brace, Bracket, None][..])
}

fn changes(most: usize) -> impl Strategy<Value = Vec<(Index, Change)>> {
    let change = prop_oneof![
        Just(Change::Delete),
        Just(Change::Duplicate),
        Just(Change::SwapWithNext),
        delimiter().prop_map(Change::Nest),
        tree().prop_map(Change::Insert),
        tree().prop_map(Change::Replace),
    ];
    vec((any::<Index>(), change), 0..=most)
}

/// Real tokens, with a few changes.
fn changed(texts: &'static [&'static str], most: usize) -> impl Strategy<Value = Vec<Tree>> {
    (select(texts), changes(most)).prop_map(|(text, changes)| {
        let mut trees = read(text.parse().expect("tokens"));
        for (place, change) in changes {
            let size = size(&trees);
            if size > 0 {
                apply(&change, &mut trees, &mut place.index(size));
            }
        }
        trees
    })
}

fn attributes() -> impl Strategy<Value = Vec<Tree>> {
    prop_oneof![1 => trees(), 2 => pairs(), 3 => changed(&ATTRIBUTES, 4)]
}

/// Keys that there are, each with any value, most of them literals.
fn pairs() -> impl Strategy<Value = Vec<Tree>> {
    let keys: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
    let value =
        prop_oneof![4 => literal().prop_map(|literal| vec![literal]), 1 => vec(tree(), 0..4)];
    let negative = prop::bool::weighted(0.2);
    let pair = (select(keys), negative, value).prop_map(|(key, negative, value)| {
        let sign = |sign| Tree::Sign(sign, Spacing::Alone);
        let minus = negative.then(|| sign('-'));
        let start = [Tree::Word(key.to_owned()), sign('=')];
        start.into_iter().chain(minus).chain(value).chain([sign(',')]).collect::<Vec<_>>()
    });
    vec(pair, 0..6).prop_map(|pairs| pairs.concat())
}

fn literal() -> impl Strategy<Value = Tree> {
    select(&LITERALS[..]).prop_map(|literal| Tree::Literal(literal.to_owned()))
}

fn items() -> impl Strategy<Value = Vec<Tree>> {
    prop_oneof![1 => trees(), 3 => changed(&FUNCTIONS, 4)]
}

/// How many tokens there are, those in groups too.
fn size(trees: &[Tree]) -> usize {
    let of = |tree: &Tree| match tree {
        Tree::Group(_, inside) => 1 + size(inside),
        _ => 1,
    };
    trees.iter().map(of).sum()
}

/// Whether macro expansion could have made these tokens: it puts groups without delimiters around
/// whole expressions and types only.
fn are_natural(trees: &[Tree]) -> bool {
    trees.iter().all(|tree| match tree {
        Tree::Group(around, inside) => {
            let is_whole = || {
                let inside = tokens(inside);
                syn::parse2::<syn::Expr>(inside.clone()).is_ok()
                    || syn::parse2::<syn::Type>(inside).is_ok()
            };
            are_natural(inside) && (*around != Delimiter::None || is_whole())
        }
        _ => true,
    })
}

/// Changes the token at `place`, counted through all groups. Says whether it was found.
fn apply(change: &Change, trees: &mut Vec<Tree>, place: &mut usize) -> bool {
    for index in 0..trees.len() {
        if *place == 0 {
            match change {
                Change::Delete => drop(trees.remove(index)),
                Change::Duplicate => trees.insert(index, trees[index].clone()),
                Change::SwapWithNext => {
                    let next = (index + 1) % trees.len();
                    trees.swap(index, next);
                }
                Change::Nest(around) => {
                    trees[index] = Tree::Group(*around, vec![trees[index].clone()]);
                }
                Change::Insert(tree) => trees.insert(index, tree.clone()),
                Change::Replace(tree) => trees[index] = tree.clone(),
            }
            return true;
        }
        *place -= 1;
        if let Tree::Group(_, inside) = &mut trees[index] {
            if apply(change, inside, place) {
                return true;
            }
        }
    }
    false
}

fn read(tokens: TokenStream) -> Vec<Tree> {
    let trees = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(word) => Tree::Word(word.to_string()),
        TokenTree::Punct(punct) => Tree::Sign(punct.as_char(), punct.spacing()),
        TokenTree::Literal(literal) => Tree::Literal(literal.to_string()),
        TokenTree::Group(group) => Tree::Group(group.delimiter(), read(group.stream())),
    });
    trees.collect()
}

fn tokens(trees: &[Tree]) -> TokenStream {
    let mut tokens = TokenStream::new();
    let word = |word: &str| match word.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(word, Span::call_site()),
    };
    for tree in trees {
        match tree {
            Tree::Word(text) => tokens.extend([TokenTree::from(word(text))]),
            Tree::Sign(sign, spacing) => {
                tokens.extend([TokenTree::from(Punct::new(*sign, *spacing))]);
            }
            Tree::Literal(text) => {
                let literal: Literal = text.parse().expect("a literal");
                tokens.extend([TokenTree::from(literal)]);
            }
            Tree::Lifetime(name) => {
                let quote = TokenTree::from(Punct::new('\'', Spacing::Joint));
                tokens.extend([quote, TokenTree::from(word(name))]);
            }
            Tree::Group(around, inside) => {
                tokens.extend([TokenTree::from(Group::new(*around, self::tokens(inside)))]);
            }
        }
    }
    tokens
}

/// What the macro makes of it, once it is seen to be one of the three things that it may be: the
/// function with a new body, the item and errors, or the item alone if its signature is half typed.
fn protected(attribute: &TokenStream, item: &TokenStream) -> Result<TokenStream, TestCaseError> {
    let made = crate::protect(attribute.clone(), item.clone());
    let length = item.clone().into_iter().count();
    let kept: TokenStream = made.clone().into_iter().take(length).collect();
    let rest: TokenStream = made.clone().into_iter().skip(length).collect();
    let is_untouched = kept.to_string() == item.to_string();
    match syn::parse2::<syn::File>(rest) {
        Ok(errors) if is_untouched && !errors.items.is_empty() => {
            for error in errors.items {
                let syn::Item::Macro(error) = error else {
                    return Err(TestCaseError::fail(format!("no error: {made}")));
                };
                let path = &error.mac.path;
                prop_assert!(
                    path.segments.last().is_some_and(|name| name.ident == "compile_error")
                );
                let message: syn::LitStr = error.mac.parse_body().expect("a message");
                prop_assert!(!message.value().trim().is_empty());
            }
        }
        _ => {
            let function = Function::parse(item.clone());
            prop_assert!(function.is_ok(), "expanded: {made}");
            if is_untouched && function.is_ok_and(|function| function.is_none()) {
                return Ok(made);
            }
            prop_assert!(made.to_string().contains("__private"), "not expanded: {made}");
        }
    }
    Ok(made)
}

/// Whether the compiler could read the attribute, if it were one of values only.
fn is_readable(attribute: &TokenStream) -> bool {
    struct Argument;
    impl syn::parse::Parse for Argument {
        fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
            use syn::ext::IdentExt;
            input.call(Ident::parse_any)?;
            input.parse::<syn::Token![=]>()?;
            input.parse::<syn::Expr>().map(|_| Self)
        }
    }
    Punctuated::<Argument, syn::Token![,]>::parse_terminated.parse2(attribute.clone()).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn any_attribute_before_any_item(attribute in attributes(), item in items()) {
        protected(&tokens(&attribute), &tokens(&item))?;
    }

    #[test]
    fn what_can_be_read_before_can_be_read_afterwards(
        attribute in prop_oneof![pairs(), changed(&ATTRIBUTES, 1)],
        item in changed(&FUNCTIONS, 1),
    ) {
        let is_natural = are_natural(&attribute) && are_natural(&item);
        let (attribute, item) = (tokens(&attribute), tokens(&item));
        let made = protected(&attribute, &item)?;
        let is_item = || syn::parse2::<syn::Item>(item.clone()).is_ok();
        if is_natural && is_readable(&attribute) && is_item() {
            let fault = syn::parse2::<syn::File>(made.clone()).err();
            prop_assert!(fault.is_none(), "{fault:?}\n#[circuit_breaker({attribute})]\n{item}\n{made}");
        }
    }

    #[test]
    fn any_text_as_a_duration(
        text in prop_oneof![any::<String>(), "([0-9]{0,22}[ .,_-]?(h|m|s|ms|us|µs|ns|d|x|S)? ?){0,6}"],
    ) {
        if let Err(message) = duration::parse(&text) {
            prop_assert!(!message.is_empty());
        }
    }

    #[test]
    fn a_duration_is_the_sum_of_its_parts(nanoseconds: u64) {
        let units = [
            ("h", 3_600_000_000_000),
            ("m", 60_000_000_000),
            ("s", 1_000_000_000),
            ("ms", 1_000_000),
            ("us", 1_000),
            ("ns", 1),
        ];
        let mut left = nanoseconds;
        let parts = units.map(|(unit, length)| {
            let part = format!("{}{unit}", left / length);
            left %= length;
            part
        });
        prop_assert_eq!(duration::parse(&parts.join(" ")), Ok(nanoseconds));
    }
}

#[test]
fn what_is_nested_deeply() {
    for around in [Delimiter::None, Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket] {
        let nested = |inside: TokenStream| {
            let nest = |inside, _| TokenStream::from(TokenTree::from(Group::new(around, inside)));
            (0..500).fold(inside, nest)
        };
        for attribute in ATTRIBUTES {
            for function in FUNCTIONS {
                let attribute: TokenStream = attribute.parse().expect("tokens");
                let function: TokenStream = function.parse().expect("tokens");
                protected(&nested(attribute.clone()), &function).expect("nested attribute");
                protected(&attribute, &nested(function.clone())).expect("nested function");
            }
        }
        let value: TokenStream = "threshold = ".parse().expect("tokens");
        let value = value.into_iter().chain(nested("20".parse().expect("tokens"))).collect();
        let function = FUNCTIONS[0].parse().expect("tokens");
        protected(&value, &function).expect("nested value");
    }
}

/// Few by default, so that the tests stay quick; CI asks for many more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1_000)
}
