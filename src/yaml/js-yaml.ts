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
 * What of js-yaml is used. The program compiles it when somebody asks for it here (`tools/bundle.mjs`), and most runs do
 * not: they read nothing but what `from-block-text.ts` reads.
 */
export function jsYaml(): typeof library {
  return library;
}
