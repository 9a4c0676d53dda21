//! Events that wait until no b-thread blocks them.

/// Blocked events, in the order in which they came.
///
/// An event that leaves keeps its place until the superstep is over, so that it can come back. An
/// event that was blocked is not looked at again before some block is lifted.
#[derive(Clone, Debug)]
pub(crate) struct EventQueue<T> {
    places: Vec<Option<T>>,
    /// The number of events.
    count: usize,
    /// The events that left since the superstep began, with their places.
    released: Vec<(usize, T)>,
    /// All events before this place are blocked, as long as no block is lifted.
    blocked_before: usize,
    /// How often blocks had been lifted then.
    lifted: u64,
}

impl<T> Default for EventQueue<T> {
    fn default() -> Self {
        let (places, released) = (Vec::new(), Vec::new());
        Self { places, count: 0, released, blocked_before: 0, lifted: 0 }
    }
}

impl<T: Clone> EventQueue<T> {
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Adds a blocked event.
    pub(crate) fn push(&mut self, event: T) {
        self.places.push(Some(event));
        self.count += 1;
    }

    /// Takes the first event out of the queue that is not blocked.
    pub(crate) fn next(&mut self, lifted: u64, is_blocked: impl Fn(&T) -> bool) -> Option<T> {
        if lifted != self.lifted {
            (self.lifted, self.blocked_before) = (lifted, 0);
        }
        let is_free = |event: &Option<T>| event.as_ref().is_some_and(|event| !is_blocked(event));
        let found = self.places[self.blocked_before..].iter().position(is_free);
        self.blocked_before = found.map_or(self.places.len(), |found| self.blocked_before + found);
        let event = self.places.get_mut(self.blocked_before)?.take()?;
        self.count -= 1;
        self.released.push((self.blocked_before, event.clone()));
        Some(event)
    }

    /// The events, in order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        QueuedEvents { places: self.places.iter(), left: self.count }
    }

    /// Keeps what happened since the superstep began.
    pub(crate) fn commit(&mut self) {
        if !self.released.is_empty() {
            self.released.clear();
            self.places.retain(Option::is_some);
            self.blocked_before = 0;
        }
    }

    /// Puts the events back that left since the superstep began.
    pub(crate) fn undo(&mut self) {
        self.count += self.released.len();
        for (place, event) in self.released.drain(..) {
            self.places[place] = Some(event);
        }
        self.blocked_before = 0;
    }
}

impl<T> FromIterator<T> for EventQueue<T> {
    fn from_iter<I: IntoIterator<Item = T>>(events: I) -> Self {
        let places: Vec<Option<T>> = events.into_iter().map(Some).collect();
        Self { count: places.len(), places, ..Self::default() }
    }
}

struct QueuedEvents<'a, T> {
    places: std::slice::Iter<'a, Option<T>>,
    left: usize,
}

impl<'a, T> Iterator for QueuedEvents<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        let event = self.places.by_ref().flatten().next()?;
        self.left -= 1;
        Some(event)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T> ExactSizeIterator for QueuedEvents<'_, T> {}
