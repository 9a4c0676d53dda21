//! Speed of processes with chance. Every benchmark asserts the number that it times.

#[path = "../tests/chance/pig.rs"]
mod pig;

use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Pig to a hundred, both players as well as possible; items are states.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn pig_to_a_hundred(bencher: Bencher<'_, '_>) {
    let explored = pig::pig(100);
    let states = explored.process().states();
    bencher.counter(ItemsCount::new(states)).bench_local(|| {
        let value = explored.process().game_value().value(0);
        // Neller and Presser, 2004.
        assert!(value.lower > 0.530_592_65 && value.upper < 0.530_592_75, "{value:?}");
        assert!(value.width() <= 1e-9, "{value:?}");
    });
}
