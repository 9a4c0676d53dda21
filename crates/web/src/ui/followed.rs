//! Values that views follow: [`Followed`] ones, which somebody sets, and [`Derived`] ones.
//!
//! The framework has signals and memos for each type of value, and the page would hold their code once
//! for each. Here the framework sees one type, `AnyValue`.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::owner::StoredValue;
use reactive_graph::signal::RwSignal;
use reactive_graph::traits::{Get as _, GetUntracked as _, Set as _, Track as _};

/// What can be kept in a value that views follow.
pub(crate) trait Kept: Any + Send + Sync + Clone {}

impl<T: Any + Send + Sync + Clone> Kept for T {}

/// A value that views follow. Copies share it.
pub(crate) struct Followed<T> {
    signal: RwSignal<AnyValue>,
    kind: PhantomData<fn() -> T>,
}

/// A value that follows from others. Views that follow it are drawn again only if it differs.
pub(crate) struct Derived<T> {
    memo: Memo<AnyValue>,
    kind: PhantomData<fn() -> T>,
}

/// A value of any type.
#[derive(Clone)]
struct AnyValue(Arc<dyn Comparable>);

trait Comparable: Send + Sync {
    fn is_equal(&self, other: &dyn Any) -> bool;

    fn as_any(&self) -> &dyn Any;
}

/// A value that differs from all others.
struct Incomparable<T>(T);

impl<T: Any + Send + Sync> Comparable for Incomparable<T> {
    fn is_equal(&self, _other: &dyn Any) -> bool {
        false
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }
}

struct ByValue<T>(T);

impl<T: Any + Send + Sync + PartialEq> Comparable for ByValue<T> {
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(&self.0)
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }
}

impl PartialEq for AnyValue {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal(other.0.as_any())
    }
}

impl AnyValue {
    fn read<T: Any, U>(&self, read: impl FnOnce(&T) -> U) -> Option<U> {
        self.0.as_any().downcast_ref().map(read)
    }
}

/// Why a value can be read: views go before what they follow.
const ALIVE: &str = "a view goes before the values that it follows";

impl<T: Kept> Followed<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { signal: signal(Arc::new(Incomparable(value))), kind: PhantomData }
    }

    /// Reads the value, and follows it; `None` if its view has gone.
    pub(crate) fn try_with<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        self.signal.try_get()?.read(read)
    }

    /// Reads the value once; `None` if its view has gone.
    pub(crate) fn try_with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        self.signal.try_get_untracked()?.read(read)
    }

    pub(crate) fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.try_with(read).expect(ALIVE)
    }

    pub(crate) fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.try_with_untracked(read).expect(ALIVE)
    }

    pub(crate) fn try_get(self) -> Option<T> {
        self.try_with(T::clone)
    }

    pub(crate) fn try_get_untracked(self) -> Option<T> {
        self.try_with_untracked(T::clone)
    }

    pub(crate) fn get(self) -> T {
        self.with(T::clone)
    }

    pub(crate) fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }

    pub(crate) fn track(self) {
        self.signal.track();
    }

    /// Sets the value, unless its view has gone.
    pub(crate) fn set(self, value: T) {
        set(self.signal, Arc::new(Incomparable(value)));
    }

    /// Changes the value, unless its view has gone.
    pub(crate) fn update(self, change: impl FnOnce(&mut T)) {
        if let Some(mut value) = self.try_get_untracked() {
            change(&mut value);
            self.set(value);
        }
    }
}

fn signal(value: Arc<dyn Comparable>) -> RwSignal<AnyValue> {
    RwSignal::new(AnyValue(value))
}

fn set(signal: RwSignal<AnyValue>, value: Arc<dyn Comparable>) {
    drop(signal.try_set(AnyValue(value)));
}

impl<T: Kept + PartialEq> Derived<T> {
    pub(crate) fn new(derive: impl Fn() -> T + Send + Sync + 'static) -> Self {
        let memo = memo(Box::new(move || AnyValue(Arc::new(ByValue(derive())))));
        Self { memo, kind: PhantomData }
    }

    pub(crate) fn try_get(self) -> Option<T> {
        self.memo.try_get()?.read(T::clone)
    }

    pub(crate) fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.memo.get().read(read).expect(ALIVE)
    }

    pub(crate) fn get(self) -> T {
        self.try_get().expect(ALIVE)
    }

    pub(crate) fn get_untracked(self) -> T {
        self.memo.get_untracked().read(T::clone).expect(ALIVE)
    }

    pub(crate) fn track(self) {
        self.memo.track();
    }
}

fn memo(derive: Box<dyn Fn() -> AnyValue + Send + Sync>) -> Memo<AnyValue> {
    Memo::new(move |_| derive())
}

/// Does something now, and again whenever what it reads has changed.
pub(crate) fn effect(act: impl Fn() + 'static) {
    let act: Box<dyn Fn()> = Box::new(act);
    Effect::new(move |_| act());
}

/// Keeps a value until the view that is being drawn goes: a timer, or a listener.
pub(crate) fn keep<T: 'static>(value: T) {
    StoredValue::new_local(value);
}

impl<T> Clone for Followed<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Followed<T> {}

impl<T> Clone for Derived<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Derived<T> {}

impl<T> fmt::Debug for Followed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Followed")
    }
}
