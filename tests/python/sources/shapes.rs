//! A function in Rust, for tests/python.
#[no_mangle]
pub unsafe extern "C" fn norm(x: *const f64, n: i32) -> f64 {
    let mut s = 0.0;
    for i in 0..n as usize {
        s += *x.add(i) * *x.add(i);
    }
    s.sqrt()
}
