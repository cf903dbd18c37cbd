//! What is left of a shape when no letter of anybody's may be shown?
//!
//! A shape keeps short words beside digits (`thread-#`), and so may keep a name (`ann-#`). Its general form has
//! `{word}` for every run of letters outside braces: `{word}-#`. A shape without such letters is its own general form.

use super::latin::{Kind, kind};

/// Appends the general form of a shape to `out`.
pub fn general_shape(shape: &str, out: &mut String) {
    let mut rest = shape;
    while let Some(c) = rest.chars().next() {
        if c == '{'
            && let Some(end) = rest.find('}')
        {
            out.push_str(&rest[..=end]);
            rest = &rest[end + 1..];
        } else if matches!(kind(c), Kind::Letter | Kind::Foreign) {
            out.push_str("{word}");
            rest = rest.trim_start_matches(|c| matches!(kind(c), Kind::Letter | Kind::Foreign));
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn general(shape: &str) -> String {
        let mut out = String::new();
        general_shape(shape, &mut out);
        out
    }

    #[test]
    fn ours_a_general_shape_has_no_letters_of_its_own() {
        for (shape, expected) in [
            ("#", "#"),
            ("{word}", "{word}"),
            ("thread-#-#.html", "{word}-#-#.{word}"),
            ("b#,p#", "{word}#,{word}#"),
            ("{words}-#", "{words}-#"),
            ("größe-#", "{word}-#"),
            ("{", "{"),
            ("", ""),
        ] {
            assert_eq!(general(shape), expected, "{shape}");
            assert_eq!(general(expected), expected, "again");
        }
    }
}
