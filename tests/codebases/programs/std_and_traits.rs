// Something of everything that rustc writes: generics, traits, closures, panics, threads, collections, wide integers,
// atomics, iterators that vectorise, formatting.
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, VecDeque};
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{mpsc, Arc, Mutex, RwLock};

static COUNTER: AtomicU64 = AtomicU64::new(0);
thread_local! { static LOCAL: std::cell::RefCell<Vec<f64>> = const { std::cell::RefCell::new(Vec::new()) }; }

trait Shape: fmt::Debug {
    fn area(&self) -> f64;
    fn name(&self) -> String {
        format!("{self:?}")
    }
}
#[derive(Debug, Clone, PartialEq, PartialOrd)]
struct Circle(f64);
#[derive(Debug, Clone, Default)]
struct Square {
    side: f64,
    tag: Option<Box<str>>,
}
impl Shape for Circle {
    fn area(&self) -> f64 {
        std::f64::consts::PI * self.0.powi(2)
    }
}
impl Shape for Square {
    fn area(&self) -> f64 {
        self.side * self.side
    }
    fn name(&self) -> String {
        self.tag.as_deref().unwrap_or("square").to_uppercase()
    }
}

#[derive(Debug)]
enum Problem {
    Empty,
    Parse(std::num::ParseFloatError),
    Io(std::io::Error),
}
impl From<std::num::ParseFloatError> for Problem {
    fn from(error: std::num::ParseFloatError) -> Self {
        Problem::Parse(error)
    }
}
impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Self {
        Problem::Io(error)
    }
}

fn numbers(text: &str) -> Result<Vec<f64>, Problem> {
    let found: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    if found.is_empty() {
        return Err(Problem::Empty);
    }
    Ok(found)
}

fn words(text: &str) -> BTreeMap<String, usize> {
    let mut counts = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *counts.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

fn integrate<F: Fn(f64) -> f64>(f: F, steps: usize) -> f64 {
    let width = 1.0 / steps as f64;
    (0..steps).map(|i| f((i as f64 + 0.5) * width) * width).sum()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x.mul_add(*y, 0.0)).sum()
}

fn solve(a: &mut [Vec<f64>], b: &mut [f64]) -> Option<()> {
    let n = b.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|&i, &j| a[i][column].abs().total_cmp(&a[j][column].abs()))?;
        a.swap(column, pivot);
        b.swap(column, pivot);
        for row in column + 1..n {
            let factor = a[row][column] / a[column][column];
            let (above, below) = a.split_at_mut(row);
            for (x, y) in below[0][column..].iter_mut().zip(&above[column][column..]) {
                *x -= factor * y;
            }
            b[row] -= factor * b[column];
        }
    }
    for row in (0..n).rev() {
        let rest: f64 = (row + 1..n).map(|k| a[row][k] * b[k]).sum();
        b[row] = (b[row] - rest) / a[row][row];
    }
    Some(())
}

struct Stack<T, const N: usize> {
    items: [Option<T>; N],
    used: usize,
}
impl<T: Copy, const N: usize> Stack<T, N> {
    fn push(&mut self, item: T) -> Result<(), T> {
        *self.items.get_mut(self.used).ok_or(item)? = Some(item);
        self.used += 1;
        Ok(())
    }
}
impl<T, const N: usize> Drop for Stack<T, N> {
    fn drop(&mut self) {
        COUNTER.fetch_add(self.used as u64, Ordering::AcqRel);
    }
}

fn threads() -> u64 {
    let (sender, receiver) = mpsc::channel();
    let shared = Arc::new((Mutex::new(0u64), RwLock::new(HashSet::new())));
    let workers: Vec<_> = (0..4u64)
        .map(|i| {
            let (sender, shared) = (sender.clone(), Arc::clone(&shared));
            std::thread::spawn(move || {
                *shared.0.lock().unwrap() += i;
                shared.1.write().unwrap().insert(i % 2);
                sender.send(i.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(7)).unwrap();
            })
        })
        .collect();
    drop(sender);
    for worker in workers {
        worker.join().unwrap();
    }
    let total = *shared.0.lock().unwrap();
    receiver.iter().fold(total, |sum, value| sum ^ value)
}

fn main() -> Result<(), Problem> {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Circle(1.5)), Box::new(Square { side: 2.0, ..Default::default() })];
    for shape in &shapes {
        println!("{:>12} {:.3e}", shape.name(), shape.area());
    }
    let mut values = numbers("3.5 1e-3 -2 inf")?;
    values.sort_by(|a, b| b.partial_cmp(a).unwrap_or(std::cmp::Ordering::Equal));
    println!("{values:?} {:?}", words("one two, two; three"));
    println!("{} {}", integrate(|x| x.sin().exp() + x.powf(1.5).ln_1p(), 100), dot(&[1.0; 33], &[2.0; 33]));
    let mut right = vec![1.0, 2.0];
    println!("{:?} {right:?}", solve(&mut [vec![2.0, 1.0], vec![1.0, 3.0]], &mut right));
    let wide = u128::MAX / 12_345_678_901_234_567_890u128 * 3;
    println!("{wide} {:?} {:?}", i32::MAX.checked_add(1), 200u8.saturating_add(100));
    let mut stack = Stack::<i64, 4> { items: [None; 4], used: 0 };
    println!("{:?}", (0..6).map(|i| stack.push(i)).collect::<Vec<_>>());
    let mut heap: BinaryHeap<_> = (0..10).map(|i| (i * 7) % 10).collect();
    let mut queue: VecDeque<Rc<str>> = VecDeque::from(vec!["a".into(), "b".into()]);
    queue.rotate_left(1);
    println!("{:?} {queue:?} {}", heap.pop(), threads());
    LOCAL.with(|local| local.borrow_mut().push(1.0));
    let caught = std::panic::catch_unwind(|| numbers("x").unwrap());
    println!("{} {}", caught.is_err(), std::fs::read_to_string("/proc/self/comm")?.trim());
    Ok(())
}
