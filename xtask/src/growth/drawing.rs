//! The picture of growth: a panel for each task, both axes logarithmic.

use std::fmt::Write as _;

use super::curves::{GrowthCurves, exponent};
use super::tasks::TASKS;

const COLUMNS: usize = 3;
const WIDTH: f64 = 250.0;
const HEIGHT: f64 = 190.0;

/// How the lines look that show times from before and from now.
const BEFORE: &str = r##"stroke="#b3462e" stroke-dasharray="5 3""##;
const NOW: &str = r##"stroke="#1f6f8b""##;

/// The picture, as SVG.
pub(super) fn picture(before: &GrowthCurves, now: &GrowthCurves) -> String {
    let panels = TASKS
        .map(|task| Panel { title: task.title, lines: [before.of(task.name), now.of(task.name)] });
    let panels = panels.iter().filter(|panel| panel.points().next().is_some());
    let panels: Vec<&Panel> = panels.collect();
    let columns = [(); COLUMNS].iter().fold(0.0, |sum, ()| sum + WIDTH);
    let rows = panels.chunks(COLUMNS).fold(0.0, |sum, _| sum + HEIGHT);
    let (width, height) = (columns + 20.0, rows + 46.0);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">
<rect width="{width}" height="{height}" fill="#fff"/>
<text x="14" y="20" font-size="13" fill="#222">Seconds against n, both on logarithmic scales; n^1 is linear growth</text>
<line x1="450" y1="16" x2="476" y2="16" {BEFORE} stroke-width="2"/><text x="482" y="20" fill="#222">before</text>
<line x1="540" y1="16" x2="566" y2="16" {NOW} stroke-width="2"/><text x="572" y="20" fill="#222">now</text>
"##
    );
    let mut top = 34.0;
    for row in panels.chunks(COLUMNS) {
        let mut left = 14.0;
        for panel in row {
            panel.draw(left, top, &mut svg);
            left += WIDTH;
        }
        top += HEIGHT;
    }
    svg.push_str("</svg>\n");
    svg
}

/// The times of one task, before and now.
struct Panel {
    title: &'static str,
    lines: [Vec<(u32, f64)>; 2],
}

impl Panel {
    fn points(&self) -> impl Iterator<Item = (u32, f64)> {
        self.lines.iter().flatten().copied()
    }

    fn draw(&self, left: f64, top: f64, svg: &mut String) {
        let sizes = Scale::over(self.points().map(|(size, _)| f64::from(size).log10()));
        let times = Scale::over(self.decades().map(f64::from));
        let across =
            |size: u32| left + 44.0 + sizes.share(f64::from(size).log10()) * (WIDTH - 72.0);
        let down = |time: f64| top + HEIGHT - 34.0 - times.share(time) * (HEIGHT - 66.0);
        line(
            svg,
            format_args!(
                r##"<text x="{}" y="{}" fill="#222" font-weight="bold">{}</text>"##,
                left + 4.0,
                top + 14.0,
                self.title,
            ),
        );
        if let Some(exponent) = exponent(&self.lines[1]) {
            line(
                svg,
                format_args!(
                    r##"<text x="{}" y="{}" text-anchor="end" fill="#1f6f8b" font-size="9">n^{exponent:.1}</text>"##,
                    left + WIDTH - 28.0,
                    top + 26.0,
                ),
            );
        }
        for decade in self.decades() {
            let y = down(f64::from(decade));
            line(
                svg,
                format_args!(
                    r##"<line x1="{}" y1="{y:.1}" x2="{}" y2="{y:.1}" stroke="#ddd"/><text x="{}" y="{:.1}" text-anchor="end" fill="#555" font-size="9">{}</text>"##,
                    left + 44.0,
                    left + WIDTH - 28.0,
                    left + 40.0,
                    y + 4.0,
                    power_of_ten(decade),
                ),
            );
        }
        let mut marks: Vec<u32> = self.points().map(|(size, _)| size).collect();
        marks.sort_unstable();
        marks.dedup();
        for size in marks {
            line(
                svg,
                format_args!(
                    r##"<text x="{:.1}" y="{}" text-anchor="middle" fill="#555" font-size="9">{}</text>"##,
                    across(size),
                    top + HEIGHT - 20.0,
                    grouped(size),
                ),
            );
        }
        for (points, look) in self.lines.iter().zip([BEFORE, NOW]) {
            let at = |(size, time): &(u32, f64)| {
                format!("{:.1},{:.1}", across(*size), down(time.log10()))
            };
            let corners: Vec<String> = points.iter().map(at).collect();
            line(
                svg,
                format_args!(
                    r#"<polyline points="{}" fill="none" {look} stroke-width="2"/>"#,
                    corners.join(" "),
                ),
            );
        }
    }

    /// The powers of ten around all times.
    fn decades(&self) -> impl Iterator<Item = i32> {
        let is_above = |decade: i32| move |(_, time): (u32, f64)| time > 10_f64.powi(decade);
        let lowest = (-9..9).rev().find(|decade| self.points().all(is_above(*decade)));
        let lowest = lowest.unwrap_or(-9);
        let highest = (lowest + 1..10).find(|decade| !self.points().any(is_above(*decade)));
        lowest..=highest.unwrap_or(10)
    }
}

/// The numbers from the least to the greatest.
struct Scale {
    least: f64,
    span: f64,
}

impl Scale {
    fn over(numbers: impl Iterator<Item = f64>) -> Self {
        let (least, greatest) = numbers.fold((f64::MAX, f64::MIN), |(least, greatest), number| {
            (least.min(number), greatest.max(number))
        });
        Self { least, span: (greatest - least).max(f64::MIN_POSITIVE) }
    }

    /// Where a number lies, from 0 to 1.
    fn share(&self, number: f64) -> f64 {
        (number - self.least) / self.span
    }
}

fn line(svg: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(svg, "{text}").expect("writing to a string succeeds");
}

/// A power of ten seconds, as text.
fn power_of_ten(exponent: i32) -> String {
    let (units, unit) = match exponent {
        0.. => (exponent, "s"),
        -3..0 => (exponent + 3, "ms"),
        -6..-3 => (exponent + 6, "µs"),
        _ => (exponent + 9, "ns"),
    };
    format!("{} {unit}", 10_f64.powi(units))
}

/// A number with commas between groups of three digits.
fn grouped(number: u32) -> String {
    if number < 1_000 {
        return number.to_string();
    }
    format!("{},{:03}", grouped(number / 1_000), number % 1_000)
}

#[cfg(test)]
mod tests {
    use super::{GrowthCurves, grouped, picture, power_of_ten};

    #[test]
    fn every_measured_task_has_a_panel_with_both_curves() {
        let before = GrowthCurves::of_lines("intersections 200 0.09\nintersections 400 0.7\n");
        let now =
            "intersections 200 0.00005\nintersections 400 0.0002\nhot_requirements 100 0.03\n";
        let now = GrowthCurves::of_lines(now);
        let svg = picture(&before, &now);
        assert_eq!(svg.matches("font-weight=\"bold\"").count(), 2);
        assert!(svg.contains("n sets folded with &amp;</text>"));
        // The two times of before: the second one is higher up, and to the right.
        assert!(
            svg.contains(r##"<polyline points="58.0,91.9 236.0,69.8" fill="none" stroke="#b3"##),
            "{svg}"
        );
        for label in [">10 µs<", ">1 s<", ">200<", ">400<", ">n^2.0<"] {
            assert!(svg.contains(label), "{label}");
        }
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([7, 1_250, 1_000_000].map(grouped), ["7", "1,250", "1,000,000"]);
        let texts = [1, 0, -1, -3, -4, -6, -9].map(power_of_ten);
        assert_eq!(texts, ["10 s", "1 s", "100 ms", "1 ms", "100 µs", "1 µs", "1 ns"]);
    }
}
