//! Limits for input from strangers.

/// The most that a decoder accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameLimits {
    /// The bytes of one frame.
    pub frame_bytes: u32,
    /// The depth to which arrays and objects of a payload may be nested.
    pub depth: u32,
    /// The frames in one body of a long poll.
    pub batch_frames: u32,
    /// The bytes of one body of a long poll.
    pub body_bytes: u32,
}

impl FrameLimits {
    /// 16 KiB in a frame, 32 levels in a payload, and in a body 256 KiB and 100 frames (the
    /// most that the `phoenix` client puts into one).
    pub const DEFAULT: Self =
        Self { frame_bytes: 16 * 1024, depth: 32, batch_frames: 100, body_bytes: 256 * 1024 };

    /// What a client accepts from the server that it has chosen: 1 MiB in a frame.
    pub const FROM_SERVER: Self = Self { frame_bytes: 1024 * 1024, ..Self::DEFAULT };

    /// Changes the limit for the bytes of a frame.
    #[must_use]
    pub const fn with_frame_bytes(self, frame_bytes: u32) -> Self {
        Self { frame_bytes, ..self }
    }

    /// Changes the limit for the depth of a payload.
    #[must_use]
    pub const fn with_depth(self, depth: u32) -> Self {
        Self { depth, ..self }
    }
}

impl Default for FrameLimits {
    /// [`FrameLimits::DEFAULT`].
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Whether a length exceeds a limit.
pub(crate) fn exceeds(length: usize, limit: u32) -> bool {
    u32::try_from(length).map_or(true, |length| length > limit)
}
