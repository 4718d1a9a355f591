import {
  type CHOMPING_MODE,
  type COLLECTION_STYLE,
  CORE_SCHEMA,
  constructFromEvents,
  defineScalarTag,
  type EVENT_ID,
  getScalarValue,
  intCoreTag,
  mergeTag,
  NOT_RESOLVED,
  parseEvents,
  type SCALAR_STYLE,
  YAMLException,
} from "js-yaml";

const library = {
  CORE_SCHEMA,
  constructFromEvents,
  defineScalarTag,
  getScalarValue,
  intCoreTag,
  mergeTag,
  NOT_RESOLVED,
  parseEvents,
  YAMLException,
};

/**
 * The used parts of js-yaml. The program compiles js-yaml on the first call of this function (`tools/bundle.mjs`). Most
 * runs never call it, because `from-block-text.ts` reads all of their input.
 */
export function jsYaml(): typeof library {
  return library;
}

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
