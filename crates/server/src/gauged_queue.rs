//! Bounded queues whose lengths are measured.

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::{SendError, TrySendError};

/// A bounded queue; the gauge has the sum of the lengths of all queues that share it.
pub(crate) fn gauged_queue<T>(
    capacity: u32,
    gauge: &Gauge,
) -> (GaugedSender<T>, GaugedReceiver<T>) {
    let (sender, receiver) = mpsc::channel(capacity.max(1) as usize);
    let sender = GaugedSender { sender, gauge: gauge.clone() };
    (sender, GaugedReceiver { receiver, gauge: gauge.clone() })
}

/// The sending end of a queue.
#[derive(Debug)]
pub(crate) struct GaugedSender<T> {
    sender: mpsc::Sender<T>,
    gauge: Gauge,
}

/// The receiving end of a queue.
#[derive(Debug)]
pub(crate) struct GaugedReceiver<T> {
    receiver: mpsc::Receiver<T>,
    gauge: Gauge,
}

impl<T> Clone for GaugedSender<T> {
    fn clone(&self) -> Self {
        Self { sender: self.sender.clone(), gauge: self.gauge.clone() }
    }
}

impl<T> GaugedSender<T> {
    pub(crate) fn try_send(&self, item: T) -> Result<(), TrySendError<T>> {
        self.sender.try_send(item)?;
        self.gauge.inc();
        Ok(())
    }

    pub(crate) async fn send(&self, item: T) -> Result<(), SendError<T>> {
        self.sender.send(item).await?;
        self.gauge.inc();
        Ok(())
    }

    /// Waits for room, calls a function, and sends: what is sent after the call is behind this item. Nothing is
    /// sent if the queue is closed.
    pub(crate) async fn send_after(&self, item: T, call: impl FnOnce()) {
        let room = self.sender.reserve().await;
        call();
        if let Ok(room) = room {
            room.send(item);
            self.gauge.inc();
        }
    }
}

impl<T> GaugedReceiver<T> {
    pub(crate) async fn recv(&mut self) -> Option<T> {
        let item = self.receiver.recv().await?;
        self.gauge.dec();
        Some(item)
    }

    fn try_recv(&mut self) -> Option<T> {
        let item = self.receiver.try_recv().ok()?;
        self.gauge.dec();
        Some(item)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.receiver.is_empty()
    }
}

impl<T> Drop for GaugedReceiver<T> {
    fn drop(&mut self) {
        // After this no item is added, and the rest is counted as received.
        self.receiver.close();
        while self.try_recv().is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_gauge_has_the_length_of_all_queues() {
        let gauge = Gauge::default();
        let (first, mut first_receiver) = gauged_queue(2, &gauge);
        let (second, second_receiver) = gauged_queue(9, &gauge);
        first.send(1).await.unwrap();
        first.try_send(2).unwrap();
        assert!(first.try_send(3).is_err(), "it is full");
        second.clone().try_send(4).unwrap();
        second.try_send(5).unwrap();
        assert_eq!(gauge.get(), 4);
        assert_eq!(first_receiver.recv().await, Some(1));
        assert_eq!((first_receiver.try_recv(), first_receiver.try_recv()), (Some(2), None));
        assert_eq!(gauge.get(), 2);
        drop(second_receiver);
        assert!(second.try_send(6).is_err() && second.send(7).await.is_err(), "it is closed");
        assert_eq!(gauge.get(), 0);
    }
}
