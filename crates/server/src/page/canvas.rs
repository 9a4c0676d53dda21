//! A picture of thread on paper, in pixels, as a PNG file.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// A colour: red, green, blue.
pub(crate) type PixelColour = [u8; 3];

/// The parts of a pixel in each direction. Threads are drawn on this finer grid, in whole numbers, and
/// edges become smooth because a pixel may be covered in part.
pub(crate) const FINE: i32 = 3;

/// A point on the fine grid.
pub(crate) type FinePoint = (i32, i32);

/// A picture in pixels.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    width: usize,
    pixels: Vec<PixelColour>,
}

impl Canvas {
    /// An empty sheet.
    pub(crate) fn new(width: usize, height: usize, paper: PixelColour) -> Self {
        Self { width, pixels: vec![paper; width * height] }
    }

    fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// Draws threads of one colour, each along its points, `radius` parts of a pixel to each side.
    pub(crate) fn draw(&mut self, threads: &[Vec<FinePoint>], radius: i32, colour: PixelColour) {
        // One bit for each part of a pixel.
        let mut covered = vec![0_u16; self.pixels.len()];
        for thread in threads {
            for ends in thread.windows(2) {
                if let [from, to] = ends {
                    self.cover(&mut covered, (*from, *to), radius);
                }
            }
        }
        for (pixel, parts) in self.pixels.iter_mut().zip(covered) {
            if parts > 0 {
                *pixel = mixed(*pixel, colour, parts.count_ones());
            }
        }
    }

    /// Marks the parts of pixels that are near a straight piece of thread.
    fn cover(&self, covered: &mut [u16], ends: (FinePoint, FinePoint), radius: i32) {
        let ((x1, y1), (x2, y2)) = ends;
        let columns = pixels((x1.min(x2) - radius, x1.max(x2) + radius), self.width);
        let rows = pixels((y1.min(y2) - radius, y1.max(y2) + radius), self.height());
        for row in rows {
            for column in columns.clone() {
                let parts = (0..FINE * FINE).filter(|part| {
                    let at = (fine(column) + part % FINE, fine(row) + part / FINE);
                    is_near(at, ends, radius)
                });
                let bits = parts.fold(0, |bits, part| bits | 1_u16 << part);
                covered[row * self.width + column] |= bits;
            }
        }
    }

    /// The picture as a PNG file.
    pub(crate) fn png(&self) -> Vec<u8> {
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX).to_be_bytes();
        // Eight bits for each of red, green and blue; nothing else is special.
        let header = [&side(self.width)[..], &side(self.height()), &[8, 2, 0, 0, 0]].concat();
        let mut deflate = ZlibEncoder::new(Vec::new(), Compression::fast());
        for row in self.pixels.chunks(self.width) {
            // Each row begins with its filter: none.
            deflate.write_all(&[0]).expect("memory can always be written to");
            deflate.write_all(row.as_flattened()).expect("memory can always be written to");
        }
        let pixels = deflate.finish().expect("memory can always be written to");
        let chunks = [chunk(*b"IHDR", &header), chunk(*b"IDAT", &pixels), chunk(*b"IEND", &[])];
        [&b"\x89PNG\r\n\x1a\n"[..], &chunks.concat()].concat()
    }
}

/// A chunk of a PNG file: its length, its kind, its content, and a check of both.
fn chunk(kind: [u8; 4], content: &[u8]) -> Vec<u8> {
    let mut check = Crc::new();
    check.update(&kind);
    check.update(content);
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX).to_be_bytes();
    [&length[..], &kind, content, &check.sum().to_be_bytes()].concat()
}

/// The pixels of a row or column that a stretch of the fine grid touches.
fn pixels((from, to): (i32, i32), count: usize) -> std::ops::Range<usize> {
    let pixel = |at: i32| usize::try_from(at.div_euclid(FINE)).unwrap_or(0).min(count);
    pixel(from)..pixel(to + FINE)
}

fn fine(pixel: usize) -> i32 {
    i32::try_from(pixel).unwrap_or(i32::MAX / FINE) * FINE
}

/// Whether a point is within the radius of a straight piece.
fn is_near((x, y): FinePoint, ((x1, y1), (x2, y2)): (FinePoint, FinePoint), radius: i32) -> bool {
    let square = |x: i32, y: i32| i64::from(x) * i64::from(x) + i64::from(y) * i64::from(y);
    let limit = square(radius, 0);
    let (dx, dy) = (i64::from(x2 - x1), i64::from(y2 - y1));
    let (px, py) = (i64::from(x - x1), i64::from(y - y1));
    let (along, whole) = (px * dx + py * dy, dx * dx + dy * dy);
    if along <= 0 {
        return square(x - x1, y - y1) <= limit;
    }
    if along >= whole {
        return square(x - x2, y - y2) <= limit;
    }
    let across = px * dy - py * dx;
    across * across <= limit * whole
}

/// A pixel of which some of its parts are covered by a colour.
fn mixed(below: PixelColour, above: PixelColour, parts: u32) -> PixelColour {
    let all = FINE.unsigned_abs().pow(2);
    let mix = |below: u8, above: u8| {
        let sum = u32::from(below) * (all - parts) + u32::from(above) * parts;
        u8::try_from(sum / all).unwrap_or(above)
    };
    [0, 1, 2].map(|part| mix(below[part], above[part]))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::ZlibDecoder;

    use super::*;

    const PAPER: PixelColour = [250, 250, 250];
    const INK: PixelColour = [10, 20, 30];

    fn drawn() -> Canvas {
        let mut canvas = Canvas::new(20, 10, PAPER);
        canvas.draw(&[vec![(15, 15), (45, 15)]], 5, INK);
        canvas
    }

    #[test]
    fn a_thread_covers_the_pixels_along_its_points_and_no_others() {
        let canvas = drawn();
        let at = |column: usize, row: usize| canvas.pixels[row * 20 + column];
        assert_eq!(at(10, 5), INK);
        assert_eq!(at(10, 0), PAPER);
        assert_eq!(at(19, 5), PAPER);
        let edge = at(10, 3);
        assert!(edge != INK && edge != PAPER, "the edge is smooth: {edge:?}");
    }

    #[test]
    fn a_thread_that_leaves_the_sheet_is_cut_off() {
        let mut canvas = Canvas::new(4, 4, PAPER);
        canvas.draw(&[vec![(-30, 6), (60, 6)]], 3, INK);
        assert_eq!(canvas.pixels[2 * 4], INK);
        assert_eq!(canvas.pixels[0], PAPER);
    }

    #[test]
    fn the_file_holds_every_pixel() {
        let canvas = drawn();
        let file = canvas.png();
        assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(&file[16..24], [0, 0, 0, 20, 0, 0, 0, 10]);
        let length = usize::try_from(u32::from_be_bytes(file[33..37].try_into().unwrap())).unwrap();
        assert_eq!(&file[37..41], b"IDAT");
        let mut rows = Vec::new();
        ZlibDecoder::new(&file[41..41 + length]).read_to_end(&mut rows).unwrap();
        let row = |row: usize| canvas.pixels[row * 20..][..20].as_flattened();
        let expected: Vec<u8> = (0..10).flat_map(|number| [&[0], row(number)].concat()).collect();
        assert_eq!(rows, expected);
    }
}
