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

describe("ccf report --who-may about a role that passes roles", () => {
  const passing = () => {
    const directory = renderedPackage();
    const file = join(directory, "aws/roles/openshift-ingress-operator-cloud-credentials.yaml");
    const more = '"iam:PassRole", "ec2:RunInstances", "route53:ListHostedZones"';
    writeFileSync(file, readFileSync(file, "utf8").replace('"route53:ListHostedZones"', more));
    return directory;
  };
  const [secret, user] = ["openshift-ingress-operator/cloud-credentials", "ingress-operator"];
  const subject = `system:serviceaccount:openshift-ingress-operator:${user}`;

  it("names the step, and whose tokens can use the role", () => {
    const { status, stdout } = whoMay(passing(), "s3:DeleteBucket");
    const [first, name, ...rest] = stdout.split("\n");
    expect(first).toMatch(
      /^No identity in 1 package \(3 identities, \d+ actions\) can do s3:DeleteBucket; 1 can reach it by passing a role\.$/,
    );
    expect(name).toContain(secret);
    expect(rest.slice(0, 2)).toEqual([
      "  can reach it by passing a role: iam:PassRole with ec2:RunInstances on * (an instance runs as the role)",
      `  used by ${subject}`,
    ]);
    expect(status).toBe(0);
  });

  it("says the same in JSON and CSV", () => {
    const directory = passing();
    const { status, stdout } = whoMay(directory, "DeleteBucketTagging", "-o", "json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ secret, answer: "step", by: [], serviceAccounts: [subject] },
      steps: [
        {
          ...{ by: "passing a role", actions: ["iam:PassRole", "ec2:RunInstances"], resources: ["*"] },
          how: "an instance runs as the role",
        },
      ],
      question: { action: "DeleteBucketTagging", actions: ["s3:PutBucketTagging"] },
    });
    const [, row] = whoMay(directory, "s3:DeleteBucket", "-o", "csv").stdout.split("\r\n");
    expect(row).toMatch(/,step,"iam:PassRole; ec2:RunInstances",\*,,,,"passing a role",system:/);
  });

  it("finds a part of a name, and warns of a word that nothing names", () => {
    const directory = passing();
    const { stdout, stderr } = whoMay(directory, "passrole");
    expect(stdout).toMatch(
      /^1 identity in 1 cluster can do something named "passrole" \(iam:PassRole\), used by 1 service/,
    );
    expect(stderr).not.toContain("action-not-named");
    const unknown = whoMay(directory, "nothing-like-this");
    expect(unknown.stderr).toContain('no file and no known role names an action with the name "nothing-like-this".');
    expect(unknown.stdout).toMatch(/^No identity in 1 package .* and none can reach it in one step\. Digest/);
    expect(unknown.status).toBe(0);
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
