import type { CHOMPING_MODE, COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE } from "js-yaml";

/*
 * js-yaml's numbers for what its events say. They stand here, where the type checker compares them with js-yaml's, so that
 * the program need not load it to know them.
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
