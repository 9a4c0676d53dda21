//! The order in which a batch discovers states.

use super::BatchEdge;

/// Which edges of a batch discover a state, and the ranks of these. Instead of sorting them, it counts:
/// there is a bit for each edge.
pub(super) struct DiscoveryOrder {
    /// For each state of the batch, the number of its edges; then the number of its first edge.
    edges: Vec<u32>,
    count: u32,
    /// The edges that discover a state, 64 to a word.
    discoveries: Vec<u64>,
    /// For each word, the number of discoveries before it.
    ranks: Vec<u32>,
}

impl DiscoveryOrder {
    /// A batch of this many states, without edges.
    pub(super) fn new(states: usize) -> Self {
        let (discoveries, ranks) = (Vec::new(), Vec::new());
        Self { edges: vec![0; states], count: 0, discoveries, ranks }
    }

    /// Adds the numbers of edges of some states.
    pub(super) fn count_edges(&mut self, counts: &[(u32, u32)]) {
        for (place, count) in counts {
            self.edges[*place as usize] = *count;
        }
    }

    /// Numbers all edges. The numbers of edges must be known.
    pub(super) fn number_edges(&mut self) {
        for edges in &mut self.edges {
            let first = self.count;
            self.count = first.checked_add(*edges).expect("a batch has fewer than 2^32 edges");
            *edges = first;
        }
        self.discoveries = vec![0; self.count.div_ceil(u64::BITS) as usize];
    }

    fn number(&self, edge: BatchEdge) -> (usize, u32) {
        let number = self.edges[edge.parent as usize] + edge.place;
        ((number / u64::BITS) as usize, number % u64::BITS)
    }

    /// Notes that these edges discover states.
    pub(super) fn discover(&mut self, edges: &[BatchEdge]) {
        for edge in edges {
            let (word, bit) = self.number(*edge);
            self.discoveries[word] |= 1 << bit;
        }
    }

    /// Ranks the discoveries. All must be known.
    pub(super) fn rank_discoveries(&mut self) {
        let mut before = 0;
        self.ranks.reserve(self.discoveries.len());
        for word in &self.discoveries {
            self.ranks.push(before);
            before += word.count_ones();
        }
        self.count = before;
    }

    /// The number of discoveries.
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    /// How many edges before this one discover a state.
    pub(super) fn rank(&self, edge: BatchEdge) -> usize {
        let (word, bit) = self.number(edge);
        let before = self.discoveries[word] & ((1 << bit) - 1);
        (self.ranks[word] + before.count_ones()) as usize
    }
}
