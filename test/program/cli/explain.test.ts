import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { awsOf, configure, renderedPackage, sampleRequests } from "../../helpers/cluster-package.ts";
import { expectFits } from "../../helpers/schema.ts";
import { temporary } from "../../helpers/temporary.ts";
import { ecSigner } from "../../helpers/token.ts";
import { exportedCluster, host, type Made, providerArn, subject, trust } from "../verify-token/exported.ts";

let made: Made;
beforeAll(() => {
  made = exportedCluster([ecSigner()]);
});
afterAll(() => made.remove());

const explain = (...args: string[]) => run(["explain", ...args]);
const ingress = "openshift-ingress-operator-cloud-credentials";

/** An export in which a role's files are others. */
function exportWith(files: Readonly<Record<string, Any>>): string {
  const copy = join(temporary(), "out");
  cpSync(made.out, copy, { recursive: true });
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(copy, "aws/roles", ingress, name), typeof value === "string" ? value : JSON.stringify(value));
  return copy;
}

const identityOf = (directory: string): Any => {
  const { status, stdout, stderr } = explain(directory, "-o", "json");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expectFits("explain", stdout);
  return JSON.parse(stdout).identities.find(({ id }: Any) => id.endsWith(ingress));
};

describe("ccf explain", () => {
  it("says of each role who can use it, and what it may do", () => {
    const { status, stdout, stderr } = explain(made.pkg);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      `All identities accept tokens of https://${host} for the audience openshift or\nsts.amazonaws.com.\n\n`,
    );
    expect(stdout).toContain(`openshift-ingress-operator/cloud-credentials
  Role:       arn:aws:iam::123456789012:role/demo-${ingress}
  Who:        openshift-ingress-operator/ingress-operator
  Allows:     route53: ChangeResourceRecordSets, ListHostedZones
              on *
  Limits:     session of at most 3600 seconds, no permissions boundary
  Escalation: none known
  Reach:      beyond the cluster with route53:ChangeResourceRecordSets: neither a name nor a condition on a tag limits
                "*" to the cluster
`);
    expect(stdout).toContain('              on *, when Bool kms:grantisforawsresource "true"\n');
    expect(stdout.match(/^ {2}Role: /gm)).toHaveLength(3);
    expect(explain(made.out).stdout).toBe(stdout);
    expect(run(["explain"], { cwd: made.out }).stdout).toBe(stdout);
  });

  it("as a page", () => {
    const { stdout } = explain(made.out, "-o", "markdown");
    expect(stdout).toMatch(
      /^# Identities\n\n## `openshift-cluster-csi-drivers\/ebs-cloud-credentials`\n\n- Role: `arn:/,
    );
    expect(stdout).toContain(
      `| Allow | \`${subject}\` | \`https://${host}\` | \`openshift\`<br>\`sts.amazonaws.com\` |  |\n`,
    );
    expect(stdout).toContain("| Allow | `route53:ChangeResourceRecordSets`<br>`route53:ListHostedZones` | `*` |  |\n");
  });

  it("as JSON that fits its schema", () => {
    expect(identityOf(made.pkg)).toEqual({
      secret: "openshift-ingress-operator/cloud-credentials",
      kind: "role",
      id: `arn:aws:iam::123456789012:role/demo-${ingress}`,
      permissionsBoundary: null,
      maxSessionDuration: 3600,
      trusts: [
        {
          effect: "Allow",
          subjects: [subject],
          conditions: [],
          issuer: `https://${host}`,
          audiences: ["openshift", "sts.amazonaws.com"],
        },
      ],
      permissions: [
        {
          effect: "Allow",
          actions: [{ service: "route53", names: ["ChangeResourceRecordSets", "ListHostedZones"] }],
          resources: ["*"],
          conditions: [],
        },
      ],
      managedPolicies: [],
      reach: {
        answer: "changes",
        changes: ["route53:ChangeResourceRecordSets"],
        reads: ["route53:ListHostedZones"],
        undecided: [],
        why: 'neither a name nor a condition on a tag limits "*" to the cluster',
      },
      escalation: { ways: [], unknown: [] },
    });
  });

  it("as JSON without a reach if the cluster's name limits it", () => {
    const Statement = [{ Effect: "Allow", Action: "s3:*", Resource: "arn:aws:s3:::demo-*" }];
    expect(identityOf(exportWith({ "permissions-policy.json": { Statement } })).reach).toBeNull();
  });

  it("with boundary, managed policies, other partition, previous issuers and required audience", () => {
    const directory = renderedPackage(sampleRequests, (spec) => {
      const aws = awsOf(spec);
      aws["region"] = "us-gov-west-1";
      const start = "arn:aws-us-gov:iam::123456789012:policy";
      aws["roles"] = { permissionsBoundaryARN: `${start}/boundary`, requireAudience: true, path: "/ocp/" };
      aws["overrides"] = {
        "openshift-ingress-operator/cloud-credentials": { managedPolicyARNs: [`${start}/b`, `${start}/a`] },
      };
      (spec["issuer"] as Any).previous = ["https://old.example.com"];
      (spec["issuer"] as Any).audiences = ["openshift"];
    });
    const found = identityOf(directory);
    expect(found).toMatchObject({
      id: `arn:aws-us-gov:iam::123456789012:role/ocp/demo-${ingress}`,
      permissionsBoundary: "arn:aws-us-gov:iam::123456789012:policy/boundary",
      managedPolicies: ["arn:aws-us-gov:iam::123456789012:policy/a", "arn:aws-us-gov:iam::123456789012:policy/b"],
      trusts: [
        { issuer: "https://demo-oidc.s3.us-gov-west-1.amazonaws.com", audiences: ["openshift"], subjects: [subject] },
        { issuer: "https://old.example.com", audiences: ["openshift"], subjects: [subject] },
      ],
    });
    expect(explain(directory).stdout).toContain(
      "              whatever the managed policy arn:aws-us-gov:iam::123456789012:policy/a allows\n",
    );
    expect(explain(directory).stdout).toContain(
      "  Limits:     session of at most 3600 seconds, permissions boundary arn:aws-us-gov:iam::123456789012:policy/boundary\n",
    );
    expect(explain(directory).stdout).toContain(
      "  Escalation: undecided: what its managed policies allow is not known\n",
    );
    expect(found.escalation).toEqual({ ways: [], unknown: [] });
  });

  it("with bundles that another program wrote", () => {
    const directory = exportWith({
      "trust-policy.json": trust(
        { Condition: { StringLike: { [`${host}:sub`]: "system:*" } } },
        { Effect: "Deny", Principal: { AWS: "*" }, Action: "*" },
        { Condition: undefined, Principal: { Federated: providerArn.replace("demo", "other") } },
        { NotPrincipal: "*", Principal: undefined },
      ),
      "permissions-policy.json": {
        Statement: [
          { Effect: "Deny", Action: "*", Resource: "arn:aws:s3:::a|`b" },
          { Effect: "Allow", NotAction: "iam:*", Resource: "*" },
        ],
      },
    });
    const { trusts, permissions } = identityOf(directory);
    expect(trusts).toMatchObject([
      { subjects: [], conditions: [`StringLike ${host}:sub "system:*"`] },
      {
        effect: "Deny",
        issuer: null,
        conditions: ["the caller is *", `StringEquals ${host}:sub "${subject}"`, "the call is *"],
      },
      { issuer: "https://other-oidc.s3.us-east-2.amazonaws.com", subjects: [], audiences: null },
      { unread: expect.stringContaining("NotPrincipal cannot be compared") },
    ]);
    expect(permissions).toMatchObject([
      { effect: "Deny", actions: [{ service: "", names: ["*"] }], resources: ["arn:aws:s3:::a|`b"] },
      { unread: expect.stringContaining("NotAction cannot be compared") },
    ]);
    const text = explain(directory).stdout;
    for (const part of [
      "  Who:        any subject not excluded here\n",
      "  Except:     any subject",
      "  Denies:     every service: *\n",
      "cannot be read: NotAction cannot be compared",
    ])
      expect(text).toContain(part);
    expect(explain(directory, "-o", "markdown").stdout).toContain("| Deny | `*` | `` arn:aws:s3:::a\\|`b `` |  |\n");
  });

  it("tells how an identity can get more permissions", () => {
    const directory = exportWith({
      "permissions-policy.json": { Statement: [{ Effect: "Allow", Action: "iam:PutRolePolicy", Resource: "*" }] },
    });
    const { ways, unknown } = identityOf(directory).escalation;
    expect(ways).toEqual([{ code: "privilege-escalation", message: expect.stringContaining("iam:PutRolePolicy") }]);
    expect(unknown).toEqual([]);
    expect(explain(directory).stdout).toMatch(/\n {2}Escalation: privilege-escalation: /);
    expect(explain(directory, "-o", "markdown").stdout).toContain(
      "### Ways of escalation\n\n- `privilege-escalation`: `",
    );
  });

  it("shows no private key, and nothing that a terminal acts on", () => {
    const key = `-----BEGIN PRIVATE KEY-----${"A".repeat(64)}`;
    const directory = exportWith({
      "permissions-policy.json": { Statement: [{ Effect: "Allow", Action: "s3:\u001b[31mGet", Resource: key }] },
      "trust-policy.json": "{",
    });
    for (const form of ["text", "markdown", "json"]) {
      const { status, stdout } = explain(directory, "-o", form);
      expect(status).toBe(0);
      expect(stdout).toContain("(a value that is not shown)");
      expect(stdout).toContain("the document is not JSON");
      for (const part of ["AAAAAAAA", "\u001b"]) expect(stdout).not.toContain(part);
    }
  });

  it.each<[string[], string]>([
    [["--shared", "a"], "--shared requires --touched, which names the changed paths"],
    [
      ["-o", "yaml"],
      '--output must be "text", "markdown", "json", "html", "svg" or "mermaid", not "yaml" (did you mean "html"?)',
    ],
    [
      ["testdata/sample-cluster"],
      '"testdata/sample-cluster" contains neither a package rendered for AWS, Azure or GCP nor an export',
    ],
    [["nowhere"], '"nowhere" is not a directory: it does not exist'],
  ])("%j is refused", (args, message) => {
    expect(explain(...args)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: ${message}. [usage]\nRun "ccf explain --help".\n`,
    });
  });

  it("a package that was never rendered is refused", () => {
    const directory = temporary();
    cpSync(made.pkg, directory, { recursive: true, filter: (path) => !path.startsWith(join(made.pkg, "aws")) });
    configure(directory, () => undefined);
    expect(explain(directory)).toMatchObject({ status: 1, stdout: "" });
  });
});
