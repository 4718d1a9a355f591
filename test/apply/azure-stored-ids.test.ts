import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { recordText, thisProcess } from "../../src/cli/files/stage.ts";
import type { State } from "../helpers/arm/types.ts";
import { renderedAzurePackage } from "../helpers/azure-package.ts";
import { moments } from "../helpers/effort.ts";
import { changesIn, type Ended, startWithFault } from "../helpers/fault.ts";
import { answerOf } from "../helpers/in-process.ts";
import { readTree, temporary, writeTree } from "../helpers/temporary.ts";
import { AzureCloud } from "./azure-cloud.ts";

// A process for each run.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

type Tree = Record<string, string>;

const idsFile = "azure/identities.yaml";
const ingressSecret = "manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml";

/** An OLM operator, which learns its client ID from a file that a user wrote. */
const operator: Tree = {
  "operators/request.yaml": `apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata: {name: shelf, namespace: openshift-cloud-credential-operator}
spec:
  secretRef: {namespace: shelf-system, name: shelf-credentials}
  serviceAccountNames: [shelf]
  providerSpec: {apiVersion: cloudcredential.openshift.io/v1, kind: AzureProviderSpec, roleBindings: [{role: Reader}]}
`,
  "operators/subscription.yaml": `apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: shelf, namespace: shelf-system}
spec:
  name: shelf-operator
  config:
    env:
    - name: LOG_LEVEL
      value: "4"
`,
};

/** A package before its client IDs are stored, and after it. The cloud is in sync with both. */
interface Case {
  readonly before: Tree;
  readonly after: Tree;
  readonly state: State;
}

let cloud: AzureCloud;
/** The first client IDs, and those of an operator that was added to a package that contains others. */
const cases = new Map<string, Case>();

beforeAll(async () => {
  cloud = await AzureCloud.start();
  Object.assign(process.env, cloud.environment());
  cloud.world.settings.pending = 0;
  const first = await applied(readTree(renderedAzurePackage()));
  cases.set("the first IDs", first);
  const more = packageOf({ ...first.after, ...operator });
  expect(await answerOf(["render", more])).toMatchObject({ status: 0 });
  cases.set("the ID of an operator", await applied(readTree(more)));
});

afterAll(async () => {
  for (const name of Object.keys(cloud.environment())) delete process.env[name];
  await cloud.stop();
});

function packageOf(tree: Tree): string {
  const directory = join(temporary(), "package");
  writeTree(directory, tree);
  return directory;
}

async function applied(before: Tree): Promise<Case> {
  const directory = packageOf(before);
  expect(await answerOf(["apply", "--yes", directory])).toMatchObject({ status: 0 });
  return { before, after: readTree(directory), state: structuredClone(cloud.state) };
}

/** A case, with its cloud. */
function caseOf(name: "the first IDs" | "the ID of an operator"): Case {
  const one = cases.get(name);
  if (one === undefined) throw new Error(`no case ${name}`);
  cloud.world.state = structuredClone(one.state);
  cloud.received.length = 0;
  return one;
}

const differing = ({ before, after }: Case) => Object.keys(after).filter((path) => before[path] !== after[path]);

/** The same command again completes the package, whatever an earlier run left. */
async function expectCompleted(directory: string, { after }: Case, what: string): Promise<void> {
  const again = await answerOf(["apply", "--yes", directory]);
  expect(again, what).toMatchObject({ status: 0, stdout: expect.stringContaining("the cloud matches the package.") });
  expect(readTree(directory), what).toEqual(after);
  expect(existsSync(join(directory, ".ccf-render")), what).toBe(false);
  expect(await answerOf(["render", "--check", directory]), what).toMatchObject({ status: 0 });
  expect(await answerOf(["status", directory]), what).toMatchObject({ status: 0 });
}

describe("what ccf apply stores", () => {
  it("is the client IDs, what is rendered from them, and nothing else", () => {
    expect([...cases.values()].map(differing)).toEqual([
      expect.arrayContaining([idsFile, ingressSecret]),
      expect.arrayContaining([idsFile, "operators/request.yaml", "operators/subscription.yaml"]),
    ]);
    for (const { before, after } of cases.values())
      expect(Object.keys(before).filter((path) => after[path] === undefined)).toEqual([]);
  });

  it.each(["the first IDs", "the ID of an operator"] as const)(
    "survives being killed at any change of the file system, and an error there: %s",
    async (name) => {
      const one = caseOf(name);
      const calls = changesIn(await applyWith("count", 0, packageOf(one.before)));
      // Each file is opened, written, flushed, and moved.
      expect(calls).toBeGreaterThan(4 * differing(one).length);
      let partly = 0;
      for (const fault of ["kill", "ENOSPC"]) {
        for (const at of moments(calls, { most: 8, few: 4 })) {
          const what = `${fault} at call ${at} of ${calls}`;
          const directory = packageOf(one.before);
          expectFailed(await applyWith(fault, at, directory), fault, what);
          const done = writtenIn(directory, one, what);
          // What is rendered from the IDs is never there without them.
          if (done.length > 0) expect(done, what).toContain(idsFile);
          if (done.length > 0 && done.length < differing(one).length) partly += 1;
          await expectCompleted(directory, one, what);
        }
      }
      expect(partly).toBeGreaterThan(1);
    },
  );
});

function applyWith(fault: string, at: number, directory: string): Promise<Ended> {
  return startWithFault(fault, at, ["apply", "--yes", directory], cloud.environment());
}

function expectFailed({ status, signal, stderr }: Ended, fault: string, what: string): void {
  expect([status, signal], what).toEqual(fault === "kill" ? [null, "SIGKILL"] : [1, null]);
  if (fault === "kill") return;
  expect(stderr, what).toMatch(
    /^error: ENOSPC: .*; free some disk space, and run the command again \[system-error\]\nerror: demo: files of the package may lack client IDs\. Fix the cause, and run the same command again\. It reads the IDs from the cloud, and writes what is missing\.$/m,
  );
}

/** The files that have their new content; each other file has its old content. */
function writtenIn(directory: string, one: Case, what: string): string[] {
  const now = readTree(directory);
  for (const path of Object.keys(one.after))
    expect([one.before[path], one.after[path]], `${what}: ${path}`).toContain(now[path]);
  return differing(one).filter((path) => now[path] === one.after[path]);
}

describe("a package with stored client IDs that it does not render yet", () => {
  let one: Case;
  let directory: string;
  beforeEach(() => {
    one = caseOf("the first IDs");
    directory = packageOf({ ...one.before, [idsFile]: one.after[idsFile] ?? "" });
  });

  it("is completed", async () => {
    await expectCompleted(directory, one, "");
  });

  it("is refused if something else is not rendered, before any request", async () => {
    const issuer = join(directory, "azure/issuer.yaml");
    writeFileSync(issuer, readFileSync(issuer, "utf8").replace("TLS1_2", "TLS1_0"));
    expect(await answerOf(["apply", "--yes", directory])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/"azure\/issuer\.yaml" differs.*\[package-not-rendered\]/),
    });
    expect(cloud.received).toEqual([]);
  });

  it("is refused if a file that depends on the IDs is neither the former nor the new one", async () => {
    const secret = one.after[ingressSecret] ?? "";
    writeTree(directory, { [ingressSecret]: secret.replace(/azure_region: .*/, "azure_region: other") });
    expect(await answerOf(["apply", "--yes", directory])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`"${ingressSecret}" differs`),
    });
  });

  it("is refused by the commands that do not render", async () => {
    for (const command of ["status", "destroy"])
      expect(await answerOf([command, directory])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("[package-not-rendered]"),
      });
  });

  it("is not changed by a dry run", async () => {
    const before = readTree(directory);
    expect(await answerOf(["apply", "--dry-run", directory])).toMatchObject({ status: 0 });
    expect(readTree(directory)).toEqual(before);
  });
});

describe("client IDs that cannot be stored", () => {
  it("leave the package as it is if the render has errors, and are stored after the cure", async () => {
    const one = caseOf("the first IDs");
    const directory = packageOf({ ...one.before, ".krmignore": "manifests/*-credentials.yaml\n" });
    const before = readTree(directory);
    expect(await answerOf(["apply", "--yes", directory])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /would be generated, but \.krmignore excludes them; .*\[generated-hidden\]\nerror: demo: this run did not store the client IDs in the package\. Fix the cause, and run the same command again\. It reads the IDs from the cloud, and writes what is missing\.\n$/,
      ),
    });
    expect(readTree(directory)).toEqual(before);
    rmSync(join(directory, ".krmignore"));
    await expectCompleted(directory, one, "");
  });

  it("are not written where the next run would not read them", async () => {
    const directory = packageOf({ ...caseOf("the first IDs").before, ".krmignore": "identities.yaml\n" });
    const { stderr } = await answerOf(["apply", "--yes", directory]);
    expect(stderr).toContain(`"${idsFile}" would contain the client IDs, but .krmignore excludes it`);
    expect(existsSync(join(directory, idsFile))).toBe(false);
  });

  it("do not remove the ID of a request that has no identity now", async () => {
    const one = caseOf("the ID of an operator");
    const directory = packageOf(one.before);
    const [stored = "none"] = /openshift-ingress-operator_cloud-credentials: \S+/.exec(one.before[idsFile] ?? "") ?? [];
    const identity = join(directory, "cluster-identity.yaml");
    const skipped = "$&\n  overrides:\n    openshift-ingress-operator/cloud-credentials: {skip: true}";
    writeFileSync(identity, readFileSync(identity, "utf8").replace(/^spec:/m, skipped));
    expect(await answerOf(["render", "--allow", "removal", directory])).toMatchObject({ status: 0 });
    expect(await answerOf(["apply", "--yes", directory])).toMatchObject({ status: 0 });
    const ids = readTree(directory)[idsFile];
    expect(ids).toContain(stored);
    expect(ids).toContain("shelf-system_shelf-credentials");
  });
});

describe("packages inside a package", () => {
  it("get their own IDs", async () => {
    const inner = readTree(renderedAzurePackage({}, undefined, {}, "two"));
    const nested = Object.entries(inner).map(([path, text]) => [`inner/${path}`, text]);
    const directory = packageOf({ ...caseOf("the first IDs").before, ...Object.fromEntries(nested) });
    expect(await answerOf(["apply", "--yes", "--recursive", directory])).toMatchObject({ status: 0 });
    const ids = readTree(directory);
    expect(ids[idsFile]).toMatch(/resource-prefix: demo\n[\s\S]*openshift-ingress-operator_/);
    expect(ids[`inner/${idsFile}`]).toMatch(/resource-prefix: two\n[\s\S]*openshift-ingress-operator_/);
  });
});

describe("two runs at once", () => {
  it("do not write at the same time: the second one says what to do", async () => {
    const one = caseOf("the first IDs");
    const directory = packageOf(one.before);
    // With its first request, a run has read the package. Now another run begins to write.
    const { received } = cloud;
    vi.spyOn(received, "push").mockImplementationOnce((...more) => {
      writeTree(directory, { ".ccf-render/process": recordText(thisProcess()) });
      received.push(...more);
      return received.length;
    });
    expect(await answerOf(["apply", "--yes", directory])).toMatchObject({
      status: 1,
      stderr: `error: another ccf command is writing to this directory. Wait until it ends, and run the same command again. If no such process is running, remove the directory .ccf-render. [usage]
Run "ccf apply --help".
error: demo: this run did not store the client IDs in the package. Fix the cause, and run the same command again. It reads the IDs from the cloud, and writes what is missing.
`,
    });
    rmSync(join(directory, ".ccf-render"), { recursive: true });
    expect(readTree(directory)).toEqual(one.before);
    await expectCompleted(directory, one, "");
  });

  it("complete the package together", async () => {
    const one = caseOf("the first IDs");
    const directory = packageOf(one.before);
    const runs = await Promise.all([1, 2, 3].map(() => applyWith("count", 0, directory)));
    expect(runs.map(({ status }) => status)).toContain(0);
    for (const { status, stderr } of runs)
      if (status !== 0) expect(stderr).toContain("another ccf command is writing to this directory.");
    expect(readTree(directory)).toEqual(one.after);
  });
});
