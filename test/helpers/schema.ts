import { readFileSync } from "node:fs";
import Ajv, { type ValidateFunction } from "ajv";
import { expect } from "vitest";

// Compiling a schema takes far longer than using it.
const compiled = new Map<string, ValidateFunction>();

/** Says that a text is JSON that fits a schema of schemas/. */
export function expectFits(schema: string, text: string): void {
  const validate = compiled.get(schema) ?? compile(schema);
  const fits = validate(JSON.parse(text));
  expect({ fits, errors: validate.errors }).toEqual({ fits: true, errors: null });
}

function compile(schema: string): ValidateFunction {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false });
  const validate = ajv.compile(JSON.parse(readFileSync(`schemas/${schema}.schema.json`, "utf8")));
  compiled.set(schema, validate);
  return validate;
}
