// Made from schemas/cluster-identity.schema.json by tools/generate.mjs. Do not edit.
import type { SchemaValidator, SchemaWords } from "../core/validation.ts";
import type { AWSPlatform } from "./cluster-identity.ts";

export const validateAwsPlatform: SchemaValidator<AWSPlatform>;
export const awsPlatformWords: () => SchemaWords;
