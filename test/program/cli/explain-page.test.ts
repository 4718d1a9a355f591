import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load } from "js-yaml";
import { beforeAll, describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { configure, type Fields, renderedPackage, sampleRequests, succeed } from "../../helpers/cluster-package.ts";
import { gcpFlags } from "../../helpers/sample.ts";
import { keptTemporary, temporary } from "../../helpers/temporary.ts";

const explain = (...args: string[]) => run(["explain", ...args]);
const ok = (...args: string[]) => {
  const { status, stdout, stderr } = explain(...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
};

/** A package whose request for storage can pass any role, which is accepted until a day. */
function withAcceptance(): string {
  const directory = renderedPackage();
  const path = join(directory, "credentials-requests/30-storage.yaml");
  const request = load(readFileSync(path, "utf8")) as { spec: { providerSpec: { statementEntries: Fields[] } } };
  request.spec.providerSpec.statementEntries.push({
    effect: "Allow",
    action: ["iam:PassRole", "ec2:Run*"],
    resource: "*",
  });
  writeFileSync(path, dump(request));
  configure(directory, (spec) => {
    const object = "openshift-cluster-csi-drivers/ebs-cloud-credentials";
    spec["accept"] = [{ rule: "pass-role-any", object, reason: "a test's reason", until: "2027-06-30" }];
  });
  succeed(run(["render", directory]));
  return directory;
}

describe("ccf explain -o html", () => {
  const { directory: root } = keptTemporary();
  const directory = join(root, "package");
  let page = "";
  beforeAll(() => {
    cpSync(withAcceptance(), directory, { recursive: true });
    page = ok(directory, "-o", "html");
  });

  it("is the same each time, wherever the package is", () => {
    expect(ok(directory, "-o", "html")).toBe(page);
    const here = run(["explain", "-o", "html"], { cwd: directory }).stdout;
    expect(
      here
        .replaceAll("ccf explain . ", `ccf explain ${directory} `)
        .replaceAll("<code>.</code>", `<code>${directory}</code>`),
    ).toBe(page);
  });

  it("says what the cluster is, and how the page was made", () => {
    expect(page).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
    for (const text of ["demo", "AWS", "123456789012", "us-east-2", "https://demo-oidc.s3.us-east-2.amazonaws.com"])
      expect(page).toContain(`>${text}</`);
    expect(page).toContain("<dt>Keys</dt><dd><code>HqwWDSIA74tjnU5Fp9-dp3BWEmUeHD3YZ_ZKZkhDQTk</code></dd>");
    expect(page).toContain(`<code>ccf explain ${directory} -o html</code>`);
    expect(page).toMatch(/<p class="e">AWS · ccf [\d.]+ · Not compared with the cloud<\/p>/);
    const named = ok(directory, "-o", "html", "--commit", "f97f0de it's");
    expect(named).toContain(`<p class="e">AWS · Commit <code>f97f0de it's</code> · ccf `);
    expect(named).toContain(`-o html --commit 'f97f0de it'\\''s'</code>`);
  });

  it("says what is wrong, and what is accepted", () => {
    expect(page).toContain('<a href="#finding:privilege-escalation">privilege-escalation</a>');
    expect(page).toContain(
      '<td data-l="Reason">a test\'s reason</td><td class="d" data-l="Valid">until 2027-06-30</td>',
    );
    expect(page).toContain("Whether an acceptance has expired was not checked");
    // The message is shown without its acceptance, which has a place of its own.
    expect(page).toContain(
      "can pass any role that matches &quot;*&quot; to a service (iam:PassRole); name the roles.</p>",
    );
  });

  it("judges acceptances by a time that is given", () => {
    expect(ok(directory, "-o", "html", "--time", "2027-06-30T12:00:00Z")).toContain(
      "Acceptances were judged as of 2027-06-30.",
    );
    const later = ok(directory, "-o", "html", "--time", "2027-07-01T00:00:00Z");
    expect(later).toContain("Its acceptance in &quot;spec.accept[0]&quot; expired on 2027-06-30.");
    expect(later).not.toContain("Acceptances were judged");
  });

  it("says of each identity what the text says, its request, its exact files, and its ways of escalation", () => {
    const [, , storage = ""] = page.split(/(?=<article )/);
    const [first = ""] = page.split(/(?=<article )/).slice(1);
    const text = `${first}${storage}`;
    expect(first).toContain('id="demo/openshift-cluster-csi-drivers/ebs-cloud-credentials"');
    expect(first).toContain("<code>sample-block-storage, in credentials-requests/30-storage.yaml</code>");
    expect(first).toContain("<code>openshift-cluster-csi-drivers/block-storage-controller</code>");
    expect(first).toContain('<code>Run*</code><span class="a">wildcard</span>');
    expect(first).toContain("<li><strong>pass-role-any</strong>: can pass any role");
    expect(first).toContain("<li><strong>privilege-escalation</strong>: can extend its own permissions: iam:PassRole");
    expect(first).toContain(
      "<summary>Exact file: <code>trust-policy.json</code></summary><pre>{\n  &quot;Version&quot;",
    );
    expect(text).toContain("<p>None known.</p>");
    expect(first).toMatch(/Beyond the cluster<\/h4>\n<ul><li>beyond the cluster with ec2:AttachVolume/);
  });

  it("of an export says the same about its identities, and that it was not validated", () => {
    const out = join(temporary(), "out");
    run(["export", directory, "--output-dir", out]);
    const text = ok(out, "-o", "html");
    expect(text).toContain("Not validated: One directory is an export");
    expect(text).toContain("<li><strong>privilege-escalation</strong>");
    expect(text).toContain("<h1>demo</h1>");
    expect(text).toContain("<summary>Exact file: <code>trust-policy.json</code></summary>");
    expect(text).not.toContain("Findings</h2>");
  });

  it("shows what changes since a package, and since requests", () => {
    const old = renderedPackage();
    const text = ok(directory, "-o", "html", "--against", old);
    expect(text).toContain(
      `Compared with <code>${old}</code>: <strong>Something becomes broader, or may.</strong> 1 broadened, 2 unchanged.`,
    );
    expect(text).toContain('<td class="z">+</td><td class="d">more</td><td><code>ec2:Run*</code></td>');
    expect(text).toContain('<h3 class="s">Before the upgrade</h3>');
    expect(text).toContain("grant openshift-cluster-csi-drivers/ebs-cloud-credentials: ec2:Run*, iam:PassRole on *");
    expect(ok(directory, "-o", "html", "--against", sampleRequests)).toContain("Something becomes broader, or may.");
  });

  it("knows what a request of the release asks for", () => {
    const released = join(temporary(), "package");
    cpSync(directory, released, { recursive: true });
    configure(released, (spec) => delete spec["accept"]);
    const path = join(released, "credentials-requests/30-storage.yaml");
    const own = ok(released, "-o", "html");
    expect(own).toContain("<p>2 warnings, all from OpenShift’s own requests.</p>");
    expect(own.split("<article ")[1]).not.toContain('<span class="a">beyond the cluster</span>');
    const request = readFileSync(path, "utf8");
    const other = request.replace(/^ +include\.release\.openshift\.io\/.*\n/m, "");
    expect(other).not.toBe(request);
    writeFileSync(path, other);
    const text = ok(released, "-o", "html");
    // The third warning says that no release asks for the request.
    expect(text).toContain("<p>3 warnings in the files.</p>");
    expect(text.split("<article ")[1]).toContain('<span class="a">beyond the cluster</span>');
  });

  it("names the object of each note about what was compared", () => {
    const requests = temporary();
    cpSync(sampleRequests, requests, { recursive: true });
    const path = join(requests, "30-storage.yaml");
    const annotation = "    release.openshift.io/feature-set: TechPreviewNoUpgrade";
    const text = readFileSync(path, "utf8").replace(/^ {2}annotations:$/m, `$&\n${annotation}`);
    expect(text).toContain(annotation);
    writeFileSync(path, text);
    const notes = ok(directory, "-o", "html", "--against", requests).match(/<p class="e">.*excluded: .*<\/p>/g) ?? [];
    expect(notes.length).toBeGreaterThan(0);
    for (const note of notes) expect(note).toMatch(/<p class="e">CredentialsRequest [^ ]+: excluded: /);
  });

  it("is small", () => {
    expect(page.length).toBeLessThan(75_000);
  });

  it("shows the services of another cloud", () => {
    const gcp = join(temporary(), "gcp");
    succeed(run(["init", gcp, ...gcpFlags()]));
    succeed(run(["render", gcp]));
    const text = ok(gcp, "-o", "html");
    expect(text).toContain('<div data-s="dns"><b>dns</b> role <code>roles/dns.admin</code></div>');
    expect(text).toContain('data-s="compute"');
    expect(text).not.toContain("Permissions boundary</dt><dd>none");
  });
});

describe("ccf explain: the picture", () => {
  it("alone, as SVG", () => {
    const text = ok(renderedPackage(), "-o", "svg");
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>\n$/s);
    expect(text).toContain(">ebs-cloud-credentials</text>");
    expect(text.trimEnd()).not.toContain("\n");
  });

  it("for Markdown", () => {
    const text = ok(renderedPackage(), "-o", "mermaid");
    expect(text).toMatch(/^```mermaid\nflowchart LR\n/);
    expect(text).toMatch(/\n```\n$/);
    expect(text).toContain('(["openshift-ingress-operator/ingress-operator"])');
  });
});

describe("ccf explain refuses", () => {
  it("a flag of the page with another output", () => {
    for (const flag of ["--against", "--commit", "--time"]) {
      const { status, stdout, stderr } = explain("x", flag, "y");
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain(`${flag} has no effect with "-o text"; use "-o html", or omit it`);
    }
  });

  it("a time that is none, and a side that cannot be compared", () => {
    const directory = renderedPackage();
    expect(explain(directory, "-o", "html", "--time", "soon")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("--time must be a time"),
    });
    expect(explain(directory, "-o", "html", "--against", temporary())).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("contains no CredentialsRequests and no rendered roles"),
    });
  });
});
