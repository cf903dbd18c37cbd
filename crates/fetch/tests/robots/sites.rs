//! Which files are there? A tar archive, packed by xz, with one file a site.

use std::io::Read;

const ARCHIVE: &str = "conformance/robots-txt-4231-sites.tar.xz";
const BLOCK: usize = 512;

/// A site's name and its robots.txt.
pub(crate) struct Site {
    pub(crate) name: String,
    pub(crate) robots: Vec<u8>,
}

/// All sites in the order of their names; nothing if they are not here.
pub(crate) fn all() -> Option<Vec<Site>> {
    let file = std::fs::File::open(trodden_testing::data(ARCHIVE)?).unwrap();
    let mut tar = Vec::new();
    liblzma::read::XzDecoder::new(file).take(100 << 20).read_to_end(&mut tar).unwrap();
    let mut sites = Vec::new();
    let mut at = 0;
    while let Some(header) = tar.get(at..at + BLOCK).filter(|header| header[0] != 0) {
        let text = |from: usize, to: usize| {
            let field = &header[from..to];
            let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
            std::str::from_utf8(&field[..end]).unwrap().trim()
        };
        let size = usize::from_str_radix(text(124, 136), 8).unwrap();
        let start = at + BLOCK;
        if matches!(header[156], b'0' | 0) {
            let name = text(0, 100).rsplit('/').next().unwrap().to_owned();
            sites.push(Site { name, robots: tar[start..start + size].to_vec() });
        }
        at = start + size.next_multiple_of(BLOCK);
    }
    sites.sort_by(|a, b| a.name.cmp(&b.name));
    Some(sites)
}
