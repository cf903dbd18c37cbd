//! Rule `tracking`: remove parameters that only say where a click came from.
//!
//! Campaign and click ids are added by advertisers and mailers on the way to a page; the page does not depend on them.
//! The list holds names that no site is known to use for what a page is about. Names in any case. Off: they stay.

use super::name_set::NameSet;

/// Parameters that only follow a click. Lower case; any case matches.
pub(super) const NAMES: &[&str] = &[
    // Google
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "gad_source",
    "gad_campaignid",
    "srsltid",
    "_ga",
    "_gl",
    "_gac",
    "usqp",
    "amp_js_v",
    "amp_gsa",
    // Facebook, Instagram, X, TikTok, LinkedIn, Pinterest
    "fbclid",
    "fb_action_ids",
    "fb_action_types",
    "fb_ref",
    "fb_source",
    "igshid",
    "igsh",
    "twclid",
    "ref_src",
    "ref_url",
    "ttclid",
    "li_fat_id",
    "epik",
    // Microsoft, Yandex
    "msclkid",
    "yclid",
    "ymclid",
    "_openstat",
    // Mailers and marketing suites
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "_hsenc",
    "_hsmi",
    "__hssc",
    "__hstc",
    "__hsfp",
    "hsctatracking",
    "vero_id",
    "vero_conv",
    "oly_anon_id",
    "oly_enc_id",
    "rb_clickid",
    "s_kwcid",
    "wickedid",
    "_bta_tid",
    "_bta_c",
    "trk_contact",
    "trk_msg",
    "trk_module",
    "trk_sid",
    "dm_i",
    "ml_subscriber",
    "ml_subscriber_hash",
    // Piwik
    "pk_campaign",
    "pk_kwd",
    "pk_source",
    "pk_medium",
    "pk_content",
    "pk_cid",
];

/// Beginnings of such names: Urchin (Google Analytics) and Matomo.
pub(super) const PREFIXES: &[&str] = &["utm_", "mtm_"];

static SET: NameSet = NameSet::new(NAMES, PREFIXES);

/// Whether the parameter only follows a click.
pub(in super::super) fn is_tracking(name: &[u8]) -> bool {
    SET.contains(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Canonicalizer, Rules};

    fn canonical(raw: &str) -> String {
        Canonicalizer::default().origin_form(raw.as_bytes()).unwrap().into_owned()
    }

    #[test]
    fn ours_every_listed_parameter_goes() {
        for name in NAMES.iter().chain(PREFIXES) {
            assert_eq!(canonical(&format!("/p?{name}=x")), "/p", "{name}");
            assert_eq!(canonical(&format!("/p?b=1&{}=x&a=2", name.to_uppercase())), "/p?b=1&a=2", "{name}");
        }
    }

    #[test]
    fn ours_order_and_bytes_of_the_others_stay() {
        assert_eq!(canonical("/p?z=%41&utm_source=x&a=+&&a=1&=&gclid"), "/p?z=%41&a=+&&a=1&=");
        assert_eq!(canonical("/p?utm_source=x&a"), "/p?a");
        assert_eq!(canonical("/p?a&utm_source=x&utm_medium=y"), "/p?a");
        assert_eq!(canonical("/p?a&utm_source=x&"), "/p?a&");
        assert_eq!(canonical("/p?a=1&amp;utm_source=x&amp;b=2"), "/p?a=1&amp;b=2");
    }

    #[test]
    fn ours_an_empty_query_goes_with_its_question_mark() {
        for raw in ["/p?utm_source=x", "/p?", "/p?utm_source=x&", "/p?&utm_source=x", "/p?#x"] {
            assert_eq!(canonical(raw), "/p", "{raw}");
        }
        assert_eq!(canonical("/p?&"), "/p?&");
    }

    #[test]
    fn ours_tracking_stays_when_the_rule_is_off() {
        let url = Canonicalizer::new(Rules { tracking: false, ..Rules::default() });
        assert_eq!(url.origin_form(b"/p?utm_source=x&gclid=1").unwrap(), "/p?utm_source=x&gclid=1");
    }
}
