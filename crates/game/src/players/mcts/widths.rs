//! How much a search tries what it knows little of.

/// What UCT adds to a mean, by visits: computed once, because a search needs it for every child of every
/// node on its way.
#[derive(Debug, Default)]
pub(super) struct Widths {
    /// The root of the logarithm of each number of visits,
    of_parent: Vec<f64>,
    /// and one over the root of it.
    of_child: Vec<f64>,
}

impl Widths {
    /// Makes room for this many visits.
    pub(super) fn extend_to(&mut self, visits: u32) {
        for count in u32::try_from(self.of_child.len()).unwrap_or(u32::MAX)..=visits {
            // IEEE 754 prescribes every bit of a root and a quotient; a logarithm comes from a library
            // that computes it alike everywhere.
            let count = f64::from(count.max(1));
            self.of_parent.push(libm::log(count).sqrt());
            self.of_child.push(1.0 / count.sqrt());
        }
    }

    pub(super) fn of(&self, parent: u32, child: u32) -> f64 {
        self.of_parent[parent as usize] * self.of_child[child as usize]
    }
}
