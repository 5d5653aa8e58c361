//! All-different by domain.

use crate::engine::Poster;
use crate::model::Affine;

pub(super) fn post(poster: &mut Poster<'_>, views: &[Affine]) {
    super::value::post(poster, views);
}
