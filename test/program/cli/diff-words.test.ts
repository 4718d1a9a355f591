import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { renderedAzurePackage } from "../../helpers/azure-package.ts";
import { run } from "../../helpers/ccf.ts";
import { awsOf, configure, type Fields, renderedPackage, succeed } from "../../helpers/cluster-package.ts";
import { renderedGcpPackage } from "../../helpers/gcp-package.ts";
import { expectGolden } from "../../helpers/golden.ts";
import { temporary, writeTree } from "../../helpers/temporary.ts";

const otherKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAsnf9UffR/smQTByAsUsn
nUbMmhEVTEX7Vkz3vF8FZt99OAmta5dxnxn0tm5qWlpSk8WLz28Sg0sTzLyuGs8n
U0o91YCJ/diCwCtPpOHI/FdBJ/sX0kk9FQDYjxYmnQIrwAwan0MaZpL57D4RndzE
aN9HkTID2bBG/7/JUQ1JE1IFgDR2UnvMspzzBI+VFzRsiOw6MKJBBI6temf6uFHd
OzYLWZvVhH0lDVaQJWPcBkDGXc2T7BdwIlwz7me1Up33/KNUyY2K9eqclb7MYwwm
lYqFcJE+mcmJen7ROF6NpYNRPViWIxSDPfeGipm6UrNhrmt3emnidyf9PCblpbkY
iQIDAQAB
-----END PUBLIC KEY-----
`;
const otherKeyId = "teO4_MH_-AIvCSh1rt3ruPONl-PB383HvlZiU1F1fCI";
const ingress = "openshift-ingress-operator/cloud-credentials";
const boundary = "arn:aws:iam::123456789012:policy/boundary";

type Spec = Any & Fields;
// biome-ignore lint/suspicious/noExplicitAny: objects of tests have any form.
type Any = any;

/** A change in the sources of a package. */
interface Change {
  readonly name: string;
  readonly spec?: (spec: Spec) => void;
  readonly files?: (directory: string) => void;
}

function edited(directory: string, path: string, change: (text: string) => string): void {
  const file = join(directory, path);
  const text = readFileSync(file, "utf8");
  const after = change(text);
  if (after === text) throw new Error(`${path} has nothing to change`);
  writeFileSync(file, after);
}

const key: Change = { name: "a second key", spec: ({ issuer }) => issuer.signingKeys.push({ publicKey: otherKey }) };
const audience: Change = {
  name: "an audience more",
  spec: ({ issuer }) => Object.assign(issuer, { audiences: ["openshift", "sts.amazonaws.com", "everyone"] }),
};
const acceptance: Change = {
  name: "an acceptance",
  spec: (spec) =>
    Object.assign(spec, { accept: [{ rule: "assume-role-any", object: ingress, reason: "It was reviewed." }] }),
};
const pipeline: Change = {
  name: "another program in the pipeline",
  files: (directory) =>
    edited(directory, "Kptfile", (text) => text.replace(/exec: ccf(?= generate-oidc-issuer)/, "exec: ./ccf")),
};

const aws: readonly Change[] = [
  key,
  audience,
  {
    name: "a session of twelve hours",
    spec: (spec) => Object.assign(rolesOf(spec), { maxSessionDuration: 43_200 }),
  },
  { name: "no boundary", spec: (spec) => void delete (rolesOf(spec) as Any).permissionsBoundaryARN },
  {
    name: "another service account",
    spec: (spec) => Object.assign(spec, { overrides: { [ingress]: { serviceAccountNames: ["other"] } } }),
  },
  {
    name: "a managed policy",
    spec: (spec) =>
      Object.assign(awsOf(spec), {
        overrides: {
          [ingress]: { managedPolicyARNs: ["arn:aws:iam::aws:policy/AdministratorAccess"] },
        },
      }),
  },
  {
    name: "a wildcard",
    files: (directory) =>
      edited(directory, "credentials-requests/20-ingress.yaml", (text) => text.replace(/route53:List\w+/, "route53:*")),
  },
  acceptance,
  pipeline,
  { name: "a line of .krmignore", files: (directory) => edited(directory, ".krmignore", (text) => `${text}notes/\n`) },
  {
    name: "attributes that hide differences",
    files: (directory) => writeTree(directory, { "aws/.gitattributes": "* -diff linguist-generated\n" }),
  },
  { name: "another applier", spec: (spec) => Object.assign(spec, { applier: "Terraform" }) },
  { name: "an optional rule", spec: (spec) => Object.assign(spec, { optionalRules: ["reaches-other-clusters"] }) },
  {
    name: "a feature set",
    spec: (spec) => Object.assign(spec, { release: { ...spec.release, featureSet: "TechPreviewNoUpgrade" } }),
  },
];

function rolesOf(spec: Spec): Fields {
  return (awsOf(spec)["roles"] ?? {}) as Fields;
}

const gcp: readonly Change[] = [
  key,
  audience,
  { name: "no condition", spec: ({ platform }) => void delete platform.gcp.attributeCondition },
];

const azure: readonly Change[] = [
  key,
  audience,
  {
    name: "a scope more",
    spec: ({ platform }) => Object.assign(platform.azure, { overrides: { [ingress]: { scopes: ["dns", "all"] } } }),
  },
];

/** Two checkouts, of which the second one has changes. */
function changed(directory: string, changes: readonly Change[]): { readonly old: string; readonly now: string } {
  const now = join(temporary(), "package");
  cpSync(directory, now, { recursive: true });
  for (const { spec, files } of changes) {
    if (spec !== undefined) configure(now, spec);
    files?.(now);
  }
  succeed(run(["render", "--allow", "removal", now]));
  return { old: directory, now };
}

function said(directory: string, change: Change): string {
  const { old, now } = changed(directory, [change]);
  const { status, stdout } = run(["diff", old, now]);
  return `# ${change.name}: exit code ${status}\n\n${stdout}`;
}

const packages = {
  aws: () =>
    renderedPackage(undefined, (spec) => {
      awsOf(spec)["roles"] = { permissionsBoundaryARN: boundary };
    }),
  gcp: () => renderedGcpPackage({ attributeCondition: "assertion.sub != ''" }),
  azure: () => renderedAzurePackage(),
};

describe("what a reviewer reads", () => {
  it.each([
    ["aws", aws],
    ["gcp", gcp],
    ["azure", azure],
  ] as const)("of each change on %s", (cloud, changes) => {
    const directory = packages[cloud]();
    expectGolden(`testdata/diff/${cloud}.txt`, changes.map((change) => said(directory, change)).join("\n"));
  });

  it("of a pull request with ten changes, in a comment and on the page", () => {
    const root = temporary();
    const ten = aws.slice(0, 9);
    for (const [name, directory, changes] of [
      ["east", packages.aws(), ten],
      ["west", packages.gcp(), gcp.slice(2)],
    ] as const) {
      const { old, now } = changed(directory, changes);
      cpSync(old, join(root, "old", name), { recursive: true });
      cpSync(now, join(root, "now", name), { recursive: true });
      rmSync(now, { recursive: true });
    }
    const { status, stdout, stderr } = run(["diff", "old", "now", "--recursive", "-o", "markdown"], { cwd: root });
    expect({ status, stderr }).toEqual({ status: 2, stderr: "2 packages: 1 broadened, 1 both\n" });
    expectGolden("testdata/diff/ten.md", stdout);
    const { stdout: page } = run(["explain", "now/east", "--against", "old/east", "-o", "html"], { cwd: root });
    for (const word of [
      otherKeyId,
      "everyone",
      "12 h",
      boundary,
      "AdministratorAccess",
      "route53:*",
      "It was reviewed.",
    ])
      expect(page).toContain(word);
  });
});
