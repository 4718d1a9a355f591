import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { generators } from "../../../functions/generators.ts";
import type { Value } from "../../../src/core/resource.ts";
import { readResourceList } from "../../../src/krm/resource-list.ts";
import { runOnList } from "../../../src/krm/run.ts";
import { emitYaml } from "../../../src/yaml/emit.ts";
import { fuzzCases } from "../../helpers/effort.ts";
import { emitter, hostile, pruner, setter } from "./fakes.ts";
import { mutations } from "./mutations.ts";

/*
 * For any standard input: no exception, exit code 0 or 1, a ResourceList or nothing on standard output (nothing only
 * with exit code 1), and one line per finding on standard error. The message of a failure contains its seed.
 */

const cases = fuzzCases(500);
const sample = new URL("../../../testdata/sample-cluster/", import.meta.url);

function identity(): string {
  const publicKey = readFileSync(new URL("serviceaccount-signer.public", sample), "utf8");
  const spec: Value = {
    issuer: { signingKeys: [{ publicKey }] },
    platform: { aws: { accountID: "123456789012", region: "us-east-2" } },
  };
  return emitYaml(
    { apiVersion: "fn.cloudcredential.dev/v1alpha1", kind: "ClusterIdentity", metadata: { name: "demo" }, spec },
    2,
  );
}

function requests(): string {
  const directory = new URL("credentials-requests/", sample);
  return readdirSync(directory)
    .sort()
    .flatMap((name) => readFileSync(new URL(name, directory), "utf8").split(/^---\n/m))
    .map((text) => `- ${text.replace(/^(?=.)/gm, "  ").slice(2)}`)
    .join("");
}

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
const cluster = `${head}functionConfig:\n  ${identity()}items:\n${requests()}`;

/** Valid inputs, so that their mutations reach deep code: the sample cluster, rendered and not, and hostile items. */
const seeds: readonly Buffer[] = [
  cluster,
  runOnList(generators, Buffer.from(cluster)).stdout,
  ...hostile.map(([, text]) => text),
  ...hostile.map(([, text]) => text.replace(/^items:[^\n]*\n/m, (line) => `${line}- ${identity()}${requests()}`)),
].map((text) => Buffer.from(text));

test("the sample cluster, the base of the fuzzed inputs, renders", () => {
  const { stdout, stderr, exitCode } = runOnList(generators, seeds[0] as Buffer);
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
  expect(stdout).toContain("role_arn");
});

const sets = [generators, generators, [emitter], [pruner], [setter]];

const input = fc
  .record({ seed: fc.nat({ max: seeds.length - 1 }), changes: mutations, functions: fc.nat({ max: sets.length - 1 }) })
  .map(({ seed, changes, functions: set }) => ({
    bytes: changes.reduce((bytes, change) => change(bytes, seeds), seeds[seed] as Buffer),
    set,
  }));

test(`no input of ${cases} makes a function throw, print half a list, or print a stack trace`, {
  timeout: 600_000,
}, () => {
  const outcomes = { ok: 0, failed: 0, refused: 0 };
  const holds = fc.property(input, ({ bytes, set }) => {
    const { stdout, stderr, exitCode } = runOnList(sets[set] as typeof generators, bytes);
    expect([0, 1]).toContain(exitCode);
    if (exitCode === 1) expect(stderr).not.toBe("");
    expect(stderr).not.toMatch(/^\s+at .*:\d+|\b(?:Type|Range|Reference|Syntax)Error\b|node_modules|undefined/m);
    expect(stderr).not.toMatch(/^(?!(?:error|warning|info): ).+$/m);
    if (stdout === "") expect(exitCode).toBe(1);
    else expect(readResourceList(stdout)).toHaveProperty("items");
    outcomes[stdout === "" ? "refused" : exitCode === 0 ? "ok" : "failed"]++;
    // The next function reads the written list again, so its content must not change.
    if (exitCode === 0) settled(sets[set] as typeof generators, stdout);
  });
  // The limit is not about speed: it ends a run that hangs.
  fc.assert(holds, { numRuns: cases, interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true });
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(cases / 100);
});

function settled(fns: typeof generators, once: string): void {
  const twice = runOnList(fns, Buffer.from(once));
  expect(twice.exitCode).toBe(0);
  const thrice = runOnList(fns, Buffer.from(twice.stdout));
  expect(thrice.stdout).toBe(twice.stdout);
}
