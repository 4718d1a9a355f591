import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { diffSides } from "../../../src/cli/permissions/compare-sides.ts";
import { renderedSideOf, type Side } from "../../../src/cli/permissions/comparison-side.ts";
import { packageContents } from "../../../src/cli/permissions/contents.ts";
import type { Value } from "../../../src/core/resource.ts";
import { type DescribedDiff, describedDiff } from "../../../src/diff/described-diff.ts";
import { diffText } from "../../../src/diff/diff-text.ts";
import type { Item } from "../../../src/krm/item.ts";
import type { Any } from "../../helpers/cluster.ts";
import { resourceOf } from "../../helpers/resources.ts";

/*
 * The law of a comparison: if anything differs between two packages but descriptions, display names, and order, the verdict is not
 * "none", and the comparison shows it.
 */

const pathAnnotation = "internal.config.kubernetes.io/path";

/** The objects of golden packages: of three clouds, and of every kind of hosting. */
const packages: readonly (readonly [name: string, objects: readonly Any[]])[] = [
  ...readdirSync("testdata/packages").map((name) => [name, objectsBelow(join("testdata/packages", name))] as const),
  ...["generate-oidc-issuer", "generate-cloud-credentials", "configure-operators"].flatMap((fn) =>
    readdirSync(join("testdata", fn)).flatMap((name) => {
      const { items = [], results = [] } = load(
        readFileSync(join("testdata", fn, name, "expected.yaml"), "utf8"),
      ) as Any;
      const isWhole = results.every(({ severity }: Any) => severity !== "error");
      return isWhole ? [[`${fn}/${name}`, items.map(withPath)] as const] : [];
    }),
  ),
];

function withPath(object: Any): Any {
  const { annotations = {} } = object.metadata ?? {};
  return { object, path: annotations[pathAnnotation] ?? annotations["config.kubernetes.io/path"] ?? "object.yaml" };
}

function objectsBelow(directory: string): Any[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => /(?:Kptfile|\.yaml)$/.test(path) && !path.startsWith("."))
    .sort()
    .flatMap((path) => loadAll(readFileSync(join(directory, path), "utf8")).map((object) => ({ object, path })));
}

function sideOf(objects: readonly Any[]): Side {
  const items = objects.map(({ object, path }) => resourceOf(object, { path })) as unknown as Item[];
  const side = renderedSideOf(items);
  const pkg = { directory: "/nothing", files: [], subpackages: [], findings: [] };
  return { ...side, contents: side.inspector && packageContents(pkg, items, side.inspector) };
}

/** A changed value, and where it is. */
interface Mutant {
  readonly field: string;
  readonly value: Value;
}

/** The value with each of its leaves changed, and with each removed. */
function mutants(value: Value, field = ""): Mutant[] {
  if (Array.isArray(value))
    return value.flatMap((one, index) => [
      { field: `${field}[${index}]`, value: value.filter((_, other) => other !== index) },
      ...mutants(one, `${field}[${index}]`).map((changed) => ({
        ...changed,
        value: value.map((other, at) => (at === index ? changed.value : other)),
      })),
    ]);
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, one]) => {
      const { [name]: _, ...rest } = value as Any;
      const at = field === "" ? name : `${field}.${name}`;
      return [
        { field: at, value: rest },
        ...mutants(one as Value, at).map((changed) => ({ ...changed, value: { ...value, [name]: changed.value } })),
      ];
    });
  return [
    {
      field,
      value: typeof value === "string" ? `${value}x` : typeof value === "number" ? (value === 1 ? 2 : 1) : !value,
    },
  ];
}

/** The object with each of the values in it changed; files in a bundle ConfigMap are opened. */
function mutatedObjects(object: Any): Mutant[] {
  const isBundle = object.kind === "ConfigMap" && object.metadata?.annotations?.["fn.cloudcredential.dev/generated-by"];
  if (!isBundle) return mutants(object);
  const { data, ...rest } = object;
  const files = Object.entries<string>(data).flatMap(([name, text]) => {
    const json = jsonOf(text);
    const texts = json === undefined ? [{ field: "", value: `${text}x` }] : mutants(json).map(withText);
    return texts.map(({ field, value }) => ({
      field: `${name}: ${field}`,
      value: { ...object, data: { ...data, [name]: value } },
    }));
  });
  const gone = Object.keys(data).map((name) => {
    const { [name]: _, ...others } = data;
    return { field: name, value: { ...object, data: others } };
  });
  return [...files, ...gone, ...mutants(rest).map((one) => ({ ...one, value: { ...(one.value as Any), data } }))];
}

function withText({ field, value }: Mutant): Mutant {
  return { field, value: JSON.stringify(value) };
}

function jsonOf(text: string): Value | undefined {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}

// A description decides nothing. What a request says is in what is rendered for it.
const cosmetic = /(?:^|[.: ])(?:description|Description|displayName|title)$/;
const notCompared = new Set(["CredentialsRequest", "FeatureGate"]);

const readable = packages.flatMap(([name, objects]) => {
  const side = sideOf(objects);
  if (side.inspector === undefined) return [];
  const { findings } = side.identities(side.context as never);
  return findings.some(({ severity }) => severity === "error") ? [] : [[name, objects, side] as const];
});

describe.each(readable)("%s", (_name, objects, before) => {
  const cloud = before.inspector?.name ?? "";
  const isCosmetic = (field: string, path: string) =>
    cosmetic.test(field) && !/tags\b/i.test(field) && path.startsWith(`${cloud}/`);

  it("is the same as itself", () => {
    const { diff, findings } = diffSides(before, before, undefined, () => undefined);
    expect([diff.verdict, diff.changes, findings]).toEqual(["none", [], []]);
  });

  it("never hides a change of a value", () => {
    const hidden: string[] = [];
    for (const [index, { object, path }] of objects.entries()) {
      if (notCompared.has(object.kind)) continue;
      for (const { field, value } of mutatedObjects(object)) {
        if (isCosmetic(field, path)) continue;
        const described = describedOf(before, withObject(objects, index, value));
        if (described !== undefined && !isShown(described)) hidden.push(`${path} ${field}`);
      }
    }
    expect(hidden).toEqual([]);
  });

  it("never hides a change of an identity behind a change of its permissions", () => {
    const noisy = objects.map(({ object, path }) => ({ object: withMore(object), path }));
    const noise = JSON.stringify(describedOf(before, noisy));
    const hidden: string[] = [];
    for (const [index, { object, path }] of noisy.entries()) {
      if (object === objects[index]?.object) continue;
      for (const { field, value } of mutatedObjects(object)) {
        if (isCosmetic(field, path)) continue;
        const described = describedOf(before, withObject(noisy, index, value));
        if (described !== undefined && JSON.stringify(described) === noise) hidden.push(`${path} ${field}`);
      }
    }
    expect(hidden).toEqual([]);
  });
});

function withObject(objects: readonly Any[], index: number, object: Value): Any[] {
  return objects.map((one, at) => (at === index ? { ...one, object } : one));
}

/** A bundle of an identity with a permission more; any other object as it is. */
function withMore(object: Any): Any {
  const { data = {} } = object;
  const more: Readonly<Record<string, (file: Any) => Any>> = {
    "permissions-policy.json": ({ Statement, ...rest }) => ({
      ...rest,
      Statement: [...Statement, { Effect: "Allow", Action: "more:Action", Resource: "*" }],
    }),
    "bindings.json": ({ project, ...rest }) => ({ ...rest, project: [...project, "roles/more"] }),
    "role-definition.json": (file) => {
      const [first, ...others] = file.body.properties.permissions;
      const permissions = [{ ...first, actions: [...first.actions, "Microsoft.More/things/read"] }, ...others];
      return { ...file, body: { ...file.body, properties: { ...file.body.properties, permissions } } };
    },
  };
  const [name] = Object.keys(data).filter((one) => more[one] !== undefined);
  if (name === undefined) return object;
  return { ...object, data: { ...data, [name]: JSON.stringify(more[name]?.(JSON.parse(data[name]))) } };
}

// A side that cannot be read is not compared, and the command says so.
function describedOf(before: Side, objects: readonly Any[]): DescribedDiff | undefined {
  let after: Side;
  try {
    after = sideOf(objects);
  } catch {
    return undefined;
  }
  const { diff, findings } = diffSides(before, after, undefined, () => undefined);
  return findings.some(({ severity }) => severity === "error") ? undefined : describedDiff(diff);
}

function isShown(described: DescribedDiff): boolean {
  const { changes = [], identities, verdict } = described;
  const isInJson = changes.length > 0 || identities.some(({ change }) => change !== "none");
  return verdict !== "none" && isInJson && !diffText(described)[0]?.startsWith("Verdict: ");
}
