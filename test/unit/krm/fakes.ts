import { readdirSync, readFileSync } from "node:fs";
import { FindingError, finding } from "../../../src/core/finding.ts";
import type { FieldChange, GeneratedObject, Resource } from "../../../src/core/resource.ts";
import type { FunctionInput, FunctionOutput, KrmFunction } from "../../../src/krm/function.ts";
import { type ProcessResult, runOnList } from "../../../src/krm/run.ts";

/**
 * A function named `fake`, for the ClusterIdentity `x`, that owns Secrets and ConfigMaps below `generated/`. It explains every
 * removal.
 */
export function fake(run: (input: FunctionInput) => Partial<FunctionOutput> = () => ({})): KrmFunction {
  const nothing = { identity: "x", packagePath: undefined, objects: [], changes: [], preserved: [], findings: [] };
  const removals = { guard: {}, isExplained: () => true };
  return {
    name: "fake",
    summary: "Does what a test says.",
    emits: ["Secret", "ConfigMap"].map((kind) => ({ apiVersion: "v1", kind, path: /^generated\/[^/]+\.yaml$/ })),
    run: (input) => ({ ...nothing, removals, ...run(input) }),
  };
}

/** A generated object. */
export function generated(
  path: string,
  name: string,
  data: Record<string, string> = {},
  kind = "Secret",
): GeneratedObject {
  return { path, object: { apiVersion: "v1", kind, metadata: { name }, stringData: data } };
}

/** Emits nothing, so objects that it generated before are removed. */
export const pruner = fake();

/** Uses a ClusterIdentity that no item belongs to. It owns nothing, so nothing may change. */
export const noop: KrmFunction = { ...fake(), emits: [] };

/** Emits two objects. The last ends in a block scalar. */
export const emitter = fake(() => ({
  objects: [
    generated("generated/b.yaml", "b", { text: "one\n\n  two\nthree", last: "four\nfive\n" }),
    generated("generated/a.yaml", "a", { date: "2012-10-17", word: "yes" }, "ConfigMap"),
  ],
}));

export const issuer = "https://after.example/path";

/** Sets the issuer of each Authentication, as `generate-oidc-issuer` does. */
export const setter: KrmFunction = {
  ...fake(({ items }) => ({
    changes: items.filter((item) => item.kind === "Authentication").map((item) => issuerChange(item)),
  })),
  emits: [],
};

export function issuerChange(
  resource: Resource,
  path: readonly string[] = ["spec", "serviceAccountIssuer"],
): FieldChange {
  return { resource, path, value: issuer };
}

/** Builds the value of every item, as functions do for items that they read. */
export const reader = fake(({ items }) => {
  for (const item of items) item.value();
  return {};
});

/** Fails with its own error. */
export const failing = fake(() => ({
  objects: [generated("generated/never.yaml", "never")],
  findings: [finding("error", "config-missing", "is missing.")],
}));

/** Throws a finding, as when a value cannot be built. */
export const throwing = fake(() => {
  throw new FindingError(finding("error", "yaml-value", "cannot be read."));
});

export function runText(fn: KrmFunction | readonly KrmFunction[], text: string): ProcessResult {
  const functions = Array.isArray(fn) ? (fn as readonly KrmFunction[]) : [fn as KrmFunction];
  return runOnList(functions, new TextEncoder().encode(text));
}

const hostileDirectory = new URL("../../../testdata/hostile/", import.meta.url);

/** The documents of testdata/hostile, by file name. */
export const hostile: readonly (readonly [string, string])[] = readdirSync(hostileDirectory)
  .filter((name) => name.endsWith(".yaml"))
  .sort()
  .map((name) => [name, readFileSync(new URL(name, hostileDirectory), "utf8")]);
