//! Second stage: keys and values become [`Settings`], typed and judged.
//!
//! Each value keeps its tokens, so that whatever is found wrong later, by this macro or by the
//! compiler, is underlined where the user wrote it. A new key takes a row in `keys`; one that is no
//! plain measure also takes a field of [`Settings`] and an arm in [`Settings::set`].

use crate::args::{Argument, Arguments};
use crate::errors::Errors;
use crate::fallback::Fallback;
use crate::judge;
use crate::keys::{CAPACITY, Key, WAIT};
use crate::tokens::{is_path, is_sign, stream, unwrapped};
use crate::value::{self, Value, Written, quoted, refused, written};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Error, Lit};

/// Something that the user gave.
pub(crate) struct Given<T> {
    /// The key as written.
    pub(crate) name: Ident,
    pub(crate) value: T,
    /// The value as written.
    pub(crate) tokens: TokenStream,
}

/// Everything that one attribute asks for.
pub(crate) struct Settings {
    /// The path of the facade's hidden module, under which the expansion finds everything.
    pub(crate) private: TokenStream,
    /// The settings of the breaker that take a measure, in the order given.
    pub(crate) measures: Vec<Given<Value>>,
    pub(crate) cancelled: Option<Given<TokenStream>>,
    pub(crate) classify: Option<Given<TokenStream>>,
    pub(crate) failure_if: Option<Given<TokenStream>>,
    pub(crate) fallback: Option<Given<Fallback>>,
    pub(crate) name: Option<Given<TokenStream>>,
    pub(crate) breaker: Option<Given<Lender>>,
    pub(crate) key: Option<Given<TokenStream>>,
    pub(crate) capacity: Option<Given<Value>>,
    pub(crate) handle: Option<Given<Handle>>,
    pub(crate) on_transition: Option<Given<TokenStream>>,
    pub(crate) timeout: Option<Given<Value>>,
    /// The facade's path.
    facade: Option<Given<TokenStream>>,
    /// The keys that were given and could not be read, of which nothing more is to be said.
    unread: Vec<&'static str>,
}

/// Where `breaker = …` takes the breaker from.
#[derive(PartialEq)]
pub(crate) enum Lender {
    /// `&PAYMENTS`: a static, which the panel may list, unless an argument has that name.
    Static,
    /// Any other expression.
    Expression,
}

/// The function that `handle = …` asks for.
pub(crate) struct Handle {
    pub(crate) name: Ident,
    /// The `Self` of `Self::name`.
    pub(crate) owner: Option<Ident>,
}

impl Settings {
    /// Reads every argument, then judges them together.
    pub(crate) fn read(arguments: Arguments, errors: &mut Errors) -> Self {
        let mut settings = Self::none();
        settings.unread = arguments.unread;
        // The path of the facade goes first, for other values are written with it.
        let (facade, others): (Vec<_>, Vec<_>) =
            arguments.read.into_iter().partition(|argument| argument.key.name == "crate");
        let mut refused = Vec::new();
        for argument in facade.into_iter().chain(others) {
            let key = argument.key.name;
            if refused.contains(&key) {
                errors.at(&argument.name, given_twice(&argument.name));
            }
            if !settings.set(argument, errors) {
                refused.push(key);
            }
        }
        settings.unread.extend(refused);
        judge::contradictions(&settings, errors);
        settings
    }

    fn none() -> Self {
        let span = Span::mixed_site();
        Self {
            private: quote_spanned!(span=> ::breakerbox::__private),
            measures: Vec::new(),
            cancelled: None,
            classify: None,
            failure_if: None,
            fallback: None,
            name: None,
            breaker: None,
            key: None,
            capacity: None,
            handle: None,
            on_transition: None,
            timeout: None,
            facade: None,
            unread: Vec::new(),
        }
    }

    /// Sets one key. Says whether its value could be read.
    fn set(&mut self, argument: Argument, errors: &mut Errors) -> bool {
        let private = &self.private.clone();
        let key = argument.key;
        let read_measure = |measure| move |tokens| value::measure(key, measure, private, tokens);
        if let Some(measure) = key.measure {
            let earlier = self.measures.iter().position(|given| given.name == key.name);
            let mut slot = earlier.map(|position| self.measures.remove(position));
            let is_read = set(&mut slot, argument, errors, read_measure(measure));
            self.measures.extend(slot);
            return is_read;
        }
        let code = |allowed| move |tokens| code(key, tokens, allowed);
        match key.name {
            "classify" => {
                let allowed = "a path or closure that makes an `Outcome` of `&` the returned value";
                set(&mut self.classify, argument, errors, code(allowed))
            }
            "failure_if" => {
                let allowed = "a path or closure that makes a `bool` of `&` the error";
                set(&mut self.failure_if, argument, errors, code(allowed))
            }
            "on_transition" => {
                let allowed = "a `fn(&Transition)`";
                set(&mut self.on_transition, argument, errors, code(allowed))
            }
            "cancelled" => {
                set(&mut self.cancelled, argument, errors, |t| cancelled(key, private, t))
            }
            "fallback" => set(&mut self.fallback, argument, errors, |t| Fallback::read(key, t)),
            "name" => set(&mut self.name, argument, errors, |tokens| name(key, tokens)),
            "breaker" => set(&mut self.breaker, argument, errors, |tokens| lender(key, tokens)),
            "key" => {
                let allowed = "an expression of the arguments that gives text or an integer";
                set(&mut self.key, argument, errors, code(allowed))
            }
            "capacity" => set(&mut self.capacity, argument, errors, read_measure(CAPACITY)),
            "handle" => set(&mut self.handle, argument, errors, |tokens| handle(key, &tokens)),
            "timeout" => set(&mut self.timeout, argument, errors, read_measure(WAIT)),
            _ => {
                let is_read = set(&mut self.facade, argument, errors, |t| facade(key, &t));
                if let Some(facade) = &self.facade {
                    let path = &facade.value;
                    self.private = quote!(#path::__private);
                }
                is_read
            }
        }
    }

    /// The path of the hidden module, at a place of the user's: an error about what follows it is
    /// underlined there.
    pub(crate) fn private_at(&self, place: Span) -> TokenStream {
        let tokens = self.private.clone().into_iter().map(|mut token| {
            token.set_span(place.resolved_at(token.span()));
            token
        });
        tokens.collect()
    }

    /// The measure that was given for a key.
    pub(crate) fn measure(&self, name: &str) -> Option<&Given<Value>> {
        self.measures.iter().find(|given| given.name == name)
    }

    /// Whether a key was given and could not be read.
    pub(crate) fn is_unread(&self, name: &str) -> bool {
        self.unread.contains(&name)
    }

    /// The keys given that shape the function's own breaker.
    pub(crate) fn shaping_keys(&self) -> impl Iterator<Item = &Ident> {
        let measures = self.measures.iter().map(|given| &given.name);
        let others = [&self.cancelled, &self.name, &self.on_transition, &self.key];
        let others = others.into_iter().flatten().map(|given| &given.name);
        let capacity = self.capacity.iter().map(|given| &given.name);
        let handle = self.handle.iter().map(|given| &given.name);
        measures.chain(others).chain(capacity).chain(handle)
    }
}

/// Puts a value where its key belongs, unless it does not fit or the key was given before. Says
/// whether it fits.
fn set<T>(
    slot: &mut Option<Given<T>>,
    argument: Argument,
    errors: &mut Errors,
    read: impl FnOnce(TokenStream) -> Result<T, Error>,
) -> bool {
    let Argument { name, value: tokens, .. } = argument;
    if slot.is_some() {
        errors.at(&name, given_twice(&name));
    }
    match read(tokens.clone()) {
        Ok(value) => {
            slot.get_or_insert(Given { name, value, tokens });
            true
        }
        Err(error) => {
            errors.add(error);
            false
        }
    }
}

/// The message for a key that was given before.
fn given_twice(name: &Ident) -> String {
    format!("`{name}` is given twice: remove one of them")
}

/// Code, where a literal would make no sense.
fn code(key: &Key, tokens: TokenStream, allowed: &str) -> Result<TokenStream, Error> {
    match written(&tokens) {
        Written::Literal { .. } => Err(misfit(key, &tokens, allowed)),
        Written::Code => Ok(tokens),
    }
}

fn cancelled(key: &Key, private: &TokenStream, tokens: TokenStream) -> Result<TokenStream, Error> {
    match unwrapped(tokens.clone()).as_slice() {
        [TokenTree::Ident(word)] if word == "Ignored" || word == "Failure" => {
            Ok(quote!(#private::Cancelled::#word))
        }
        // As files write it.
        [TokenTree::Ident(word)] if word == "ignored" => {
            Ok(quote_spanned!(word.span()=> #private::Cancelled::Ignored))
        }
        [TokenTree::Ident(word)] if word == "failure" => {
            Ok(quote_spanned!(word.span()=> #private::Cancelled::Failure))
        }
        [TokenTree::Ident(_), colon, ..] if is_sign(Some(colon), ':') => Ok(tokens),
        _ => Err(misfit(key, &tokens, "`Ignored` or `Failure`")),
    }
}

fn name(key: &Key, tokens: TokenStream) -> Result<TokenStream, Error> {
    let allowed = "a text in quotes";
    match written(&tokens) {
        Written::Literal { literal: Lit::Str(text), negative: false } => {
            if text.value().trim().is_empty() {
                return Err(refused(key, &tokens, "an empty name tells nobody anything", allowed));
            }
            Ok(tokens)
        }
        _ => Err(misfit(key, &tokens, allowed)),
    }
}

fn lender(key: &Key, tokens: TokenStream) -> Result<Lender, Error> {
    let tokens = code(key, tokens, "an expression that is or lends a `Breaker`")?;
    let inside = unwrapped(tokens.clone());
    let (is_reference, path) = match inside.as_slice() {
        [and, path @ ..] if is_sign(Some(and), '&') => (true, path),
        path => (false, path),
    };
    if makes_breaker(path) {
        return Err(Error::new_spanned(
            &tokens,
            "this makes a new breaker at each call, which never sees another: make it a `static`, as \
             in `static PAYMENTS: Breaker = …`, or a field, and lend it, such as \
             `breaker = &PAYMENTS`",
        ));
    }
    let is_constant = matches!(path.last(), Some(TokenTree::Ident(last)) if is_upper(last));
    if is_reference && is_path(path) && is_constant {
        Ok(Lender::Static)
    } else {
        Ok(Lender::Expression)
    }
}

/// Whether this is `Breaker::new(…)` or the like.
fn makes_breaker(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [path @ .., TokenTree::Ident(owner), _, colon, TokenTree::Ident(function), call]
        if owner == "Breaker"
            && is_sign(Some(colon), ':')
            && ["new", "try_new", "shared"].iter().any(|name| function == name)
            && (path.is_empty() || is_sign(path.last(), ':'))
            && matches!(call, TokenTree::Group(_)))
}

fn handle(key: &Key, tokens: &TokenStream) -> Result<Handle, Error> {
    match unwrapped(tokens.clone()).as_slice() {
        [TokenTree::Ident(name)] if is_plain(name) => {
            Ok(Handle { name: name.clone(), owner: None })
        }
        [TokenTree::Ident(owner), _, colon, TokenTree::Ident(name)]
            if owner == "Self" && is_sign(Some(colon), ':') && is_plain(name) =>
        {
            Ok(Handle { name: name.clone(), owner: Some(owner.clone()) })
        }
        _ => Err(misfit(key, tokens, "the name of a function that this will make")),
    }
}

fn facade(key: &Key, tokens: &TokenStream) -> Result<TokenStream, Error> {
    let path = unwrapped(tokens.clone());
    if is_path(&path) {
        Ok(stream(&path))
    } else {
        Err(misfit(key, tokens, "the path of the `breakerbox` crate, without quotes"))
    }
}

fn misfit(key: &Key, tokens: &TokenStream, allowed: &str) -> Error {
    refused(key, tokens, &format!("{} does not fit", quoted(tokens)), allowed)
}

/// Whether a name is written as statics are: `PAYMENTS`.
fn is_upper(name: &Ident) -> bool {
    let name = name.to_string();
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

/// Whether a word can name a function.
fn is_plain(word: &Ident) -> bool {
    syn::parse2::<Ident>(word.to_token_stream()).is_ok()
}
