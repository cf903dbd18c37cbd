//! A part of a mirror: some of its pages, and the links between them.

use super::{Anchors, Mirror};
use crate::error::Error;
use crate::graph::{LinkGraph, PageId};
use crate::urls::UrlTexts;

impl Mirror {
    /// The same with these pages only, in their order. Links to others are gone, as if such pages did not exist. Only mirrors
    /// whose pages have URLs have parts.
    ///
    /// # Errors
    /// If there is none among them.
    pub fn part(mut self, mut keep: impl FnMut(PageId, &str) -> bool) -> Result<Self, Error> {
        let mut numbers: Vec<Option<PageId>> = vec![None; self.pages() as usize];
        let (mut urls, mut kept) = (UrlTexts::default(), 0);
        for page in 0..self.pages() {
            let url = self.urls.get(page);
            if keep(page, url) {
                urls.push(url)?;
                numbers[page as usize] = Some(kept);
                kept += 1;
            }
        }
        if kept == 0 {
            return Err(Error::NoPages { name: self.name });
        }
        let (mut offsets, mut targets, mut words) = (vec![0], Vec::new(), Vec::new());
        for page in (0..self.pages()).filter(|page| numbers[*page as usize].is_some()) {
            let start = self.graph.forward().offsets()[page as usize] as usize;
            for (at, target) in (start..).zip(self.graph.targets(page)) {
                let Some(target) = numbers[*target as usize] else { continue };
                targets.push(target);
                words.extend(self.anchors.as_ref().map(|anchors| anchors.of_link[at]));
            }
            offsets.push(targets.len() as u32);
        }
        let texts = self.texts.take().map(|texts| {
            let kept = texts.into_iter().zip(&numbers).filter(|(_, number)| number.is_some());
            kept.map(|(text, _)| text).collect()
        });
        let anchors = self.anchors.take().map(|anchors| Anchors { of_link: words, ..anchors });
        let graph = LinkGraph::from_rows(offsets, targets);
        let entry = self.entry.and_then(|entry| numbers[entry as usize]);
        Ok(Self { graph, urls, anchors, texts, entry, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::LinkGraphBuilder;
    use crate::mirror::{Kind, MirrorNotes};

    fn mirror() -> Mirror {
        let mut links = LinkGraphBuilder::default();
        [(0, 1), (0, 2), (1, 2), (2, 3), (3, 0)].into_iter().for_each(|(from, to)| links.link(from, to));
        let mut urls = UrlTexts::default();
        ["a", "b", "c", "d"].into_iter().for_each(|name| urls.push(&format!("http://x.test/{name}")).unwrap());
        Mirror::new(links.finish().unwrap().0, urls, MirrorNotes::new(Kind::Folder))
    }

    #[test]
    fn ours_a_part_has_the_links_between_its_pages() {
        let part = mirror().part(|_, url| !url.ends_with("/b")).unwrap();
        assert_eq!((part.pages(), part.urls.get(1)), (3, "http://x.test/c"));
        let links: Vec<Vec<u32>> = (0..3).map(|page| part.graph.targets(page).to_vec()).collect();
        assert_eq!(links, [vec![1], vec![2], vec![0]]);
        assert!(mirror().part(|_, _| false).is_err());
    }
}
