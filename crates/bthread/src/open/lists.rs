//! Many short lists in one arena.

/// Doubly linked lists of items, each item with an owner.
///
/// The cost of adding or removing an item does not depend on the length of the
/// lists, and a copy of all lists is a copy of three vectors.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// The first item of each list.
    heads: Vec<NodeLink>,
    /// The latest item of each owner.
    owners: Vec<NodeLink>,
    nodes: Vec<ListNode<T>>,
    free: NodeLink,
}

#[derive(Clone, Copy, Debug)]
struct ListNode<T> {
    item: T,
    owner: u32,
    list: u32,
    next: NodeLink,
    previous: NodeLink,
    /// The next item of the same owner, or the next free node.
    sibling: NodeLink,
}

/// The number of a node, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeLink(u32);

impl NodeLink {
    const NONE: Self = Self(u32::MAX);

    fn get(self) -> Option<usize> {
        (self != Self::NONE).then_some(self.0 as usize)
    }
}

impl<T: Copy> Lists<T> {
    pub(crate) fn new(lists: usize, owners: usize) -> Self {
        let (heads, owners) = (vec![NodeLink::NONE; lists], vec![NodeLink::NONE; owners]);
        Self { heads, owners, nodes: Vec::new(), free: NodeLink::NONE }
    }

    /// Adds an owner.
    pub(crate) fn add_owner(&mut self) {
        self.owners.push(NodeLink::NONE);
    }

    /// Removes the last owner, which must own nothing.
    pub(crate) fn remove_owner(&mut self) {
        debug_assert_eq!(self.owners.last(), Some(&NodeLink::NONE));
        self.owners.pop();
    }

    /// Adds `count` empty lists.
    pub(crate) fn add_lists(&mut self, count: usize) {
        self.heads.resize(self.heads.len() + count, NodeLink::NONE);
    }

    /// Removes the last list, which must be empty.
    pub(crate) fn remove_list(&mut self) {
        debug_assert_eq!(self.heads.last(), Some(&NodeLink::NONE));
        self.heads.pop();
    }

    pub(crate) fn is_empty(&self, list: u32) -> bool {
        self.heads[list as usize] == NodeLink::NONE
    }

    /// Puts an item of the owner at the front of a list.
    #[inline]
    pub(crate) fn add(&mut self, list: u32, owner: u32, item: T) {
        let next = self.heads[list as usize];
        let sibling = self.owners[owner as usize];
        let node = ListNode { item, owner, list, next, previous: NodeLink::NONE, sibling };
        let link = self.allocate(node);
        if let Some(next) = next.get() {
            self.nodes[next].previous = link;
        }
        self.heads[list as usize] = link;
        self.owners[owner as usize] = link;
    }

    #[inline]
    fn allocate(&mut self, node: ListNode<T>) -> NodeLink {
        if let Some(free) = self.free.get() {
            let link = self.free;
            self.free = self.nodes[free].sibling;
            self.nodes[free] = node;
            link
        } else {
            let number = u32::try_from(self.nodes.len()).ok().filter(|number| *number < u32::MAX);
            self.nodes.push(node);
            NodeLink(number.expect("fewer than 2^32 sets of events fit into memory"))
        }
    }

    /// Removes all items of the owner, and calls `show` with the list of each.
    #[inline]
    pub(crate) fn release(&mut self, owner: u32, mut show: impl FnMut(&mut Self, u32)) {
        let mut link = std::mem::replace(&mut self.owners[owner as usize], NodeLink::NONE);
        while let Some(number) = link.get() {
            let ListNode { list, next, previous, sibling, .. } = self.nodes[number];
            match previous.get() {
                Some(previous) => self.nodes[previous].next = next,
                None => self.heads[list as usize] = next,
            }
            if let Some(next) = next.get() {
                self.nodes[next].previous = previous;
            }
            self.nodes[number].sibling = self.free;
            self.free = link;
            link = sibling;
            show(self, list);
        }
    }

    /// The owner of the first item of a list.
    #[inline]
    pub(crate) fn first_owner(&self, list: u32) -> Option<u32> {
        self.heads[list as usize].get().map(|number| self.nodes[number].owner)
    }

    /// The items of a list with their owners.
    #[inline]
    pub(crate) fn items(&self, list: u32) -> impl Iterator<Item = (u32, T)> {
        let mut link = self.heads[list as usize];
        std::iter::from_fn(move || {
            let node = &self.nodes[link.get()?];
            link = node.next;
            Some((node.owner, node.item))
        })
    }

    /// The size in bytes.
    pub(crate) fn size(&self) -> usize {
        (self.heads.capacity() + self.owners.capacity()) * size_of::<NodeLink>()
            + self.nodes.capacity() * size_of::<ListNode<T>>()
    }
}
