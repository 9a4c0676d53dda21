//! Deflate (RFC 1951) for texts in links, in little code: the lab would be a thirtieth larger with a
//! library that also packs quickly and best.

/// Why bytes cannot be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotUnpacked {
    /// They are damaged, or something else.
    Damaged,
    /// There would be more than the bound.
    TooLong,
}

/// The longest repetition, and how far back one may lie.
const LONGEST: usize = 258;
const FARTHEST: usize = 32_768;

/// The shortest repetition that is worth being named.
const SHORTEST: usize = 4;

/// The most places that are compared for the longest repetition.
const MOST_TRIES: usize = 200;

/// The symbol at the end of a block, and the one of the shortest length.
const END: u16 = 256;
const FIRST_LENGTH: u16 = 257;

/// Packs bytes in one block with the fixed codes of the format.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut out = BitWriter::default();
    out.add(0b011, 3);
    let mut repetitions = Repetitions::of(bytes);
    let mut at = 0;
    while at < bytes.len() {
        let here = repetitions.longest(at);
        // A longer one that begins a byte later is better.
        let later = repetitions.longest(at + 1);
        let length = match here {
            Some((length, distance)) if later.is_none_or(|(other, _)| other <= length) => {
                out.add_repetition(length, distance);
                length
            }
            _ => {
                out.add_symbol(u16::from(bytes[at]));
                1
            }
        };
        at += length;
    }
    out.add_symbol(END);
    out.bytes
}

/// Where a text repeats itself.
struct Repetitions<'a> {
    bytes: &'a [u8],
    /// For each place the last one before it that begins alike.
    before: Vec<Option<usize>>,
}

impl<'a> Repetitions<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let mut last = vec![None; 1 << 12];
        let bucket = |start: &[u8]| {
            let hash = start.iter().fold(0_usize, |hash, byte| hash * 31 + usize::from(*byte));
            hash % (1 << 12)
        };
        let mut before = vec![None; bytes.len()];
        for (place, start) in bytes.windows(SHORTEST).enumerate() {
            before[place] = last[bucket(start)].replace(place);
        }
        Self { bytes, before }
    }

    /// The length and the distance of the longest repetition at a place.
    fn longest(&mut self, at: usize) -> Option<(usize, usize)> {
        let mut best = None;
        let mut place = self.before.get(at).copied().flatten();
        for _ in 0..MOST_TRIES {
            let Some(start) = place.filter(|start| at - start <= FARTHEST) else { break };
            let pairs = self.bytes[start..].iter().zip(&self.bytes[at..]);
            let length = pairs.take(LONGEST).take_while(|(one, other)| one == other).count();
            if length >= SHORTEST && best.is_none_or(|(known, _)| length > known) {
                best = Some((length, at - start));
            }
            place = self.before[start];
        }
        best
    }
}

/// The least length of a symbol for lengths, and the number of bits that are added.
fn length_of(index: u16) -> (usize, u32) {
    let place = usize::from(index);
    match index {
        0..8 => (3 + place, 0),
        28.. => (LONGEST, 0),
        _ => {
            let extra = u32::from(index) / 4 - 1;
            (3 + ((4 + place % 4) << extra), extra)
        }
    }
}

/// The least distance of a symbol for distances, and the number of bits that are added.
fn distance_of(index: u16) -> (usize, u32) {
    let place = usize::from(index);
    if index < 4 {
        return (1 + place, 0);
    }
    let extra = u32::from(index) / 2 - 1;
    (1 + ((2 + place % 2) << extra), extra)
}

/// The numbers of symbols for lengths and for distances.
const LENGTHS: u16 = 29;
const DISTANCES: u16 = 30;

/// Bits, the lowest of each byte first.
#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    count: usize,
}

impl BitWriter {
    /// Adds bits, the lowest first.
    fn add(&mut self, value: usize, count: u32) {
        for bit in 0..count {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= u8::from(value >> bit & 1 == 1) << (self.count % 8);
            }
            self.count += 1;
        }
    }

    /// Adds a code, the highest bit first.
    fn add_code(&mut self, code: u16, count: u32) {
        for bit in (0..count).rev() {
            self.add(usize::from(code >> bit & 1), 1);
        }
    }

    /// Adds a symbol by its fixed code.
    fn add_symbol(&mut self, symbol: u16) {
        match symbol {
            ..144 => self.add_code(0x30 + symbol, 8),
            144..256 => self.add_code(0x190 + symbol - 144, 9),
            256..280 => self.add_code(symbol - 256, 7),
            _ => self.add_code(0xc0 + symbol - 280, 8),
        }
    }

    fn add_repetition(&mut self, length: usize, distance: usize) {
        let last = |count: u16, of: fn(u16) -> (usize, u32), value: usize| {
            (0..count).rev().find(|index| of(*index).0 <= value).unwrap_or(0)
        };
        let index = last(LENGTHS, length_of, length);
        let (least, extra) = length_of(index);
        self.add_symbol(FIRST_LENGTH + index);
        self.add(length - least, extra);
        let index = last(DISTANCES, distance_of, distance);
        let (least, extra) = distance_of(index);
        self.add_code(index, 5);
        self.add(distance - least, extra);
    }
}

/// Unpacks at most this number of bytes.
///
/// # Errors
/// If the bytes are damaged, or there are more.
pub(super) fn unpack(packed: &[u8], most: usize) -> Result<Vec<u8>, NotUnpacked> {
    let mut reader = Unpacking { packed, at: 0, out: Vec::new(), most };
    while !reader.block().ok_or(NotUnpacked::Damaged)?? {}
    Ok(reader.out)
}

/// Bytes that are being unpacked. `None` means that they are damaged.
struct Unpacking<'a> {
    packed: &'a [u8],
    /// The number of bits that were read.
    at: usize,
    out: Vec<u8>,
    most: usize,
}

/// The order in which the lengths of the codes for lengths are written.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

impl Unpacking<'_> {
    /// Unpacks a block; returns whether it is the last one.
    fn block(&mut self) -> Option<Result<bool, NotUnpacked>> {
        let is_last = self.bits(1)? == 1;
        let done = match self.bits(2)? {
            0 => self.stored()?,
            1 => {
                let length = |symbol: u16| match symbol {
                    144..256 => 9,
                    256..280 => 7,
                    _ => 8,
                };
                let symbols: Vec<u8> = (0..288).map(length).collect();
                self.coded(&Codes::of(&symbols)?, &Codes::of(&[5; DISTANCES as usize])?)?
            }
            2 => {
                let (symbols, distances) = self.codes()?;
                self.coded(&symbols, &distances)?
            }
            _ => return None,
        };
        Some(done.map(|()| is_last))
    }

    fn bits(&mut self, count: u32) -> Option<usize> {
        let mut value = 0;
        for bit in 0..count {
            let byte = *self.packed.get(self.at / 8)?;
            value |= usize::from(byte >> (self.at % 8) & 1) << bit;
            self.at += 1;
        }
        Some(value)
    }

    fn add(&mut self, byte: u8) -> Result<(), NotUnpacked> {
        if self.out.len() >= self.most {
            return Err(NotUnpacked::TooLong);
        }
        self.out.push(byte);
        Ok(())
    }

    /// A block of bytes as they are.
    fn stored(&mut self) -> Option<Result<(), NotUnpacked>> {
        self.at = self.at.next_multiple_of(8);
        let (length, check) = (self.bits(16)?, self.bits(16)?);
        if length != !check & 0xffff {
            return None;
        }
        for _ in 0..length {
            let byte = u8::try_from(self.bits(8)?).ok()?;
            if let Err(error) = self.add(byte) {
                return Some(Err(error));
            }
        }
        Some(Ok(()))
    }

    /// The codes of a block that brings its own: for symbols, and for distances.
    fn codes(&mut self) -> Option<(Codes, Codes)> {
        let symbols = 257 + self.bits(5)?;
        let distances = 1 + self.bits(5)?;
        let count = 4 + self.bits(4)?;
        let mut lengths = [0; ORDER.len()];
        for place in ORDER.iter().take(count) {
            lengths[*place] = u8::try_from(self.bits(3)?).ok()?;
        }
        let codes = Codes::of(&lengths)?;
        let mut lengths: Vec<u8> = Vec::new();
        while lengths.len() < symbols + distances {
            let (length, times) = match self.symbol(&codes)? {
                16 => (*lengths.last()?, 3 + self.bits(2)?),
                17 => (0, 3 + self.bits(3)?),
                18 => (0, 11 + self.bits(7)?),
                length => (u8::try_from(length).ok()?, 1),
            };
            lengths.resize(lengths.len() + times, length);
        }
        let (symbols, distances) = lengths.split_at_checked(symbols)?;
        Some((Codes::of(symbols)?, Codes::of(distances)?))
    }

    fn symbol(&mut self, codes: &Codes) -> Option<u16> {
        let (mut code, mut first, mut place) = (0, 0, 0);
        for count in codes.counts {
            code = 2 * code + self.bits(1)?;
            first *= 2;
            if code < first + count {
                return codes.symbols.get(place + code - first).copied();
            }
            (first, place) = (first + count, place + count);
        }
        None
    }

    /// The symbols of a block, until its end.
    fn coded(&mut self, symbols: &Codes, distances: &Codes) -> Option<Result<(), NotUnpacked>> {
        loop {
            let symbol = self.symbol(symbols)?;
            let done = match symbol {
                END => return Some(Ok(())),
                ..END => self.add(u8::try_from(symbol).ok()?),
                _ => self.repetition(symbol - FIRST_LENGTH, distances)?,
            };
            if done.is_err() {
                return Some(done);
            }
        }
    }

    fn repetition(&mut self, length: u16, distances: &Codes) -> Option<Result<(), NotUnpacked>> {
        let (least, extra) = Some(length).filter(|length| *length < LENGTHS).map(length_of)?;
        let length = least + self.bits(extra)?;
        let index = self.symbol(distances)?;
        let (least, extra) = Some(index).filter(|index| *index < DISTANCES).map(distance_of)?;
        let distance = least + self.bits(extra)?;
        let start = self.out.len().checked_sub(distance)?;
        for place in start..start + length {
            let byte = self.out[place];
            if let Err(error) = self.add(byte) {
                return Some(Err(error));
            }
        }
        Some(Ok(()))
    }
}

/// Codes of symbols: shorter ones are smaller, and equally long ones ascend with their symbols.
struct Codes {
    /// The number of codes of each length from 1 on.
    counts: [usize; 15],
    /// The symbols in the order of their codes.
    symbols: Vec<u16>,
}

impl Codes {
    /// The codes of these lengths; a symbol of length 0 has none.
    fn of(lengths: &[u8]) -> Option<Self> {
        let mut counts = [0; 15];
        let mut symbols = Vec::new();
        let mut free = 1;
        for (length, count) in (1..).zip(&mut counts) {
            let own = (0..).zip(lengths).filter(|(_, other)| **other == length);
            let own = own.map(|(symbol, _)| symbol);
            let before = symbols.len();
            symbols.extend(own);
            *count = symbols.len() - before;
            free = usize::checked_sub(2 * free, *count)?;
        }
        Some(Self { counts, symbols })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use flate2::Compression;
    use flate2::read::DeflateDecoder;
    use flate2::write::DeflateEncoder;

    use super::super::EXAMPLES;
    use super::*;

    const MOST: usize = 1 << 20;

    /// Texts, noise, and repetitions at all distances.
    fn samples() -> Vec<Vec<u8>> {
        let mut samples: Vec<Vec<u8>> =
            EXAMPLES.iter().map(|example| example.text.as_bytes().to_vec()).collect();
        let mut noise = 1_u32;
        let mut noisy = |length: usize| -> Vec<u8> {
            let bytes = std::iter::repeat_with(|| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                noise.to_be_bytes()[0]
            });
            bytes.take(length).collect()
        };
        samples.extend([0, 1, 3, 300, 40_000].map(&mut noisy));
        let once = noisy(33_000);
        samples.push([once.clone(), once].concat());
        samples.push(vec![b'a'; 100_000]);
        samples
    }

    #[test]
    fn what_was_packed_is_unpacked_here_and_by_the_library() {
        for sample in samples() {
            let packed = pack(&sample);
            assert_eq!(unpack(&packed, MOST).as_ref(), Ok(&sample));
            let mut library = Vec::new();
            DeflateDecoder::new(&*packed).read_to_end(&mut library).unwrap();
            assert_eq!(library, sample);
        }
    }

    #[test]
    fn what_the_library_packs_in_any_way_is_unpacked() {
        for sample in samples() {
            for level in [0, 1, 6, 9] {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(level));
                encoder.write_all(&sample).unwrap();
                let packed = encoder.finish().unwrap();
                assert_eq!(unpack(&packed, MOST).as_ref(), Ok(&sample), "{level}");
            }
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_are_other_bytes_but_never_more_than_the_bound() {
        let packed = pack(&EXAMPLES[0].text.as_bytes()[..600]);
        for bit in 0..packed.len() * 8 {
            let mut damaged = packed.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            if let Ok(bytes) = unpack(&damaged, 5_000) {
                assert!(bytes.len() <= 5_000);
            }
        }
        for end in 0..packed.len() - 1 {
            assert_eq!(unpack(&packed[..end], MOST), Err(NotUnpacked::Damaged));
        }
        assert_eq!(unpack(&pack(&[0; 101]), 100), Err(NotUnpacked::TooLong));
        assert!(unpack(&pack(&[0; 100]), 100).is_ok());
    }
}
