import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Any, identity, makeCredentials, request } from "../../helpers/cluster.ts";

// Breaks every rule of the schema once. The test walks the schema itself, so it also covers new fields.
const schema: Any = JSON.parse(readFileSync("schemas/cluster-identity.schema.json", "utf8"));

interface Field {
  /** Names below the object: `*` is any key of a map, and `[]` is the first item of a list. */
  readonly path: readonly string[];
  readonly rule: Any;
}

function resolve(rule: Any): Any {
  const { $ref, ...own } = rule;
  return $ref === undefined ? rule : { ...resolve(schema.definitions[$ref.slice("#/definitions/".length)]), ...own };
}

function walk(rule: Any, path: readonly string[]): Field[] {
  const here = resolve(rule);
  const more = Object.entries<Any>(here.properties ?? {}).flatMap(([name, one]) => walk(one, [...path, name]));
  const any = typeof here.additionalProperties === "object" ? walk(here.additionalProperties, [...path, "*"]) : [];
  const items = here.items === undefined ? [] : walk(here.items, [...path, "[]"]);
  return [{ path, rule: here }, ...more, ...any, ...items];
}

const fields = walk(schema, []).filter(({ path }) => path.length > 0);
const known = "ns-one/credentials";
const title = (path: readonly string[]) => path.join(".").replaceAll(".[]", "[]");

/** A ClusterIdentity with a value at a path, and the path in the form of findings. */
function withValue(path: readonly string[], value: Any): { config: Any; field: string } {
  const config = identity();
  let at = config;
  for (const [index, step] of path.entries()) {
    const next = path[index + 1];
    at = at[keyOf(step)] = next === undefined ? value : next === "[]" ? [] : (at[keyOf(step)] ?? {});
  }
  return { config, field: path.map(keyOf).join(".").replaceAll(".0", "[0]") };
}

function keyOf(step: string): string {
  return step === "*" ? known : step === "[]" ? "0" : step;
}

function findingsAt(path: readonly string[], value: Any): Any[] {
  const { config, field } = withValue(path, value);
  const made = makeCredentials(config, [request("one")]);
  expect(made.exitCode).toBe(1);
  return made.results.filter((result) => result.field?.path === field);
}

const invalid = (message: unknown) => [
  expect.objectContaining({ message, severity: "error", tags: { code: "config-invalid-field" } }),
];

// Without apiVersion and kind, an object is not a ClusterIdentity.
const checked = fields.filter(({ path }) => path[0] !== "apiVersion" && path[0] !== "kind");

it("the walk finds the fields of the schema", () => {
  const titles = checked.map(({ path }) => title(path));
  expect(titles).toEqual(expect.arrayContaining(["spec.platform.aws.tags.*", "spec.issuer.signingKeys[].from"]));
  expect(titles).toContain("spec.platform.aws.overrides.*.managedPolicyARNs[]");
  expect(titles.length).toBeGreaterThan(50);
});

describe("a value of the wrong type is refused", () => {
  const wrong: Record<string, Any> = { string: 7, object: "x", array: "x", boolean: "true", integer: "7" };
  it.each(
    checked
      .filter(({ rule }) => typeof rule.type === "string")
      .map(({ path, rule }) => [title(path), path, rule] as const),
  )("%s", (_, path, rule) => {
    const value = wrong[rule.type];
    const shown = typeof value === "string" ? `"${value}"` : String(value);
    const { field } = withValue(path, value);
    expect(findingsAt(path, value)).toEqual(invalid(expect.stringContaining(`"${field}" is ${shown}, but must `)));
  });
});

describe("a value that breaks a rule is refused with the text of the rule", () => {
  // By keyword: a value that its bound does not allow.
  const breaking: Record<string, (bound: Any) => Any> = {
    pattern: () => "\u0000",
    enum: () => "~",
    maxLength: (most) => "a".repeat(most + 1),
    minLength: () => "",
    minimum: (least) => least - 1,
    maximum: (most) => most + 1,
    minItems: () => [],
    maxItems: (most) => Array.from({ length: most + 1 }, (_, index) => `${index}`),
    uniqueItems: () => ["same", "same"],
    minProperties: () => ({}),
  };
  const words = (rule: Any): string =>
    rule.enum === undefined
      ? rule["x-must"]
      : `must be one of ${rule.enum.map((text: string) => `"${text}"`).join(", ")}.`;
  const broken = checked.flatMap(({ path, rule }) =>
    Object.entries(breaking)
      .filter(([keyword]) => rule[keyword] !== undefined)
      .map(([keyword, value]) => [title(path), keyword, path, value(rule[keyword]), words(rule)] as const),
  );

  it.each(broken)("%s: %s", (_name, _keyword, path, value, must) => {
    expect(must).toMatch(/^must /);
    expect(findingsAt(path, value)).toEqual(invalid(expect.stringContaining(must)));
  });
});

describe("an unknown field is refused with the nearest known field", () => {
  const closed = [{ path: [] as readonly string[], rule: schema }, ...checked].filter(
    ({ rule }) => rule.additionalProperties === false,
  );
  const typos = closed.flatMap(({ path, rule }) =>
    Object.keys(rule.properties).map((name): [string, readonly string[], string] => {
      const typo = `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`;
      return [title([...path, typo]), [...path, typo], name];
    }),
  );

  it.each(typos)("%s", (_, path, name) => {
    const { field } = withValue(path, null);
    expect(findingsAt(path, null)).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(`^unknown field ".*" \\(did you mean "${name}"\\?\\)\\.$`),
        severity: "error",
        field: { path: field },
        tags: { code: "config-unknown-field" },
      }),
    ]);
  });
});

describe("a missing required field is reported", () => {
  const required = checked.flatMap(({ path, rule }) =>
    (rule.required ?? []).map((name: string): [string, readonly string[], string] => [
      title([...path, name]),
      path,
      name,
    ]),
  );

  it.each(required)("%s", (_, path, name) => {
    const { config, field } = withValue(path, {});
    const made = makeCredentials(config, [request("one")]);
    expect(made.results).toContainEqual(
      expect.objectContaining({
        message: `"${field}.${name}" is required.`,
        severity: "error",
        field: { path: `${field}.${name}` },
        tags: { code: "config-missing-field" },
      }),
    );
  });
});
