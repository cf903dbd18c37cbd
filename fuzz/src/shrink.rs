//! What of a bad input is needed?
//!
//! Pieces are taken out, large ones first, as long as what is left still fails (Zeller's ddmin, its complements only).
//! Then bytes become plain where that changes nothing. Each try is asked of `fails`, which may start a process, so
//! there is a limit.

/// The smallest input that was found to fail, in at most `tries` tries.
pub fn shrunk(input: &[u8], tries: usize, mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut input = input.to_vec();
    let mut left = tries;
    let mut size = input.len().div_ceil(2);
    while size > 0 && left > 0 {
        let mut at = 0;
        let mut was_cut = false;
        while at < input.len() && left > 0 {
            let end = (at + size).min(input.len());
            let rest = [&input[..at], &input[end..]].concat();
            left -= 1;
            if fails(&rest) {
                input = rest;
                was_cut = true;
            } else {
                at = end;
            }
        }
        // What could not go before may go now; single bytes are tried once more at most.
        size = if was_cut && size > 1 { size.min(input.len()) } else { size / 2 };
    }
    for at in 0..input.len() {
        let old = input[at];
        if left == 0 || old == b'a' {
            continue;
        }
        left -= 1;
        input[at] = b'a';
        if !fails(&input) {
            input[at] = old;
        }
    }
    input
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_only_what_is_needed_is_left() {
        let noise: Vec<u8> = (0..5_000_u32).map(|n| (n % 251) as u8 | 0x80).collect();
        let bad = [&noise[..2_000], b"<", &noise[..900], b">", &noise[..300]].concat();
        let has = |input: &[u8]| {
            let open = input.iter().position(|byte| *byte == b'<');
            open.is_some_and(|open| input[open..].contains(&b'>'))
        };
        assert_eq!(shrunk(&bad, 2_000, has), b"<>");
        assert_eq!(shrunk(b"xyz", 100, |input| input.len() >= 2), b"aa");
    }

    #[test]
    fn ours_the_number_of_tries_has_a_limit() {
        let mut tries = 0;
        let left = shrunk(&[b'b'; 1_000], 50, |_| {
            tries += 1;
            false
        });
        assert_eq!((tries, left.len()), (50, 1_000));
    }
}
