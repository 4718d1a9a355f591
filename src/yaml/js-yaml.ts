import {
  CORE_SCHEMA,
  constructFromEvents,
  defineScalarTag,
  getScalarValue,
  intCoreTag,
  mergeTag,
  NOT_RESOLVED,
  parseEvents,
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
