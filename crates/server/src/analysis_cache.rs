//! The analyses of positions that a server keeps.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use game::PositionAnalysis;
use tokio::sync::OnceCell;

/// Analyses by position, within a bound in bytes. The oldest ones go first.
#[derive(Debug, Default)]
pub(crate) struct AnalysisCache(Mutex<KeptAnalyses>);

#[derive(Debug, Default)]
struct KeptAnalyses {
    by_position: HashMap<Arc<AnalyzedKey>, Arc<PositionAnalysis>>,
    /// From the oldest to the newest.
    order: VecDeque<Arc<AnalyzedKey>>,
    bytes: usize,
    /// The searches that requests wait for.
    searches: HashMap<AnalyzedKey, Weak<AnalysisCell>>,
}

/// Where the requests for one position find its analysis.
pub(crate) type AnalysisCell = OnceCell<Arc<PositionAnalysis>>;

/// A position: the name of its game and the plies that lead to it. The text of a position would not do,
/// because b-threads may know more than a board shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AnalyzedKey {
    pub(crate) game: String,
    pub(crate) plies: String,
}

/// The bytes of all analyses, about.
const MOST_BYTES: usize = 4 << 20;

impl AnalysisCache {
    pub(crate) fn get(&self, key: &AnalyzedKey) -> Option<Arc<PositionAnalysis>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.by_position.get(key).cloned()
    }

    /// The search for a position, which all requests share that want it at the same time.
    pub(crate) fn search(&self, key: &AnalyzedKey) -> Arc<AnalysisCell> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(search) = kept.searches.get(key).and_then(Weak::upgrade) {
            return search;
        }
        let search = Arc::default();
        kept.searches.retain(|_, search| search.strong_count() > 0);
        kept.searches.insert(key.clone(), Arc::downgrade(&search));
        search
    }

    pub(crate) fn keep(&self, key: AnalyzedKey, analysis: Arc<PositionAnalysis>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (key, bytes) = (Arc::new(key), bytes(&analysis));
        kept.bytes += key.bytes() + bytes;
        if let Some(before) = kept.by_position.insert(Arc::clone(&key), analysis) {
            // Two requests analyzed the same position at once, and its place is that of the first.
            kept.bytes -= key.bytes() + self::bytes(&before);
        } else {
            kept.order.push_back(key);
        }
        while kept.bytes > MOST_BYTES
            && let Some(oldest) = kept.order.pop_front()
        {
            if let Some(gone) = kept.by_position.remove(&oldest) {
                kept.bytes -= oldest.bytes() + self::bytes(&gone);
            }
        }
    }
}

impl AnalyzedKey {
    /// What a key takes, with its places in both collections.
    fn bytes(&self) -> usize {
        200 + self.game.len() + self.plies.len()
    }
}

fn bytes(analysis: &PositionAnalysis) -> usize {
    size_of::<PositionAnalysis>() + 160 * analysis.moves.len() + 32 * analysis.line.len()
}

#[cfg(test)]
mod tests {
    use game::{MoveAnalysis, PositionValue};

    use super::*;

    fn key(number: u32) -> AnalyzedKey {
        AnalyzedKey { game: "tic-tac-toe".to_owned(), plies: number.to_string() }
    }

    fn analysis(moves: usize) -> Arc<PositionAnalysis> {
        let value = PositionValue::certain(0.0);
        let each = MoveAnalysis { chosen: "a1".to_owned(), value, visits: None, probability: None };
        let (method, moves) = ("every position".to_owned(), vec![each; moves]);
        Arc::new(PositionAnalysis { method, value, moves, line: Vec::new() })
    }

    #[test]
    fn what_was_kept_is_found_until_others_need_the_room() {
        let cache = AnalysisCache::default();
        cache.keep(key(0), analysis(9));
        assert_eq!(cache.get(&key(0)), Some(analysis(9)));
        assert_eq!(cache.get(&key(1)), None);
        for number in 1..2_000 {
            cache.keep(key(number), analysis(100));
        }
        assert_eq!(cache.get(&key(0)), None);
        assert_eq!(cache.get(&key(1_999)), Some(analysis(100)));
        let kept = cache.0.lock().unwrap();
        assert!(kept.bytes <= MOST_BYTES, "{}", kept.bytes);
        assert_eq!(kept.order.len(), kept.by_position.len());
    }

    #[test]
    fn requests_for_a_position_share_its_search_while_one_of_them_waits() {
        let cache = AnalysisCache::default();
        let first = cache.search(&key(0));
        assert!(Arc::ptr_eq(&first, &cache.search(&key(0))));
        let other = cache.search(&key(1));
        assert!(!Arc::ptr_eq(&first, &other));
        drop((first, other));
        drop(cache.search(&key(2)));
        assert_eq!(cache.0.lock().unwrap().searches.len(), 1, "those that ended take no memory");
    }

    #[test]
    fn a_position_that_is_kept_twice_counts_once() {
        let cache = AnalysisCache::default();
        cache.keep(key(0), analysis(9));
        let before = cache.0.lock().unwrap().bytes;
        cache.keep(key(0), analysis(9));
        assert_eq!(cache.0.lock().unwrap().bytes, before);
    }
}
