import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readPackage } from "../../src/cli/package/package-files.ts";
import { clouds } from "../../src/clouds/index.ts";
import { bundlesAmong } from "../../src/clouds/rendered.ts";
import { readJson } from "../../src/core/json.ts";
import { readIdentity } from "../../src/identity/cluster-identity.ts";
import { selectRequests } from "../../src/requests/select.ts";
import { answerOf } from "../helpers/in-process.ts";
import { azureFlags, gcpFlags, initFlags } from "../helpers/sample.ts";
import { temporary } from "../helpers/temporary.ts";
import { validated } from "../helpers/validator-pipeline.ts";

// The real functions, counted.
vi.mock("../../src/identity/cluster-identity.ts", async (original) => {
  const real = await original<typeof import("../../src/identity/cluster-identity.ts")>();
  return { ...real, readIdentity: vi.fn(real.readIdentity) };
});
vi.mock("../../src/core/json.ts", async (original) => {
  const real = await original<typeof import("../../src/core/json.ts")>();
  return { ...real, readJson: vi.fn(real.readJson) };
});
vi.mock("../../src/requests/select.ts", async (original) => {
  const real = await original<typeof import("../../src/requests/select.ts")>();
  return { ...real, selectRequests: vi.fn(real.selectRequests) };
});

const flagsOf: Readonly<Record<string, () => string[]>> = { aws: initFlags, gcp: gcpFlags, azure: azureFlags };

/** A rendered package on a cloud. */
async function packageOn(cloud: string): Promise<string> {
  const directory = join(temporary(), cloud);
  expect(await answerOf(["init", directory, ...(flagsOf[cloud]?.() ?? [])])).toMatchObject({ status: 0 });
  expect(await answerOf(["render", directory])).toMatchObject({ status: 0 });
  vi.clearAllMocks();
  return directory;
}

/** How often a command checks the ClusterIdentity, reads the cluster, and selects the requests. */
async function countsOf(cloud: string, args: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const renderer = clouds.find(({ name }) => name === cloud)?.renderer;
  if (renderer === undefined) throw new Error(`no cloud ${cloud}`);
  const readCluster = vi.spyOn(renderer, "readCluster").mockClear();
  const { status, stderr } = await answerOf(args);
  expect({ status, stderr }).not.toMatchObject({ status: 1 });
  return {
    identity: vi.mocked(readIdentity).mock.calls.length,
    cluster: readCluster.mock.calls.length,
    selection: vi.mocked(selectRequests).mock.calls.length,
  };
}

/** How often each text is in a list. */
function countsIn(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const once = { identity: 1, cluster: 1, selection: 1 };

describe.each(["aws", "gcp", "azure"])("a package on %s is read once by", (cloud) => {
  it.each([
    ["ccf render", ["render"]],
    ["ccf render --check", ["render", "--check"]],
    ["ccf validate", ["validate"]],
    ["ccf explain", ["explain", "-o", "html"]],
    ["ccf report", ["report"]],
    ["ccf export", ["export", "--output-dir"]],
  ])("%s", async (_, [command = "", ...flags]) => {
    const directory = await packageOn(cloud);
    const out = command === "export" ? [join(temporary(), "out")] : [];
    expect(await countsOf(cloud, [command, directory, ...flags, ...out])).toEqual(once);
  });

  it.each([["validate"], ["explain", "-o", "html"]])("ccf %s, each file of its bundles", async (command, ...flags) => {
    const directory = await packageOn(cloud);
    const bundles = bundlesAmong(readPackage(directory).files.flatMap(({ items }) => items));
    const files = countsIn(bundles.flatMap((bundle) => [...bundle.files.values()]));
    vi.mocked(readJson).mockClear();
    expect(await answerOf([command, directory, ...flags])).toMatchObject({ status: 0 });
    const read = countsIn(vi.mocked(readJson).mock.calls.map(([text]) => text));
    expect([...files.keys()].filter((text) => read.has(text))).not.toEqual([]);
    expect([...files].filter(([text, count]) => (read.get(text) ?? 0) > count)).toEqual([]);
  });

  it("ccf render with a validator, if nothing changes", async () => {
    expect(await countsOf(cloud, ["render", "--check", validated(await packageOn(cloud))])).toEqual(once);
  });

  it("ccf render with a validator, and once again after a change", async () => {
    const directory = validated(await packageOn(cloud));
    appendFileSync(join(directory, "cluster-identity.yaml"), "  secret:\n    encoding: data\n");
    expect(await countsOf(cloud, ["render", directory])).toEqual({ identity: 2, cluster: 2, selection: 2 });
  });
});
