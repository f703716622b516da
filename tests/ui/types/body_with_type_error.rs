use breakerbox::{Rejected, circuit_breaker};

#[circuit_breaker]
fn tail() -> Result<u32, Rejected> {
    Ok("five")
}

#[circuit_breaker]
async fn unknown_name() -> Result<u32, Rejected> {
    Ok(missing)
}

#[circuit_breaker]
fn borrowed(text: String) -> Result<&'static str, Rejected> {
    Ok(&text)
}

#[circuit_breaker]
async fn moved_twice(text: String) -> Result<String, Rejected> {
    drop(text);
    Ok(text)
}

fn main() {}
