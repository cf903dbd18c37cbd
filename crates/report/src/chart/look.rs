//! How does a line look?
//!
//! Important lines are wide and colored. Their colors stay apart for color-blind eyes and differ in luminance, and no
//! two share a dash pattern, so that a print without color has them too. All others are thin and grayish, in four
//! tints by seven patterns: 28 lines that can be found again from the legend.

use std::fmt::Write as _;

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Its color.
    pub tint: Tint,
    /// Its dashes and gaps, in turn; none for a solid line.
    pub dashes: &'static [u8],
    /// Its width.
    pub weight: Weight,
}

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// One of many.
    Thin,
    /// A reader looks for it.
    Important,
    /// *The* line.
    Heaviest,
}

/// A color. The page gives each another value on a dark ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// The color of text.
    Ink,
    /// Deep blue.
    Blue,
    /// Vermilion.
    Vermilion,
    /// Bluish green.
    Green,
    /// Reddish purple.
    Purple,
    /// Orange.
    Orange,
    /// Middle gray.
    Gray,
    /// Grays of four tints.
    Slate,
    /// Grays of four tints.
    Clay,
    /// Grays of four tints.
    Moss,
    /// Grays of four tints.
    Plum,
}

impl Tint {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Ink,
        Self::Blue,
        Self::Vermilion,
        Self::Green,
        Self::Purple,
        Self::Orange,
        Self::Gray,
        Self::Slate,
        Self::Clay,
        Self::Moss,
        Self::Plum,
    ];

    /// Its class in a style sheet.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Self::Ink => "t-ink",
            Self::Blue => "t-blue",
            Self::Vermilion => "t-vermilion",
            Self::Green => "t-green",
            Self::Purple => "t-purple",
            Self::Orange => "t-orange",
            Self::Gray => "t-gray",
            Self::Slate => "t-slate",
            Self::Clay => "t-clay",
            Self::Moss => "t-moss",
            Self::Plum => "t-plum",
        }
    }

    /// Its color on white.
    #[must_use]
    pub fn on_white(self) -> &'static str {
        match self {
            Self::Ink => "#111111",
            Self::Blue => "#0b4fb3",
            Self::Vermilion => "#d55e00",
            Self::Green => "#00875f",
            Self::Purple => "#c0579a",
            Self::Orange => "#e69f00",
            Self::Gray => "#6e6e6e",
            Self::Slate => "#8b9bb0",
            Self::Clay => "#b09a8b",
            Self::Moss => "#93a88a",
            Self::Plum => "#a690ab",
        }
    }

    /// Its color on black.
    #[must_use]
    pub fn on_black(self) -> &'static str {
        match self {
            Self::Ink => "#f2f2f2",
            Self::Blue => "#6fb1ff",
            Self::Vermilion => "#ff8a3d",
            Self::Green => "#35c79a",
            Self::Purple => "#e58cc3",
            Self::Orange => "#ffc845",
            Self::Gray => "#a0a0a0",
            Self::Slate => "#66758a",
            Self::Clay => "#8a7566",
            Self::Moss => "#6d8263",
            Self::Plum => "#806a86",
        }
    }
}

impl Look {
    /// The n-th of the thin looks; they repeat after 28.
    #[must_use]
    pub fn thin(n: usize) -> Self {
        const TINTS: [Tint; 4] = [Tint::Slate, Tint::Clay, Tint::Moss, Tint::Plum];
        const DASHES: [&[u8]; 7] = [&[], &[6, 2], &[2, 2], &[9, 2, 2, 2], &[12, 4], &[5, 2, 1, 2, 1, 2], &[1, 3]];
        Self { tint: TINTS[n % 4], dashes: DASHES[(n + n / 4) % 7], weight: Weight::Thin }
    }

    /// Its width in pixels.
    #[must_use]
    pub fn width(self) -> f64 {
        match self.weight {
            Weight::Thin => 1.2,
            Weight::Important => 2.0,
            Weight::Heaviest => 3.0,
        }
    }

    /// As attributes of SVG.
    pub(super) fn attributes(self) -> String {
        let mut text = format!(
            r#"class="curve {}" fill="none" stroke="{}" stroke-width="{}""#,
            self.tint.class(),
            self.tint.on_white(),
            self.width()
        );
        if !self.dashes.is_empty() {
            let dashes: Vec<String> = self.dashes.iter().map(u8::to_string).collect();
            let _ = write!(text, r#" stroke-dasharray="{}""#, dashes.join(" "));
        }
        text
    }
}
