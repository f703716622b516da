//! The feature `serde`: how snapshots and transitions are written. The names are stable, those of
//! states, causes and kinds are the ones of metrics and events, and times are seconds.

use crate::rejected::RejectedKind;
use crate::snapshot::{Opened, Snapshot, Totals};
use crate::state::TRIP_CAUSES;
use crate::transition::{Cause, State, Transition, WindowCounts};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};
use std::panic::Location;
use std::time::Duration;

/// Also `family`, which counts are summed by; `null` for why it opened and its cooldown unless it is
/// open.
impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Snapshot", 12)?;
        fields.serialize_field("name", self.name())?;
        fields.serialize_field("family", self.family())?;
        fields.serialize_field("location", &Place(self.location))?;
        fields.serialize_field("state", &self.state)?;
        fields.serialize_field("generation", &self.generation)?;
        fields.serialize_field("window", &self.window)?;
        fields.serialize_field("opened", &self.opened)?;
        let left = self.remaining_cooldown.as_ref().map(Duration::as_secs_f64);
        fields.serialize_field("remaining_cooldown_seconds", &left)?;
        fields.serialize_field("probes_in_flight", &self.probes_in_flight)?;
        fields.serialize_field("probes_succeeded", &self.probes_succeeded)?;
        fields.serialize_field("totals", &self.totals)?;
        fields.serialize_field("config", &self.config)?;
        fields.end()
    }
}

impl Serialize for Opened {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Opened", 2)?;
        fields.serialize_field("cause", &self.cause)?;
        fields.serialize_field("window", &self.window)?;
        fields.end()
    }
}

impl Serialize for Totals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Totals", 10)?;
        fields.serialize_field("success", &self.success)?;
        fields.serialize_field("failure", &self.failure)?;
        fields.serialize_field("ignored", &self.ignored)?;
        fields.serialize_field("late", &self.late)?;
        fields.serialize_field("slow", &self.slow)?;
        fields.serialize_field("probes", &self.probes)?;
        fields.serialize_field("fallbacks", &self.fallbacks)?;
        fields.serialize_field("open_seconds", &self.open.as_secs_f64())?;
        fields.serialize_field("rejected", &Rejections(self))?;
        fields.serialize_field("trips", &Trips(self))?;
        fields.end()
    }
}

impl Serialize for WindowCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("WindowCounts", 3)?;
        fields.serialize_field("calls", &self.calls)?;
        fields.serialize_field("failures", &self.failures)?;
        fields.serialize_field("slow", &self.slow)?;
        fields.end()
    }
}

/// `null` for a cooldown unless it opened.
impl Serialize for Transition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Transition", 7)?;
        fields.serialize_field("breaker", self.breaker())?;
        fields.serialize_field("family", self.family())?;
        fields.serialize_field("from", &self.from)?;
        fields.serialize_field("to", &self.to)?;
        fields.serialize_field("cause", &self.cause)?;
        fields.serialize_field("window", &self.window)?;
        let cooldown = self.cooldown.as_ref().map(Duration::as_secs_f64);
        fields.serialize_field("cooldown_seconds", &cooldown)?;
        fields.end()
    }
}

macro_rules! as_text {
    ($($named:ty)*) => {$(
        impl Serialize for $named {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )*};
}

as_text!(State Cause RejectedKind);

struct Place(&'static Location<'static>);

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Location", 3)?;
        fields.serialize_field("file", self.0.file())?;
        fields.serialize_field("line", &self.0.line())?;
        fields.serialize_field("column", &self.0.column())?;
        fields.end()
    }
}

/// The rejected calls of each kind.
struct Rejections<'a>(&'a Totals);

impl Serialize for Rejections<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut counts = serializer.serialize_map(Some(RejectedKind::ALL.len()))?;
        for kind in RejectedKind::ALL {
            counts.serialize_entry(&kind, &self.0.rejected(kind))?;
        }
        counts.end()
    }
}

/// The trips of each cause.
struct Trips<'a>(&'a Totals);

impl Serialize for Trips<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut counts = serializer.serialize_map(Some(TRIP_CAUSES.len()))?;
        for cause in TRIP_CAUSES {
            counts.serialize_entry(&cause, &self.0.trips(cause))?;
        }
        counts.end()
    }
}
