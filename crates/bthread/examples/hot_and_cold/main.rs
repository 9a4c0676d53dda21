//! Fills a bath: two b-threads that know nothing of each other pour hot and cold water,
//! and a third one interleaves them.

mod water;

use bthread::Program;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let apart = Program::new([water::add_hot(3), water::add_cold(3)])?;
    let (_, opening) = apart.start()?;
    println!("Without Interleave: {}", opening.events.join(" "));

    let (_, opening) = water::bath(3).start()?;
    println!("With Interleave:    {}", opening.events.join(" "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use bthread::Program;

    use super::water;

    fn check(program: &Program<&'static str>, expected: &str) {
        let (_, open) = program.start().unwrap();
        let (_, closed) = program.close(["hot", "cold"]).unwrap().start().unwrap();
        assert_eq!(open.events.join(" "), expected);
        assert_eq!(open, closed);
    }

    #[test]
    fn without_interleaving_all_hot_water_comes_first() {
        let apart = Program::new([water::add_hot(3), water::add_cold(3)]).unwrap();
        check(&apart, "hot hot hot cold cold cold");
    }

    #[test]
    fn interleaved_water_alternates() {
        check(&water::bath(3), "hot cold hot cold hot cold");
    }
}
