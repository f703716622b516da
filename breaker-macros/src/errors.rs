//! The errors of one attribute, collected so that all of them reach the user at once.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fmt::Display;

/// Everything found wrong so far.
#[derive(Default)]
pub(crate) struct Errors {
    found: Option<syn::Error>,
}

impl Errors {
    /// Adds an error that underlines `tokens`.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    /// Adds an error made elsewhere.
    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.found {
            Some(found) => found.combine(error),
            None => self.found = Some(error),
        }
    }

    /// The `compile_error!` calls for all that was found, or nothing if all is well.
    pub(crate) fn report(self) -> Option<TokenStream> {
        self.found.map(|error| error.to_compile_error())
    }
}
