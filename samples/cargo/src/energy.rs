//! The energy of a chain of springs.

/// `x` are the places of `n` masses; springs between neighbours have length 1.
#[no_mangle]
pub extern "C" fn energy(x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    x.windows(2).map(|pair| (pair[1] - pair[0] - 1.0).powi(2)).sum()
}
