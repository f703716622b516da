//! What a meter of OpenTelemetry's SDK exports.

use opentelemetry::{KeyValue, metrics::MeterProvider};
use opentelemetry_sdk::metrics::data::{AggregatedMetrics, Metric, MetricData, ResourceMetrics};
use opentelemetry_sdk::metrics::{InMemoryMetricExporter, PeriodicReader, SdkMeterProvider};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A meter with the breakers' instruments, and what it has exported.
#[derive(Debug)]
pub struct Exported {
    provider: SdkMeterProvider,
    exporter: InMemoryMetricExporter,
}

impl Exported {
    /// A meter of its own. It would export once a minute by itself; the tests ask for each export.
    #[must_use]
    pub fn open() -> Self {
        let exporter = InMemoryMetricExporter::default();
        let reader = PeriodicReader::builder(exporter.clone()).build();
        let provider = SdkMeterProvider::builder().with_reader(reader).build();
        breakerbox::opentelemetry::register(&provider.meter("test"));
        Self { provider, exporter }
    }

    /// The points of one breaker in a new export, sorted: `instrument{attributes} value unit`.
    ///
    /// # Panics
    ///
    /// If an instrument is not what it should be.
    #[must_use]
    pub fn points_of(&self, breaker: &str) -> Vec<String> {
        let points = self.export().into_iter().filter(|point| point.breaker == breaker);
        let mut points: Vec<_> = points
            .map(|Point { series, value, unit, .. }| format!("{series} {value} {unit}"))
            .collect();
        points.sort_unstable();
        points
    }

    /// The counters of one breaker in a new export, by their series.
    ///
    /// # Panics
    ///
    /// If an instrument is not what it should be.
    #[must_use]
    pub fn counters_of(&self, breaker: &str) -> BTreeMap<String, f64> {
        let counters = self.export().into_iter().filter(|point| point.is_counter);
        counters
            .filter(|point| point.breaker == breaker)
            .map(|point| (point.series, point.value.parse().expect("a number")))
            .collect()
    }

    fn export(&self) -> Vec<Point> {
        self.exporter.reset();
        self.provider.force_flush().expect("an export");
        let exports = self.exporter.get_finished_metrics().expect("an export");
        let scopes = exports.iter().flat_map(ResourceMetrics::scope_metrics);
        scopes.flat_map(|scope| scope.metrics().flat_map(points)).collect()
    }
}

struct Point {
    breaker: String,
    /// The instrument and the other attributes.
    series: String,
    value: String,
    unit: String,
    is_counter: bool,
}

fn points(metric: &Metric) -> Vec<Point> {
    assert!(!metric.description().is_empty(), "{} has no description", metric.name());
    match metric.data() {
        AggregatedMetrics::U64(MetricData::Sum(sum)) if sum.is_monotonic() => {
            sum.data_points().map(|at| point(metric, at.attributes(), &at.value(), true)).collect()
        }
        AggregatedMetrics::F64(MetricData::Sum(sum)) if sum.is_monotonic() => {
            sum.data_points().map(|at| point(metric, at.attributes(), &at.value(), true)).collect()
        }
        AggregatedMetrics::F64(MetricData::Gauge(gauge)) => {
            let points = gauge.data_points();
            points.map(|at| point(metric, at.attributes(), &at.value(), false)).collect()
        }
        other => panic!("{} is of no expected kind: {other:?}", metric.name()),
    }
}

fn point<'a>(
    metric: &Metric,
    attributes: impl Iterator<Item = &'a KeyValue>,
    value: &impl Debug,
    is_counter: bool,
) -> Point {
    let (breaker, others): (Vec<_>, Vec<_>) =
        attributes.partition(|pair| pair.key.as_str() == "breaker");
    let mut others: Vec<_> =
        others.iter().map(|pair| format!("{}={}", pair.key, pair.value)).collect();
    others.sort_unstable();
    Point {
        breaker: breaker[0].value.to_string(),
        series: format!("{}{{{}}}", metric.name(), others.join(",")),
        value: format!("{value:?}"),
        unit: metric.unit().to_owned(),
        is_counter,
    }
}
