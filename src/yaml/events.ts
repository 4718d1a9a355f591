import type { CHOMPING_MODE, COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE } from "js-yaml";

/*
 * The numbers that js-yaml uses in its events. They are repeated here, checked against js-yaml's types, so that the
 * program can use them without loading js-yaml.
 */

export const EVENT: typeof EVENT_ID = { DOCUMENT: 1, SEQUENCE: 2, MAPPING: 3, SCALAR: 4, ALIAS: 5, POP: 6 };

export const SCALAR: typeof SCALAR_STYLE = {
  PLAIN: 1,
  SINGLE_QUOTED: 2,
  DOUBLE_QUOTED: 3,
  LITERAL_BLOCK: 4,
  FOLDED_BLOCK: 5,
};

export const COLLECTION: typeof COLLECTION_STYLE = { BLOCK: 1, FLOW: 2 };

export const CHOMPING: typeof CHOMPING_MODE = { CLIP: 1, STRIP: 2, KEEP: 3 };
