import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { inspectors, rulesFor } from "../../../src/clouds/inspectors.ts";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { renderedPackage } from "../../helpers/cluster-package.ts";
import { keptTemporary, temporary } from "../../helpers/temporary.ts";

function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(path, change(text));
}

const registry = "credentials-requests/10-registry.yaml";
const ingress = "credentials-requests/20-ingress.yaml";
const secret = "manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml";

/** A package in which a violation is accepted, one is not, a Secret was edited, and a request was not filled in. */
function brokenPackage(): string {
  const directory = renderedPackage();
  edit(join(directory, registry), (text) =>
    text.replace("action: [", 'action: ["iam:PassRole", "sts:AssumeRole", ').replace(
      "  annotations:\n",
      `  annotations:
    fn.cloudcredential.dev/accept: pass-role-any
    fn.cloudcredential.dev/accept-reason: the account has a boundary
`,
    ),
  );
  edit(join(directory, ingress), (text) => text.replace('resource: "*"', "resource: ${ZONE}"));
  edit(join(directory, secret), (text) => text.replace("token_file = /var", "token_file = /tmp"));
  return directory;
}

/** The run of a SARIF file. */
function sarifOf(args: readonly string[], cwd: string, input = ""): { status: number | null; log: Any; text: string } {
  const { status, stdout } = run(["validate", ...args, "-o", "sarif"], { cwd, input });
  return { status, log: JSON.parse(stdout), text: stdout };
}

describe("ccf validate -o sarif", () => {
  let directory: string;
  const kept = keptTemporary();
  let done: { status: number | null; log: Any; text: string };
  beforeAll(() => {
    directory = join(kept.directory, "package");
    cpSync(brokenPackage(), directory, { recursive: true });
    done = sarifOf(["package"], join(directory, ".."));
    return () => kept.remove();
  });

  const results = (): Any[] => done.log.runs[0].results;
  const named = (code: string): Any => results().find(({ ruleId }) => ruleId === code);

  it("exits as the other forms do", () => {
    expect(done.status).toBe(2);
  });

  it("is a log of version 2.1.0 with one run of one tool", () => {
    expect(Object.keys(done.log).sort()).toEqual(["$schema", "runs", "version"]);
    expect(done.log.version).toBe("2.1.0");
    expect(done.log.runs).toHaveLength(1);
    const { driver } = done.log.runs[0].tool;
    expect(done.log.runs[0].automationDetails.id).toBe("ccf/package/");
    expect(driver.name).toBe("ccf");
    expect(driver.semanticVersion).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
  });

  it("describes every rule, and every other code that there is a result of", () => {
    const described: Any[] = done.log.runs[0].tool.driver.rules;
    const ids = described.map(({ id }) => id);
    expect(ids).toEqual(
      [
        ...new Set([...rulesFor(...inspectors).map(({ code }) => code), ...results().map(({ ruleId }) => ruleId)]),
      ].sort(),
    );
    for (const value of described) {
      // The plain text is required wherever there is a text at all (sections 3.11.8 and 3.12.3).
      for (const text of [
        value.shortDescription.text,
        value.fullDescription.text,
        value.help.text,
        value.help.markdown,
      ])
        expect(text).toMatch(/\S\.$/);
      expect(["error", "warning", "note"]).toContain(value.defaultConfiguration.level);
      expect(value.helpUri).toMatch(/^https:\/\/\S+#[a-z-]+$/);
    }
  });

  it("has results that point at their rules, at a file of the package, and at a line of it", () => {
    expect(results().length).toBeGreaterThan(3);
    for (const result of results()) {
      expect(done.log.runs[0].tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
      expect(["error", "warning", "note"]).toContain(result.level);
      expect(result.message.text).toMatch(/\S/);
      expect(result.locations).toHaveLength(1);
      const { artifactLocation, region } = result.locations[0].physicalLocation;
      expect(artifactLocation.uriBaseId).toBe("SRCROOT");
      expect(Object.keys(done.log.runs[0].originalUriBaseIds)).toEqual(["SRCROOT"]);
      expect(artifactLocation.uri).toMatch(/^package\/[\w./-]+$/);
      const lines = readFileSync(join(directory, "..", artifactLocation.uri), "utf8").split("\n").length;
      expect(region.startLine).toBeGreaterThanOrEqual(1);
      expect(region.startLine).toBeLessThanOrEqual(lines);
    }
  });

  it.each([
    ["sts", "assume-role-any", registry, "action: ["],
    ["a template", "request-placeholder", ingress, "resource: ${ZONE}"],
    ["a Secret", "secret-edited", secret, "credentials: |-"],
  ])("points at the line of %s", (_name, code, path, line) => {
    const { artifactLocation, region } = named(code).locations[0].physicalLocation;
    expect(artifactLocation.uri).toBe(`package/${path}`);
    expect(readFileSync(join(directory, path), "utf8").split("\n")[region.startLine - 1]).toContain(line);
  });

  it("doubles braces in messages, which would stand for arguments", () => {
    expect(named("request-placeholder").message.text).toContain('"${{ZONE}}"');
  });

  it("shows what is accepted as a result with its suppression, at its own level", () => {
    expect(named("pass-role-any")).toMatchObject({
      level: "warning",
      suppressions: [{ kind: "inSource", status: "accepted", justification: '"the account has a boundary"' }],
    });
    expect(results().filter((result) => "suppressions" in result)).toHaveLength(1);
  });

  it("is the same in every run, and knows a finding again where its line has moved", () => {
    expect(sarifOf(["package"], join(directory, "..")).text).toBe(done.text);
    const prints = (all: Any[]) => all.map((value) => value.partialFingerprints["ccfFinding/v1"]);
    expect(new Set(prints(results())).size).toBe(results().length);
    const elsewhere = temporary();
    cpSync(directory, join(elsewhere, "package"), { recursive: true });
    edit(join(elsewhere, "package", ingress), (text) => `# one line more\n${text}`);
    const moved = sarifOf(["package"], elsewhere).log.runs[0].results;
    expect(prints(moved)).toEqual(prints(results()));
    expect(moved).not.toEqual(results());
  });

  it("names no place of the machine", () => {
    expect(done.text).not.toContain(join(directory, ".."));
  });

  it("has paths from the package where the package is not below the directory it runs in", () => {
    const outside = sarifOf([directory], temporary()).log.runs[0].results;
    expect(outside.map((value: Any) => value.locations[0].physicalLocation.artifactLocation.uri)).toContain(secret);
  });

  it("puts what is wrong in a cluster at the package, and an install-config where it is", () => {
    const root = join(directory, "..");
    writeFileSync(join(root, "install config.yaml"), "metadata:\n  name: demo\ncredentialsMode: Mint\n");
    const aws = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "aws-creds", namespace: "kube-system", uid: "1" },
    };
    const flags = ["--live", "-", "--install-config", "install config.yaml"];
    const { log } = sarifOf(["package", ...flags], root, JSON.stringify(aws));
    const placeOf = (code: string) =>
      log.runs[0].results.find(({ ruleId }: Any) => ruleId === code).locations[0].physicalLocation;
    expect(placeOf("install-config-mode")).toEqual({
      artifactLocation: { uri: "install%20config.yaml", uriBaseId: "SRCROOT" },
      region: { startLine: 3 },
    });
    expect(placeOf("live-root-credentials")).toEqual({
      artifactLocation: { uri: "package/cluster-identity.yaml", uriBaseId: "SRCROOT" },
      region: { startLine: 1 },
    });
  });
});
