//! How long the header `Retry-After` asks to stay away.
//!
//! It comes as a number of seconds or as a date. A date is a time on somebody's wall clock: it is
//! compared with the `Date` of the same answer, which is of the same clock, or where that is missing
//! with the wall clock of this machine. That is the one place in which this crate reads it.

use http::HeaderMap;
use http::header::{DATE, HeaderName, RETRY_AFTER};
use std::time::{Duration, SystemTime};

/// How long an answer with these headers asks to stay away. `None` where it does not ask, or in a way
/// that cannot be read.
///
/// A number of seconds, or an HTTP date in any of its three forms, counted from the `Date` of the same
/// answer if it has one, else from now by this machine's wall clock. A date that has passed is no time
/// at all. Nobody is believed for more than a day, so the result can be slept for and reckoned with;
/// a breaker believes yet less, its `max_cooldown` or an hour.
///
/// ```
/// # extern crate breaker_runtime as breakerbox;
/// use breakerbox::classify;
/// use http::header::{DATE, HeaderMap, RETRY_AFTER};
/// use std::time::Duration;
///
/// let mut headers = HeaderMap::new();
/// assert_eq!(classify::retry_after(&headers), None);
/// headers.insert(RETRY_AFTER, "120".parse().unwrap());
/// assert_eq!(classify::retry_after(&headers), Some(Duration::from_secs(120)));
///
/// headers.insert(RETRY_AFTER, "Fri, 31 Dec 1999 23:59:59 GMT".parse().unwrap());
/// headers.insert(DATE, "Fri, 31 Dec 1999 23:59:19 GMT".parse().unwrap());
/// assert_eq!(classify::retry_after(&headers), Some(Duration::from_secs(40)));
/// ```
#[must_use]
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let asked = text(headers, RETRY_AFTER)?;
    seconds(asked).or_else(|| until(asked, text(headers, DATE))).map(bounded)
}

/// What is believed of a time that somebody else asks for.
pub(crate) fn bounded(asked: Duration) -> Duration {
    asked.min(A_DAY)
}

const A_DAY: Duration = Duration::from_secs(24 * 3_600);

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    Some(headers.get(name)?.to_str().ok()?.trim())
}

/// Digits and nothing else. A number that is too large to be read is still a large number.
fn seconds(text: &str) -> Option<Duration> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| Duration::from_secs(text.parse().unwrap_or(u64::MAX)))
}

fn until(date: &str, sent: Option<&str>) -> Option<Duration> {
    let date = httpdate::parse_http_date(date).ok()?;
    let sent = sent.and_then(|sent| httpdate::parse_http_date(sent).ok());
    let from = sent.unwrap_or_else(SystemTime::now);
    Some(date.duration_since(from).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::{A_DAY, retry_after};
    use http::HeaderMap;
    use http::header::{DATE, HeaderValue, RETRY_AFTER};
    use proptest::prelude::{any, prop, proptest};
    use std::time::{Duration, SystemTime};

    const SENT: &str = "Sun, 06 Nov 1994 08:49:37 GMT";

    fn asked(value: &[u8], sent: Option<&'static str>) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_bytes(value).expect("a header"));
        headers.extend(sent.map(|sent| (DATE, HeaderValue::from_static(sent))));
        retry_after(&headers)
    }

    const fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn seconds_are_read() {
        assert_eq!(asked(b"0", None), Some(secs(0)));
        assert_eq!(asked(b" 120 ", None), Some(secs(120)));
        assert_eq!(asked(b"0007", None), Some(secs(7)));
    }

    #[test]
    fn dates_of_all_three_forms_are_counted_from_when_the_answer_was_sent() {
        let a_minute_later = [
            "Sun, 06 Nov 1994 08:50:37 GMT",
            "Sunday, 06-Nov-94 08:50:37 GMT",
            "Sun Nov  6 08:50:37 1994",
        ];
        for date in a_minute_later {
            assert_eq!(asked(date.as_bytes(), Some(SENT)), Some(secs(60)), "{date}");
        }
    }

    #[test]
    fn without_a_readable_date_of_its_own_an_answer_is_from_now() {
        let before = SystemTime::now();
        let date = httpdate::fmt_http_date(before + secs(1_000));
        for sent in [None, Some("yesterday")] {
            let left = asked(date.as_bytes(), sent).expect("a date");
            // A date has whole seconds: up to one is cut off, and the clock has gone on.
            assert!(left <= secs(1_000), "{left:?}");
            let passed = before.elapsed().expect("the wall clock was not set back");
            assert!(left + passed >= secs(999), "{left:?} after {passed:?}");
        }
    }

    #[test]
    fn a_date_that_has_passed_is_no_time_at_all() {
        assert_eq!(asked(b"Sun, 06 Nov 1994 08:49:36 GMT", Some(SENT)), Some(secs(0)));
        assert_eq!(asked(b"Thu, 01 Jan 1970 00:00:00 GMT", None), Some(secs(0)));
    }

    #[test]
    fn nobody_is_believed_for_more_than_a_day() {
        let much = [
            "86401",
            "18446744073709551615",
            "18446744073709551616",
            "999999999999999999999999999999999999999999",
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ];
        for value in much {
            assert_eq!(asked(value.as_bytes(), None), Some(A_DAY), "{value}");
        }
    }

    #[test]
    fn what_cannot_be_read_was_not_said() {
        let garbage: [&[u8]; 12] = [
            b"",
            b"-1",
            b"+1",
            b"1.5",
            b"1e9",
            b"0x10",
            b"120 seconds",
            b"soon",
            b"Sun, 06 Nov 10000 08:49:37 GMT",
            b"Mon, 32 Nov 1994 25:61:61 GMT",
            b"Wed, 31 Dec 1969 23:59:59 GMT",
            b"\xff\xfe",
        ];
        for value in garbage {
            assert_eq!(asked(value, None), None, "{}", value.escape_ascii());
        }
    }

    proptest! {
        #[test]
        fn no_value_makes_it_panic(value in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Ok(value) = HeaderValue::from_bytes(&value) {
                let mut headers = HeaderMap::new();
                headers.insert(RETRY_AFTER, value.clone());
                headers.insert(DATE, value);
                assert!(retry_after(&headers) <= Some(A_DAY));
            }
        }
    }
}
