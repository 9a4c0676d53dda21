//! The games that a server keeps in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use game::{AnyGame, Game, WeakGame};
use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::OnceCell;

/// The games in memory, by name. All tables share them, so that they share their compiled rules.
///
/// The cache keeps a game that was used lately, within a bound in bytes. A game that a table uses stays
/// in memory anyway and counts too.
#[derive(Debug, Default)]
pub(crate) struct GameCache {
    state: Mutex<CacheState>,
    gauges: CacheGauges,
}

/// What operators see of the cache.
#[derive(Clone, Debug, Default)]
pub(crate) struct CacheGauges {
    pub(crate) bytes: Gauge,
    pub(crate) games: Gauge,
}

#[derive(Debug, Default)]
struct CacheState {
    games: HashMap<String, CachedGame>,
    building: HashMap<String, GameInConstruction>,
    /// The bytes of all games, as they were when last looked at.
    bytes: u64,
}

/// A game that is being built. Its cell lasts as long as somebody waits for it, and its room is
/// reserved so long.
#[derive(Debug)]
struct GameInConstruction {
    cell: Weak<OnceCell<AnyGame>>,
    bytes: u64,
}

#[derive(Debug)]
struct CachedGame {
    game: WeakGame,
    /// The cache's own reference.
    kept: Option<AnyGame>,
    bytes: u64,
    /// On the monotonic clock.
    used_at: u64,
}

/// A game that is in memory, or the cell that it is built into: the first who initializes the cell
/// builds it for all.
pub(crate) enum FoundGame {
    Game(AnyGame),
    ToBuild(Arc<OnceCell<AnyGame>>),
}

/// No room is left, because tables use the games in memory.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoRoom;

/// What a game counts at least: the entry and what the allocator adds.
const LEAST_BYTES: u64 = 16 << 10;

/// A game that takes more than this part of the cache is large.
const LARGE_PART: u64 = 64;

impl GameCache {
    pub(crate) fn new(gauges: CacheGauges) -> Self {
        Self { state: Mutex::default(), gauges }
    }

    fn state(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds a game. If it must be built, makes room for its `bytes` within the `capacity`.
    pub(crate) fn find(
        &self,
        name: &str,
        bytes: u64,
        capacity: u64,
        now: u64,
    ) -> Result<FoundGame, NoRoom> {
        let mut state = self.state();
        if let Some(game) = state.get(name, now) {
            return Ok(FoundGame::Game(game));
        }
        if let Some(cell) = state.building.get(name).and_then(|building| building.cell.upgrade()) {
            return Ok(FoundGame::ToBuild(cell));
        }
        state.building.retain(|_, building| building.cell.strong_count() > 0);
        let reserved: u64 = state.building.values().map(|building| building.bytes).sum();
        // Large games leave a quarter to the small ones, so that boards of one kind cannot keep out
        // all others.
        let is_large = bytes > capacity / LARGE_PART;
        let room = if is_large { capacity / 4 * 3 } else { capacity };
        let made = match room.checked_sub(reserved + bytes) {
            Some(room) => state.make_room(room),
            None => Err(NoRoom),
        };
        self.observe(&state);
        made?;
        let cell = Arc::new(OnceCell::new());
        let building = GameInConstruction { cell: Arc::downgrade(&cell), bytes };
        state.building.insert(name.to_owned(), building);
        Ok(FoundGame::ToBuild(cell))
    }

    /// A game that is in memory.
    pub(crate) fn get(&self, name: &str, now: u64) -> Option<AnyGame> {
        self.state().get(name, now)
    }

    /// Keeps a game that was built.
    pub(crate) fn keep(&self, name: &str, game: &AnyGame, now: u64) {
        let mut state = self.state();
        state.building.remove(name);
        let bytes = measured(game);
        let cached =
            CachedGame { game: game.downgrade(), kept: Some(game.clone()), bytes, used_at: now };
        let before = state.games.insert(name.to_owned(), cached);
        state.bytes = state.bytes + bytes - before.map_or(0, |before| before.bytes);
        self.observe(&state);
    }

    /// Lets go of games that were not used since a time, and of the oldest ones while all together take
    /// more than the capacity.
    pub(crate) fn tidy(&self, since: u64, capacity: u64) {
        let mut state = self.state();
        for cached in state.games.values_mut().filter(|cached| cached.used_at < since) {
            cached.kept = None;
        }
        state.measure();
        // Games that tables use may exceed the capacity by what they have grown.
        drop(state.make_room(capacity));
        self.observe(&state);
    }

    fn observe(&self, state: &CacheState) {
        self.gauges.bytes.set(i64::try_from(state.bytes).unwrap_or(i64::MAX));
        self.gauges.games.set(i64::try_from(state.games.len()).unwrap_or(i64::MAX));
    }
}

impl CacheState {
    /// A game in memory. It is kept from now on, if it was not.
    fn get(&mut self, name: &str, now: u64) -> Option<AnyGame> {
        let cached = self.games.get_mut(name)?;
        let game = cached.game.upgrade()?;
        cached.used_at = now;
        cached.kept = Some(game.clone());
        Some(game)
    }

    /// Lets go of the games that were used least recently, until at most `bytes` are in use.
    fn make_room(&mut self, bytes: u64) -> Result<(), NoRoom> {
        if self.bytes <= bytes {
            return Ok(());
        }
        self.measure();
        let kept = self.games.iter().filter(|(_, cached)| cached.kept.is_some());
        let mut oldest: Vec<(u64, String)> =
            kept.map(|(name, cached)| (cached.used_at, name.clone())).collect();
        oldest.sort_unstable();
        for (_, name) in oldest {
            if self.bytes <= bytes {
                break;
            }
            self.release(&name);
        }
        if self.bytes <= bytes { Ok(()) } else { Err(NoRoom) }
    }

    /// Drops the cache's own reference to a game, and forgets the game unless a table uses it.
    fn release(&mut self, name: &str) {
        let Some(cached) = self.games.get_mut(name) else { return };
        cached.kept = None;
        if cached.game.upgrade().is_none() {
            self.bytes -= cached.bytes;
            self.games.remove(name);
        }
    }

    /// Measures all games again, because they grow, and forgets those that are gone.
    fn measure(&mut self) {
        self.games.retain(|_, cached| match cached.game.upgrade() {
            Some(game) => {
                cached.bytes = measured(&game);
                true
            }
            None => false,
        });
        self.bytes = self.games.values().map(|cached| cached.bytes).sum();
    }
}

fn measured(game: &AnyGame) -> u64 {
    (game.bytes() as u64).max(LEAST_BYTES)
}

#[cfg(test)]
mod tests {
    use game::DeclaredGame;
    use games::catalog;

    use super::*;

    fn declared(name: &str) -> DeclaredGame {
        catalog::declared(name).expect("the game is in the catalog")
    }

    /// Finds a game in the cache or builds it, as the server does.
    fn get(cache: &GameCache, name: &str, capacity: u64, now: u64) -> Result<AnyGame, NoRoom> {
        let declared = declared(name);
        match cache.find(name, declared.bytes(), capacity, now)? {
            FoundGame::Game(game) => Ok(game),
            FoundGame::ToBuild(_) => {
                let game = declared.build(1 << 16);
                cache.keep(name, &game, now);
                Ok(game)
            }
        }
    }

    fn is_in_memory(cache: &GameCache, name: &str) -> bool {
        cache.state().games.get(name).is_some_and(|cached| cached.game.upgrade().is_some())
    }

    #[test]
    fn a_game_is_built_once_and_found_again() {
        let cache = GameCache::default();
        let first = get(&cache, "misere", 1 << 30, 1).unwrap();
        assert!(matches!(cache.find("misere", 0, 1 << 30, 2), Ok(FoundGame::Game(_))));
        assert_eq!(cache.gauges.bytes.get(), i64::try_from(first.bytes()).unwrap());
    }

    #[test]
    fn two_who_want_a_game_at_once_wait_for_one_cell() {
        let cache = GameCache::default();
        let Ok(FoundGame::ToBuild(first)) = cache.find("misere", 0, 1 << 30, 1) else { panic!() };
        let Ok(FoundGame::ToBuild(second)) = cache.find("misere", 0, 1 << 30, 1) else { panic!() };
        assert!(Arc::ptr_eq(&first, &second));
        drop((first, second));
        assert!(matches!(cache.find("wild", 0, 1 << 30, 1), Ok(FoundGame::ToBuild(_))));
        assert_eq!(cache.state().building.len(), 1, "nobody waits for the first any more");
    }

    #[test]
    fn games_that_are_being_built_count() {
        let cache = GameCache::default();
        let first = cache.find("misere", 600, 1_000, 1);
        assert!(matches!(first, Ok(FoundGame::ToBuild(_))));
        assert!(matches!(cache.find("wild", 600, 1_000, 1), Err(NoRoom)));
        drop(first);
        assert!(matches!(cache.find("wild", 600, 1_000, 1), Ok(FoundGame::ToBuild(_))));
    }

    #[test]
    fn the_least_recently_used_game_leaves_first() {
        let cache = GameCache::default();
        for (now, name) in [(1, "mnk:7,7,4"), (2, "mnk:7,6,4"), (3, "mnk:7,5,4"), (4, "mnk:7,7,4")]
        {
            get(&cache, name, 1 << 30, now).unwrap();
        }
        let bytes = cache.state().bytes;
        assert!(cache.state().make_room(bytes - 1).is_ok());
        let left = ["mnk:7,7,4", "mnk:7,6,4", "mnk:7,5,4"].map(|name| is_in_memory(&cache, name));
        assert_eq!(left, [true, false, true]);
        assert!(cache.state().make_room(0).is_ok());
        assert_eq!(cache.state().bytes, 0);
    }

    #[test]
    fn a_game_that_a_table_uses_stays_and_counts() {
        let cache = GameCache::default();
        let used = get(&cache, "mnk:9,9,5", 1 << 30, 1).unwrap();
        let capacity = used.bytes() as u64;
        assert_eq!(get(&cache, "mnk:9,8,5", capacity, 2).map(drop), Err(NoRoom));
        assert!(matches!(cache.find("mnk:9,9,5", 0, capacity, 3), Ok(FoundGame::Game(_))));
        drop(used);
        assert!(get(&cache, "mnk:9,8,5", capacity * 2, 4).is_ok(), "its table is gone");
        assert!(get(&cache, "mnk:8,9,5", capacity * 2, 5).is_ok());
        assert!(!is_in_memory(&cache, "mnk:9,9,5"));
    }

    #[test]
    fn large_games_leave_room_for_small_ones() {
        let cache = GameCache::default();
        let capacity = 8_000_000;
        let boards = ["mnk:9,9,5", "mnk:9,9,4", "mnk:9,8,5", "mnk:9,8,4", "mnk:8,9,5", "mnk:8,9,4"];
        let boards = boards.into_iter().cycle().take(6);
        let used: Vec<_> = boards.map_while(|name| get(&cache, name, capacity, 1).ok()).collect();
        assert!(!used.is_empty() && used.len() < 6, "{} large boards fit", used.len());
        assert!(get(&cache, "tic-tac-toe", capacity, 2).is_ok());
    }

    #[test]
    fn games_that_nobody_uses_leave_after_a_while() {
        let cache = GameCache::default();
        let used = get(&cache, "misere", 1 << 30, 10).unwrap();
        drop(get(&cache, "wild", 1 << 30, 10).unwrap());
        drop(get(&cache, "notakto", 1 << 30, 20).unwrap());
        cache.tidy(15, 1 << 30);
        let all = ["misere", "wild", "notakto"].map(|name| is_in_memory(&cache, name));
        assert_eq!(all, [true, false, true]);
        drop(used);
        cache.tidy(30, 1 << 30);
        assert_eq!((cache.gauges.games.get(), cache.gauges.bytes.get()), (0, 0));
    }
}
