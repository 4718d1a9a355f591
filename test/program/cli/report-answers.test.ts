import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { renderedPackage, sampleRequests } from "../../helpers/cluster-package.ts";
import { temporary } from "../../helpers/temporary.ts";

const whoMay = (directory: string, action: string, ...args: readonly string[]) =>
  run(["report", directory, "--who-may", action, ...args]);
const digest = /sha256:[0-9a-f]{64}/;

describe("ccf report --who-may that finds nothing", () => {
  it("says what was asked, of how many packages and identities, and of which digest, in each format", () => {
    const directory = renderedPackage();
    const { status, stdout } = whoMay(directory, "route53:DeleteHostedZone", "--on", "arn:aws:route53:::hostedzone/Z1");
    expect(status).toBe(0);
    const none = "No identity in 1 package (3 identities, 12 actions) can";
    const said = `${none} do route53:DeleteHostedZone, and none can reach it in one step`;
    const [first] = stdout.split("\n");
    expect(first?.replace(digest, "DIGEST")).toBe(
      `${none} do route53:DeleteHostedZone on arn:aws:route53:::hostedzone/Z1, and none can reach it in one step. Digest of what was read: DIGEST.`,
    );
    const [shown] = digest.exec(stdout) ?? [];
    const json = whoMay(directory, "route53:DeleteHostedZone", "-o", "json").stdout;
    expect(JSON.parse(json)).toEqual({
      question: { action: "route53:DeleteHostedZone", actions: ["route53:DeleteHostedZone"] },
      ...{ answers: 0, packages: 1, identities: 3, actions: 12, digest: shown },
    });
    const csv = whoMay(directory, "route53:DeleteHostedZone", "-o", "csv").stdout.split("\r\n");
    expect(csv[1]).toBe(`,,,none,,,,,"${said}. Digest of what was read: ${shown}.",,`);
    expect(whoMay(directory, "route53:DeleteHostedZone", "-o", "markdown").stdout).toContain(
      `${none} \`do route53:DeleteHostedZone\`, and none can reach it in one step. Digest`,
    );
    expect(run(["report", directory, "--reach", "-o", "json"]).stdout).not.toContain('"answers"');
  });

  it("has another digest if a file differs, and not if only the format does", () => {
    const directory = renderedPackage();
    const [before] = digest.exec(whoMay(directory, "sns:Publish").stdout) ?? [];
    const role = join(directory, "aws/roles/openshift-ingress-operator-cloud-credentials.yaml");
    writeFileSync(role, readFileSync(role, "utf8").replaceAll("route53:List", "route53:Lost"));
    const [after] = digest.exec(whoMay(directory, "sns:Publish").stdout) ?? [];
    expect(before).toBeDefined();
    expect(after).toBeDefined();
    expect(after).not.toBe(before);
  });
});

describe("an action that nothing names", () => {
  it.each([
    ["route53:ListHostedZone", 'the action "route53:ListHostedZone". Did you mean "route53:ListHostedZones"?'],
    ["route52:ListTags", 'the service of the action "route52:ListTags". Did you mean "route53:ListTags"?'],
    ["dynamodb:DeleteTable", 'the service of the action "dynamodb:DeleteTable". [action-not-named]'],
  ])("%s is a warning with the nearest name", (action, said) => {
    const { status, stderr } = whoMay(renderedPackage(), action);
    expect(status).toBe(0);
    expect(stderr).toContain(`warning: no file and no known role names ${said}`);
  });

  it.each(["route53:ListHostedZones", "ROUTE53:listhostedzones", "route53:DeleteHealthCheck", "route53:*", "*"])(
    "%s is none",
    (action) => {
      expect(whoMay(renderedPackage(), action).stderr).not.toContain("action-not-named");
    },
  );
});

describe("ccf report --credentials-requests", () => {
  it("names what is lacking, and equal lacks once", () => {
    const root = temporary();
    const release = join(root, "4.21");
    cpSync(sampleRequests, release, { recursive: true });
    const path = join(release, "20-ingress.yaml");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/( +- )route53:List/, "$1sts:AssumeRole\n$1sts:TagSession\n$&"));
    const model = renderedPackage();
    for (const name of ["a", "b"]) {
      cpSync(model, join(root, "clusters", name), { recursive: true });
    }
    const report = (...args: string[]) =>
      run(["report", "--recursive", "clusters", "--credentials-requests", release, ...args], { cwd: root });
    const { stdout } = report();
    const secret = "openshift-ingress-operator/cloud-credentials";
    expect(stdout.split("\n").filter((line) => line.includes(" lack "))).toEqual([
      `2 clusters lack (clusters/a, clusters/b): ${secret}: sts:AssumeRole, sts:TagSession`,
    ]);
    expect(report("-o", "markdown").stdout).toContain(
      `- 2 clusters lack (\`clusters/a\`, \`clusters/b\`): \`${secret}\`: \`sts:AssumeRole\`, \`sts:TagSession\`\n`,
    );
    const [first = ""] = report("-o", "json").stdout.split("\n");
    expect(JSON.parse(first).lacks).toEqual([
      { secret, change: "more", permissions: ["sts:AssumeRole", "sts:TagSession"] },
    ]);
  });
});
