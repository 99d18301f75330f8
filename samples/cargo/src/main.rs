mod energy;

use energy::energy;
use std::ffi::c_void;

extern "C" {
    static enzyme_const: i32;
    fn __enzyme_autodiff(function: *const c_void, ...);
}

fn gradient(x: &[f64]) -> Vec<f64> {
    let mut by_x = vec![0.0; x.len()];
    unsafe {
        __enzyme_autodiff(energy as *const c_void, x.as_ptr(), by_x.as_mut_ptr(), enzyme_const, x.len());
    }
    by_x
}

fn main() {
    let x = [0.0, 1.5, 2.0, 4.0];
    println!("energy {}, gradient {:?}", energy(x.as_ptr(), x.len()), gradient(&x));
}
