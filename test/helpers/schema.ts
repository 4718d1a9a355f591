import { readFileSync } from "node:fs";
import Ajv from "ajv";
import { expect } from "vitest";

/** Says that a text is JSON that fits a schema of schemas/. */
export function expectFits(schema: string, text: string): void {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false });
  const validate = ajv.compile(JSON.parse(readFileSync(`schemas/${schema}.schema.json`, "utf8")));
  const fits = validate(JSON.parse(text));
  expect({ fits, errors: validate.errors }).toEqual({ fits: true, errors: null });
}
