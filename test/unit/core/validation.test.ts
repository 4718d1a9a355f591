import { describe, expect, it } from "vitest";
import type { Value } from "../../../src/core/resource.ts";
import { type FieldCodes, type SchemaError, type SchemaWords, schemaFindings } from "../../../src/core/validation.ts";

const codes: FieldCodes = {
  unknown: "config-unknown-field",
  missing: "config-missing-field",
  invalid: "config-invalid-field",
};
const words: SchemaWords = {
  musts: { "#/a": "must be what the schema says" },
  knownFields: { "#": ["action", "region"] },
};

/** An error of a validator, in the form of Ajv. */
function error(
  keyword: string,
  instancePath: string,
  params: object = {},
  more: Partial<SchemaError> = {},
): SchemaError {
  return { keyword, instancePath, schemaPath: `#/${keyword}`, params: { ...params }, ...more };
}

/** Field and message of each finding about a value. */
function found(value: Value, ...errors: SchemaError[]): (string | undefined)[][] {
  return schemaFindings(errors, value, {}, codes, words).map(({ code, field, message }) => [code, field, message]);
}

const unknown = (name: string, at = "") => error("additionalProperties", at, { additionalProperty: name });

describe("an unknown field", () => {
  it.each([
    ["regoin", ' (did you mean "region"?)'],
    ["Action", ' (did you mean "action"?)'],
    ["notAction", ""],
    ["NotAction", ""],
    ["notaction", ""],
    ["notction", ""],
    ["xnotAction", ' (did you mean "action"?)'],
    ["elsewhere", ""],
  ])("%s gets the hint %j", (name, hint) => {
    expect(found({}, unknown(name))).toEqual([["config-unknown-field", name, `unknown field "${name}"${hint}.`]]);
  });

  it("gets no hint if there are no known fields", () => {
    const schemaError = error(
      "additionalProperties",
      "/a",
      { additionalProperty: "b" },
      { schemaPath: "#/x/additionalProperties" },
    );
    expect(found({ a: {} }, schemaError)).toEqual([["config-unknown-field", "a.b", 'unknown field "a.b".']]);
  });
});

describe("a value that breaks a rule", () => {
  const rule = (value: Value, schemaError: SchemaError) => found(value, schemaError)[0]?.[2];

  it.each<[string, Value, SchemaError, string]>([
    ["a type", 5, error("type", "", { type: "string" }), "the object is 5, but must be a string."],
    ["a list", { a: 5 }, error("type", "/a", { type: "array" }), '"a" is 5, but must be a list.'],
    ["a mapping", { a: 5 }, error("type", "/a", { type: "object" }), '"a" is 5, but must be a mapping.'],
    ["an integer", { a: "x" }, error("type", "/a", { type: "integer" }), '"a" is "x", but must be an integer.'],
    ["a boolean", { a: 5 }, error("type", "/a", { type: "boolean" }), '"a" is 5, but must be true or false.'],
    [
      "one of several types",
      { a: 5 },
      error("type", "/a", { type: ["array", "null"] }),
      '"a" is 5, but must be a list.',
    ],
    ["a constant", { a: 5 }, error("const", "/a", { allowedValue: "x" }), '"a" is 5, but must be "x".'],
    [
      "an enum",
      { a: "alow" },
      error("enum", "/a", { allowedValues: ["Allow", "Deny"] }),
      '"a" is "alow", but must be one of "Allow", "Deny" (did you mean "Allow"?).',
    ],
    [
      "an enum, far off",
      { a: "something" },
      error("enum", "/a", { allowedValues: ["Allow"] }),
      '"a" is "something", but must be one of "Allow".',
    ],
    [
      "an enum, no text",
      { a: 5 },
      error("enum", "/a", { allowedValues: ["Allow"] }),
      '"a" is 5, but must be one of "Allow".',
    ],
    [
      "a rule in words",
      { a: 5 },
      error("pattern", "/a", {}, { schemaPath: "#/a/pattern" }),
      '"a" is 5, but must be what the schema says.',
    ],
    [
      "a type that has words",
      { a: 5 },
      error("type", "/a", { type: "array" }, { schemaPath: "#/a/type" }),
      '"a" is 5, but must be what the schema says.',
    ],
    ["a rule without words", { a: 5 }, error("minimum", "/a", { limit: 6 }), '"a" is 5, but must follow the schema.'],
  ])("%s", (_what, value, schemaError, message) => {
    expect(rule(value, schemaError)).toBe(message);
  });

  it.each<[string, Value, string]>([
    ["/a/0/b", { a: [{ b: 1 }] }, "a[0].b"],
    ["/a/10", { a: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] }, "a[10]"],
    ["/a/x1", { a: { x1: 1 } }, "a.x1"],
    ["/a/1x", { a: { "1x": 1 } }, "a.1x"],
    ["/a~1b/c~0d", { "a/b": { "c~d": 1 } }, "a/b.c~d"],
    ["/a~01", { "a~1": 1 }, "a~1"],
  ])("at %s", (pointer, value, field) => {
    expect(found(value, error("type", pointer, { type: "string" }))).toEqual([
      ["config-invalid-field", field, `"${field}" is 1, but must be a string.`],
    ]);
  });
});

it("a missing field is reported as required", () => {
  expect(found({}, error("required", "/a/0", { missingProperty: "b" }))).toEqual([
    ["config-missing-field", "a[0].b", '"a[0].b" is required.'],
  ]);
});

it("an invalid name is reported once, and so is each field", () => {
  const name = error("pattern", "/a", {}, { propertyName: "b c", schemaPath: "#/a/pattern" });
  const summary = error("propertyNames", "/a", { propertyName: "b c" });
  const type = error("type", "/d", { type: "string" });
  expect(found({ a: { "b c": 1 }, d: 1 }, name, summary, type, error("minimum", "/d"))).toEqual([
    ["config-invalid-field", "a.b c", 'the name "b c" must be what the schema says.'],
    ["config-invalid-field", "d", '"d" is 1, but must be a string.'],
  ]);
});
