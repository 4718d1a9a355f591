import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { generators } from "../../../functions/generators.ts";
import { validateCredentials } from "../../../functions/validate-credentials/function.ts";
import type { KrmFunction } from "../../../src/krm/function.ts";
import { runOnList } from "../../../src/krm/run.ts";
import { azureConfig, azureRequest } from "../../helpers/azure-cluster.ts";
import { type Any, identity, request, subscription } from "../../helpers/cluster.ts";
import { fuzzCases } from "../../helpers/effort.ts";
import { gcpConfig, gcpRequest } from "../../helpers/gcp-cluster.ts";

/*
 * Every plain object inherits "constructor", "toString" and more, so a table that is asked for a name from the input may
 * answer with a function. These tests put such names wherever the input has a name or a value.
 */

const inherited = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

/** Stands for such a name, as valid as possible: also for a Kubernetes name. */
const mark = "inheritedname";

const sets: readonly (readonly KrmFunction[])[] = [generators, [validateCredentials]];

interface Input {
  readonly name: string;
  readonly functionConfig?: Any;
  readonly items: readonly Any[];
  readonly sets: readonly (readonly KrmFunction[])[];
}

/** Inputs of functions as they are after a run, so that what was rendered before is read, too. */
const rendered: readonly Input[] = ["configure-operators", "generate-cloud-credentials"]
  .concat("generate-oidc-issuer", "validate-credentials")
  .flatMap((folder) => readdirSync(join("testdata", folder)).map((name) => join("testdata", folder, name)))
  .filter((directory) => existsSync(join(directory, "expected.yaml")))
  .map((directory) => {
    const { items, functionConfig } = load(readFileSync(join(directory, "expected.yaml"), "utf8")) as Any;
    return { name: directory, items, functionConfig, sets };
  });

const ruleExamples: readonly Input[] = readdirSync("testdata/rules").map((code) => {
  const items = loadAll(readFileSync(join("testdata/rules", code, "bad.yaml"), "utf8")) as Any[];
  return { name: code, items, sets: [[validateCredentials]] };
});

const clouds = [
  { cloud: "aws", config: identity(), requested: request("a") },
  { cloud: "azure", config: azureConfig(), requested: azureRequest("a") },
  { cloud: "gcp", config: gcpConfig(), requested: gcpRequest("a") },
] as const;

const schemaOf = (name: string): Any => JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8"));

/** All paths of fields that a schema describes; a name that the author chooses is the mark. */
function fieldsOf(part: Any, root: Any, path: readonly string[] = []): string[][] {
  if (path.length > 12) return [];
  const target = part.$ref?.startsWith("#/definitions/") ? root.definitions[part.$ref.slice(14)] : part;
  const variants = [target, ...(target.oneOf ?? []), ...(target.anyOf ?? []), ...(target.allOf ?? [])];
  return [
    [...path],
    ...variants.flatMap((one: Any) => [
      ...Object.entries<Any>(one.properties ?? {}).flatMap(([name, field]) => fieldsOf(field, root, [...path, name])),
      ...(one.items === undefined ? [] : fieldsOf(one.items, root, [...path, "0"])),
      ...(typeof one.additionalProperties === "object"
        ? fieldsOf(one.additionalProperties, root, [...path, mark])
        : []),
    ]),
  ];
}

/** What is put at a place. */
const values: readonly Any[] = [mark, { [mark]: mark }, [mark], { [mark]: { [mark]: mark } }, [{ [mark]: [mark] }]];

/** A copy with a value at a path; what is missing on the way is created. */
function withValue(root: Any, path: readonly string[], value: Any): Any {
  const [first, ...rest] = path;
  if (first === undefined) return typeof root === "object" && typeof value === "object" ? { ...root, ...value } : value;
  const isList = Array.isArray(root) || (root === undefined && first === "0");
  const copy: Any = isList ? [...(root ?? [])] : typeof root === "object" ? { ...root } : {};
  copy[first] = withValue(copy[first], rest, value);
  return copy;
}

/** All copies of a value in which one text, key, list or mapping has the mark; also in JSON within a text. */
function* marked(value: Any): Generator<Any> {
  if (typeof value === "string" && /^\s*[{[]/.test(value)) {
    let inside: Any;
    try {
      inside = JSON.parse(value);
    } catch {
      return;
    }
    for (const one of marked(inside)) yield JSON.stringify(one);
  } else if (Array.isArray(value)) {
    yield [...value, mark];
    for (const [index, entry] of value.entries()) for (const one of marked(entry)) yield value.with(index, one);
  } else if (typeof value === "object" && value !== null) {
    yield { ...value, [mark]: mark };
    yield { ...value, [mark]: { [mark]: [mark] } };
    for (const [key, entry] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Any;
      yield { ...rest, [mark]: entry };
      for (const one of marked(entry)) yield { ...value, [key]: one };
    }
  } else yield mark;
}

function* cases(): Generator<Input> {
  for (const { cloud, config, requested } of clouds) {
    const items = [requested, subscription("s", "ns-a")];
    const schema = schemaOf("cluster-identity");
    for (const path of fieldsOf(schema, schema))
      for (const value of values)
        yield { name: `${cloud} ${path.join(".")}`, items, sets, functionConfig: withValue(config, path, value) };
    const [ofRequest, ofProvider] = [schemaOf("credentials-request"), schemaOf(`${cloud}-provider-spec`)];
    const paths = [
      ...fieldsOf(ofRequest, ofRequest),
      ...fieldsOf(ofProvider, ofProvider).map((path) => ["spec", "providerSpec", ...path]),
      ...["labels", "annotations", mark].map((name) => ["metadata", name]),
    ];
    for (const path of paths)
      for (const value of values)
        yield {
          name: `${cloud} CredentialsRequest ${path.join(".")}`,
          items: [withValue(requested, path, value), requested],
          sets,
          functionConfig: config,
        };
  }
  for (const input of [...rendered, ...ruleExamples]) {
    if (input.functionConfig !== undefined)
      for (const functionConfig of marked(input.functionConfig)) yield { ...input, functionConfig };
    for (const items of marked(input.items)) yield { ...input, items: items as Any[] };
  }
}

function outcomesOf({ functionConfig, items, sets }: Input, name: string) {
  const list = { apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", functionConfig, items };
  const text = JSON.stringify(list).replaceAll(mark, name);
  return sets.map((functions) => ({ text, ...runOnList(functions, Buffer.from(text)) }));
}

const all = [...cases()];
// With little effort, cases from everywhere.
const count = Math.min(all.length, fuzzCases(1500));
const selected = Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as Input);

describe("a name that every object inherits", () => {
  it.each(inherited)("is not a platform: %s", (name) => {
    for (const value of ["null", "{}", "[]", '"x"']) {
      const config = JSON.stringify({ ...identity(), spec: { platform: { [mark]: mark } } });
      const text =
        `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[],"functionConfig":${config}}`
          .replace(`"${mark}"}`, `${value}}`)
          .replace(mark, name);
      const { stdout, stderr, exitCode } = runOnList(generators, Buffer.from(text));
      expect({ exitCode, items: JSON.parse(stdout).items }).toEqual({ exitCode: 1, items: [] });
      expect(stderr).toContain(`ClusterIdentity demo: unknown field "spec.platform.${name}"`);
    }
  });

  it("is nowhere looked up in a table that does not have it", { timeout: 600_000 }, () => {
    const found = new Map<string, string>();
    const property: PropertyDescriptor = {
      configurable: true,
      get() {
        const stack = new Error("").stack?.split("\n").slice(2, 5) ?? [];
        found.set(stack[0]?.replace(/.*?((src|functions|node_modules)\/[^):]+:\d+).*/, "$1") ?? "", stack.join(""));
        return undefined;
      },
      set(value) {
        Object.defineProperty(this, mark, { value, configurable: true, enumerable: true, writable: true });
      },
    };
    Object.defineProperty(Object.prototype, mark, property);
    try {
      for (const input of selected) outcomesOf(input, mark);
    } finally {
      delete (Object.prototype as Any)[mark];
    }
    expect([...found.keys()].sort()).toEqual([]);
  });

  it("makes no function throw, and the list comes back", { timeout: 600_000 }, () => {
    for (const [index, input] of selected.entries()) {
      const name = inherited[index % inherited.length] as string;
      for (const { text, stdout, stderr, exitCode } of outcomesOf(input, name)) {
        const about = `${input.name}: ${name}`;
        expect(stderr, about).not.toMatch(/internal-error|undefined|native code|\[object [A-Z]/);
        expect([0, 1], about).toContain(exitCode);
        if (exitCode === 1) expect(stderr, about).toMatch(/^error: /m);
        const count = (list: string) => JSON.parse(list).items.length;
        if (exitCode === 1) expect(count(stdout), about).toBe(count(text));
        else expect(count(stdout), about).toBeGreaterThan(0);
      }
    }
  });
});
