//! The channels of a client, by their numbers.

use super::{Channel, ClientChannel};

/// The channels of a client in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct ChannelList(Vec<(ClientChannel, Channel)>);

impl ChannelList {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a channel whose number is higher than all others.
    pub(super) fn push(&mut self, number: ClientChannel, channel: Channel) {
        self.0.push((number, channel));
    }

    pub(super) fn get(&self, number: ClientChannel) -> Option<&Channel> {
        let place = self.place(number)?;
        Some(&self.0[place].1)
    }

    pub(super) fn get_mut(&mut self, number: ClientChannel) -> Option<&mut Channel> {
        let place = self.place(number)?;
        Some(&mut self.0[place].1)
    }

    pub(super) fn remove(&mut self, number: ClientChannel) -> Option<Channel> {
        let place = self.place(number)?;
        Some(self.0.remove(place).1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (ClientChannel, &Channel)> {
        self.0.iter().map(|(number, channel)| (*number, channel))
    }

    fn place(&self, number: ClientChannel) -> Option<usize> {
        self.0.binary_search_by_key(&number, |(number, _)| *number).ok()
    }
}
