import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { beforeAll, describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { configure, renderedPackage, sampleRequests, succeed } from "../../helpers/cluster-package.ts";
import { expectFits } from "../../helpers/schema.ts";
import { digestOfPackage, hoursAgo, resultText } from "../../helpers/status-result.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const manifest = "manifests/cluster-cloudcredential.yaml";
const annotation = "cloudcredential.openshift.io/upgradeable-to";

/** What Argo CD, kpt and Flux go by when they would delete the object with its file. */
const neverPruned = {
  "argocd.argoproj.io/sync-options": "Prune=false,Delete=false",
  "client.lifecycle.config.k8s.io/deletion": "detach",
  "kustomize.toolkit.fluxcd.io/prune": "disabled",
};

let files: Record<string, string>;
let digest: string;
beforeAll(() => {
  const directory = renderedPackage();
  files = readTree(directory);
  digest = digestOfPackage(directory);
});

function statusFile(change: Any = {}): string {
  const file = join(temporary(), "status.json");
  writeFileSync(file, resultText(digest, change));
  return file;
}

function copy(): string {
  const made = join(temporary(), "package");
  writeTree(made, files);
  return made;
}

const upgradeableTo = (...args: string[]) => run(["upgradeable-to", ...args]);

describe("ccf upgradeable-to", () => {
  it.each([
    ["4.20", "4.20"],
    ["4.20.3", "4.20"],
    ["5.1.0-rc.2", "5.1"],
  ])("%s writes the annotation for %s, and nothing else, once", (version, written) => {
    const made = copy();
    const before = readTree(made);
    const status = statusFile();
    expect(upgradeableTo(version, "--status", status, made)).toEqual({
      status: 0,
      stderr: "",
      stdout: `${manifest}: allows the cluster to upgrade to ${written}, once the file is applied.\n`,
    });
    const { [manifest]: text = "", ...others } = readTree(made);
    expect(others).toEqual(before);
    expect(load(text)).toEqual({
      apiVersion: "operator.openshift.io/v1",
      kind: "CloudCredential",
      metadata: { name: "cluster", annotations: { ...neverPruned, [annotation]: written } },
      spec: {},
    });
    expect(upgradeableTo(version, "--status", status, made).stdout).toBe(
      `${manifest}: already allows the cluster to upgrade to ${written}, once the file is applied.\n`,
    );
    // A render does not mind it, and the digest is of what is applied to the cloud.
    expect(run(["render", made, "--check"])).toMatchObject({ status: 0 });
    expect(upgradeableTo("4.21", "--status", status, made)).toMatchObject({
      status: 0,
      stdout: `${manifest}: allows the cluster to upgrade to 4.21 instead of ${written}, once the file is applied.\n`,
    });
    expect(readFileSync(join(made, manifest), "utf8")).toContain(`${annotation}: "4.21"`);
  });

  it("sets it in the object that is there, and keeps every other byte", () => {
    const made = copy();
    const mine = `# ours
apiVersion: operator.openshift.io/v1
kind: CloudCredential
metadata: {name: cluster} # named so
spec:
  credentialsMode:   Manual
`;
    writeTree(made, { "day-two/cco.yaml": mine });
    const { stdout } = upgradeableTo("4.20", "--status", statusFile(), made);
    expect(stdout).toMatch(
      /^day-two\/cco.yaml: .*\nday-two\/cco.yaml: the object was written by hand\. If the file is removed, /,
    );
    expect(stdout).toContain(
      "To prevent that, add the annotations argocd.argoproj.io/sync-options: Prune=false,Delete=false; client.lifecycle",
    );
    expect(readFileSync(join(made, "day-two/cco.yaml"), "utf8")).toBe(
      mine.replace("{name: cluster}", `{name: cluster, "annotations": {"${annotation}": "4.20"}}`),
    );
  });

  it.each<[string, Any, number, string]>([
    [
      "for another state of the package",
      { digest: "sha256:0" },
      2,
      'error: The cloud was compared with another package, or with an earlier state of this one; apply the package, and then run "ccf status --result FILE" again. [status-of-another-package]\n',
    ],
    [
      "that is older than a day",
      { time: hoursAgo(25) },
      2,
      "more than 24 hours ago, and may have changed; ask for its status again. [status-outdated]",
    ],
    ["of differences", { verdict: "drift" }, 2, "Z, the cloud differed from the package; "],
    ["that is not complete", { verdict: "unknown" }, 2, "[status-not-in-sync]"],
    ["of an unknown form", { verdict: "fine" }, 1, "[status-invalid]"],
  ])("refuses a result %s", (_, change, exitCode, message) => {
    const made = copy();
    const before = readTree(made);
    const { status, stdout, stderr } = upgradeableTo("4.20", "--status", statusFile(change), made);
    expect({ status, stdout }).toEqual({ status: exitCode, stdout: "" });
    expect(stderr).toContain(message);
    expect(readTree(made)).toEqual(before);
  });

  it("says that what an earlier run allowed is still allowed", () => {
    const made = copy();
    succeed(upgradeableTo("4.20", "--status", statusFile(), made));
    const before = readTree(made);
    const drift = statusFile({ verdict: "drift" });
    const { status, stderr } = upgradeableTo("4.20", "--status", drift, made);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining(
        `\nwarning: ${manifest}: CloudCredential cluster: The package still contains the annotation that allows the cluster to upgrade to 4.20. Remove it and apply the file, unless the upgrade has started. [upgrade-still-allowed]\n`,
      ),
    ]);
    expect(upgradeableTo("4.21", "--status", drift, made).stderr).not.toContain("upgrade-still-allowed");
    writeTree(made, { "aws/cluster.yaml": "" });
    expect(upgradeableTo("4.20", "--status", statusFile(), made)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("[upgrade-still-allowed]"),
    });
    expect(readTree(made)).toEqual({ ...before, "aws/cluster.yaml": "" });
  });

  it("goes on after a run that was killed while it wrote", () => {
    const made = copy();
    writeTree(made, { ".ccf-render/process": "" });
    expect(upgradeableTo("4.20", "--status", statusFile(), made)).toMatchObject({ status: 0 });
    expect(existsSync(join(made, ".ccf-render"))).toBe(false);
  });

  it("refuses a result of another cluster in the same account", () => {
    const made = join(temporary(), "package");
    const { "cluster-identity.yaml": identity = "" } = files;
    writeTree(made, Object.fromEntries(Object.entries(files).filter(([path]) => !/^(?:aws|manifests)\//.test(path))));
    writeTree(made, { "cluster-identity.yaml": identity.replace("name: demo", "name: other") });
    succeed(run(["render", made]));
    expect(upgradeableTo("4.20", "--status", statusFile(), made)).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("another package, or with an earlier state of this one"),
    });
  });

  it("refuses what is not a result", () => {
    const file = join(temporary(), "status.json");
    writeFileSync(file, "x");
    expect(upgradeableTo("4.20", "--status", file, copy())).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: "${file}" is not the result of a status; "ccf status --result FILE" writes one. [status-invalid]\n`,
    });
  });

  it("refuses a package that was changed since, rendered or not", () => {
    const made = copy();
    configure(made, (spec) => {
      (spec["platform"] as Any)["aws"]["roles"] = { maxSessionDuration: 7200 };
    });
    expect(upgradeableTo("4.20", "--status", statusFile(), made)).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /so it is unknown whether it was applied: .* and apply it\. \[package-not-rendered\]\n$/,
      ),
    });
    succeed(run(["render", made]));
    expect(upgradeableTo("4.20", "--status", statusFile(), made)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("[status-of-another-package]"),
    });
  });

  it("refuses while a release's requests ask for more than the roles have", () => {
    const made = copy();
    const release = temporary();
    const sample = readTree(sampleRequests);
    const path = "20-ingress.yaml";
    writeTree(release, {
      ...sample,
      [path]: sample[path]?.replace(/( +- )route53:List/, "$1sts:AssumeRole\n$&") ?? "",
    });
    const ask = (from: string) => upgradeableTo("4.20", "--status", statusFile(), made, "--credentials-requests", from);
    expect(ask(release)).toEqual({
      status: 2,
      stdout: "",
      stderr:
        'error: openshift-ingress-operator/cloud-credentials asks for more than its role has in the requests for 4.20; "ccf diff" shows the difference. Bring the requests into the package with "ccf update-requests", then render, export and apply it. [permissions-missing]\n',
    });
    expect(ask(sampleRequests)).toMatchObject({ status: 0 });
    writeTree(release, { [path]: "" });
    expect(ask(join(release, path)).stderr).toContain("contains no CredentialsRequests and no rendered roles");
    const gcp = temporary();
    writeTree(gcp, { "a.yaml": (sample["20-ingress.yaml"] ?? "").split("---\n")[1] ?? "" });
    expect(ask(gcp)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("contains no request for this cluster, so nothing was compared"),
    });
    expect(ask(copy()).stderr).toContain("must contain CredentialsRequests");
  });

  it.each<[string[], string]>([
    [["four", "--status", "x"], 'error: "four" is not a version such as "4.20".'],
    [["4.015", "--status", "x"], 'error: "4.015" is not a version such as "4.20".'],
    [["4", "--status", "x"], 'error: "4" is not a version such as "4.20".'],
    [["v4.20", "--status", "x"], 'error: "v4.20" is not a version such as "4.20".'],
    [[], 'error: missing required argument "VERSION". [usage]\nRun "ccf upgradeable-to --help".\n'],
    [
      ["4.20"],
      'error: --status FILE is required; "ccf status --result FILE" writes it, or "ccf status --results DIR" for several packages.',
    ],
    [["4.20", "--status", "/nowhere"], '--status "/nowhere" cannot be read (ENOENT)'],
    [["4.20", "--status", "/"], "is not a regular file; remove it."],
  ])("says what is wrong with %j", (args, message) => {
    const { status, stdout, stderr } = upgradeableTo(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("does not guess which of two objects is meant", () => {
    const made = copy();
    const text = "apiVersion: operator.openshift.io/v1\nkind: CloudCredential\nmetadata:\n  name: cluster\n";
    writeTree(made, { "a.yaml": text, "b.yaml": text });
    expect(upgradeableTo("4.20", "--status", statusFile(), made)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'CloudCredential "cluster" appears 2 times in the package ("a.yaml", "b.yaml"); a cluster has exactly one, so remove all but one',
      ),
    });
    const other = copy();
    writeTree(other, { [manifest]: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n" });
    expect(upgradeableTo("4.20", "--status", statusFile(), other)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`"${manifest}" does not contain CloudCredential "cluster"; move it away`),
    });
  });
});

describe("ccf upgradeable-to, for a wave of packages", () => {
  /** Three packages, the results of two of them, and the requests of a release. */
  function wave(): { root: string; results: string } {
    const [root, results] = [temporary(), join(temporary(), "results")];
    for (const name of ["one", "two", "three"]) {
      writeTree(
        join(root, name),
        Object.fromEntries(Object.entries(files).filter(([path]) => !/^(aws|manifests)\//.test(path))),
      );
      const identity = (files["cluster-identity.yaml"] ?? "").replace("name: demo", `name: ${name}`);
      writeTree(join(root, name), { "cluster-identity.yaml": identity });
      succeed(run(["render", join(root, name)]));
    }
    for (const name of ["one", "two"]) {
      writeTree(results, { [`${name}.json`]: resultText(digestOfPackage(join(root, name))) });
    }
    return { root, results };
  }

  it("allows those whose cloud was in sync, and names the others", () => {
    const { root, results } = wave();
    const { status, stdout, stderr } = upgradeableTo("4.20", "--status", results, "--recursive", root);
    expect(status).toBe(2);
    expect(stdout).toBe(
      `${root}/one, ${root}/two:\n  ${manifest}: allows the cluster to upgrade to 4.20, once the file is applied.\n3 packages: 2 allowed, 1 refused\n`,
    );
    expect(stderr).toBe(
      `${root}/three:\nerror: No result in "${results}" is for this package as it is now; apply the package, and then run "ccf status --results DIR". [status-of-another-package]\n`,
    );
    expect(readTree(join(root, "three"))[manifest]).toBeUndefined();
    expect(readTree(join(root, "one"))[manifest]).toContain(`${annotation}: "4.20"`);
  });

  it("names what each lacks for the release, also in JSON", () => {
    const { root, results } = wave();
    const release = temporary();
    const sample = readTree(sampleRequests);
    const path = "20-ingress.yaml";
    writeTree(release, {
      ...sample,
      [path]: sample[path]?.replace(/( +- )route53:List/, "$1sts:AssumeRole\n$&") ?? "",
    });
    const ask = ["--status", results, "--recursive", root, "--credentials-requests", release];
    const { status, stdout, stderr } = upgradeableTo("4.20", ...ask);
    expect([status, stdout]).toEqual([2, "3 packages: 3 refused\n"]);
    const lack =
      /error: openshift-ingress-operator\/cloud-credentials asks for more than its role has in the requests for 4\.20;/g;
    // The same for both packages, so it is said once.
    expect(stderr.match(lack)).toHaveLength(1);
    const json = upgradeableTo("4.20", ...ask, "-o", "json")
      .stdout.trimEnd()
      .split("\n");
    for (const line of json) expectFits("upgradeable-to", line);
    expect(json.map((line) => JSON.parse(line))).toEqual(
      ["one", "three", "two"].map((name) => ({
        package: `${root}/${name}`,
        version: "4.20",
        allowed: false,
        findings: [expect.objectContaining({ severity: "error" })],
      })),
    );
  });

  it("ignores results of packages that could not be opened", () => {
    const { root, results } = wave();
    const unopened = resultText("", { verdict: "unknown" });
    writeTree(results, { "x.json": unopened, "y.json": unopened });
    expect(upgradeableTo("4.20", "--status", results, "--recursive", root)).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(/\n3 packages: 2 allowed, 1 refused\n$/),
    });
  });

  it("goes on after a package that fails", () => {
    const { root, results } = wave();
    writeTree(join(root, "one"), { "aws/cluster.yaml": "not: rendered\n" });
    const { status, stdout } = upgradeableTo("4.20", "--status", results, "--recursive", root);
    expect([status, stdout]).toEqual([1, expect.stringMatching(/\n3 packages: 1 allowed, 1 refused, 1 failed\n$/)]);
  });
});
