use breakerbox::circuit_breaker;

#[circuit_breaker]
fn serve() -> ! {
    loop {}
}

fn main() {
    serve()
}
