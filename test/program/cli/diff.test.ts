import { appendFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { dump, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { type Any, request, statements } from "../../helpers/cluster.ts";
import { configure, newPackage, renderedPackage, sampleRequests, succeed } from "../../helpers/cluster-package.ts";
import { packageWithOperator } from "../../helpers/operator-package.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const assumed =
  'info: Requests are compared for a cluster with the defaults (feature set "Default", no feature gates, all capabilities). To compare for another cluster, use "--identity FILE" or the other options of the cluster. [cluster-assumed]\n';

/** A file of requests; each may have actions of its own. */
function requests(...all: Any[]): string {
  const directory = temporary();
  writeTree(directory, { "requests.yaml": all.map((value) => dump(value)).join("---\n") });
  return directory;
}

const asking = (name: string, action: unknown, { spec = {}, ...more }: Any = {}) =>
  request(name, { ...more, spec: { ...statements({ effect: "Allow", action, resource: "*" }), ...spec } });
const denying = (name: string, action: string) =>
  request(name, {
    spec: statements(
      { effect: "Allow", action: ["s3:*"], resource: "*" },
      { effect: "Deny", action: [action], resource: "*" },
    ),
  });
const diff = (...args: string[]) => run(["diff", "--verbose", ...args]);

const old = () => requests(asking("one", ["s3:GetObject"]), asking("two", ["s3:*"]));
const wider = () => requests(asking("one", ["s3:GetObject", "s3:PutObject"]), asking("two", ["s3:*"]));
const narrower = () => requests(asking("one", ["s3:GetObject"]));

describe("ccf diff", () => {
  it("prints what is broadened, and exits 2", () => {
    expect(diff(old(), wider())).toEqual({
      status: 2,
      stderr: assumed,
      stdout: `broadened: AWS ns-one/credentials (one)
  + s3:PutObject

Verdict, permissions only: broadened (1 broadened, 1 unchanged).

Before the upgrade:
  grant ns-one/credentials: s3:PutObject on *
`,
    });
  });

  it("exits 0 when nothing is broadened", () => {
    expect(diff(old(), narrower())).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Verdict, permissions only: narrowed (1 gone, 1 unchanged).\n"),
    });
    expect(diff(old(), old())).toEqual({
      status: 0,
      stderr: assumed,
      stdout: "No changes of permissions.\n",
    });
  });

  it("takes files as sides, of whatever clouds", () => {
    const [a, b] = [old(), wider()].map((text) => join(text, "requests.yaml")) as [string, string];
    const gcp = (roles: string[]) =>
      dump(request("one", { spec: { providerSpec: { kind: "GCPProviderSpec", predefinedRoles: roles } } }));
    appendFileSync(a, `---\n${gcp(["roles/dns.admin"])}`);
    appendFileSync(b, `---\n${gcp([])}`);
    const { status, stdout } = diff(a, b);
    expect(status).toBe(2);
    expect(stdout).toMatch(/^ {2}- role roles\/dns\.admin {2}# NEW allows none of its \d+ permissions$/m);
    expect(stdout).toContain(
      "Verdict, permissions only: broadened and narrowed (1 broadened, 1 narrowed, 1 unchanged).",
    );
  });

  it("prints JSON that fits its schema", () => {
    const schema = JSON.parse(readFileSync("schemas/diff.schema.json", "utf8"));
    const fits = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema);
    const moved = requests(
      asking("one", ["s3:GetObject"], { spec: { cloudTokenPath: "/run/token" } }),
      asking("two", ["s3:Get*"], { spec: { secretRef: { namespace: "ns", name: "renamed" } } }),
    );
    for (const [a, b] of [
      [old(), wider()],
      [old(), narrower()],
      [old(), moved],
      [old(), old()],
      [renderedPackage(), sampleRequests],
      [old(), requests(asking("two", ["s3:Get*"]), denying("one", "s3:Get*"))],
    ] as const) {
      const value = JSON.parse(diff(a, b, "-o", "json").stdout);
      expect(fits(value), JSON.stringify(fits.errors)).toBe(true);
    }
    const { stdout } = diff(old(), wider(), "-o", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: "broadened",
      identities: [
        {
          cloud: "AWS",
          identity: "ns-one/credentials",
          request: "one",
          change: "changed",
          actions: [{ kind: "added", action: "s3:PutObject", more: [{ resource: "*" }], less: [] }],
        },
        { change: "none" },
      ],
      upgrade: { before: ["grant ns-one/credentials: s3:PutObject on *"], with: [], after: [] },
    });
  });

  it("prints Markdown in which nothing of the input is more than text", () => {
    const hostile = "s3:`[x](http://e)``@all\u202e<b>";
    const { stdout } = diff(old(), requests(asking("one", [hostile]), asking("two", ["s3:*"])), "-o", "markdown");
    expect(stdout).toBe(`## Changes (permissions only): broadened and narrowed

1 broadened and narrowed, 1 unchanged.

### \`broadened and narrowed: AWS ns-one/credentials (one)\`

\`\`\`diff
+ s3:\`[x](http://e)\`\`@all\\u202e<b>
- s3:GetObject
\`\`\`

**Before the upgrade**

- \`\`\`grant ns-one/credentials: s3:\`[x](http://e)\`\`@all\\u202e<b> on *\`\`\`

**Only after the upgrade**

- \`revoke from ns-one/credentials: s3:GetObject on *\`
`);
    const fenced = diff(old(), requests(asking("one", ["s3:```"]), asking("two", ["s3:*"])), "-o", "markdown").stdout;
    expect(fenced).toContain("````diff\n+ s3:```\n- s3:GetObject\n````\n");
  });

  it("tells denials, conditions and resources in every form, and as values for a program", () => {
    const entries = (...all: Any[]) =>
      requests(
        request("one", { spec: statements(...all.map((value) => ({ effect: "Allow", resource: "*", ...value }))) }),
      );
    const when = (...key: string[]) => ({ policyCondition: { StringEquals: { "ec2:Region": key } } });
    const all = { action: ["s3:*"] };
    const before = entries(all, { action: ["ec2:RunInstances"], ...when("us-east-1") });
    const after = entries(
      all,
      { action: ["ec2:RunInstances"], ...when("us-east-1", "us-east-2") },
      { effect: "Deny", action: ["s3:DeleteBucket"], resource: "arn:aws:s3:::b" },
    );
    const text = diff(before, after).stdout;
    expect(text).toBe(`broadened and narrowed: AWS ns-one/credentials (one)
  + ec2:RunInstances when StringEquals ec2:region "us-east-2"  # condition changed from StringEquals ec2:region "us-east-1" to StringEquals ec2:region "us-east-1", or StringEquals ec2:region "us-east-2"
  - denied now: s3:DeleteBucket on arn:aws:s3:::b

Verdict, permissions only: broadened and narrowed (1 broadened and narrowed).

Before the upgrade:
  grant ns-one/credentials: ec2:RunInstances on * when StringEquals ec2:region "us-east-2"

Only after the upgrade:
  deny ns-one/credentials: s3:DeleteBucket on arn:aws:s3:::b
`);
    const markdown = diff(before, after, "-o", "markdown").stdout;
    expect(markdown).toContain("- denied now: s3:DeleteBucket on arn:aws:s3:::b\n```\n");
    expect(markdown).toContain("- `deny ns-one/credentials: s3:DeleteBucket on arn:aws:s3:::b`\n");
    const [identity] = JSON.parse(diff(before, after, "-o", "json").stdout).identities;
    expect(identity.steps).toEqual({
      before: [
        {
          kind: "grant",
          text: 'grant ns-one/credentials: ec2:RunInstances on * when StringEquals ec2:region "us-east-2"',
          actions: ["ec2:RunInstances"],
          resource: "*",
          condition: [{ operator: "StringEquals", key: "ec2:region", values: ["us-east-2"] }],
        },
      ],
      with: [],
      after: [
        {
          kind: "deny",
          text: "deny ns-one/credentials: s3:DeleteBucket on arn:aws:s3:::b",
          actions: ["s3:DeleteBucket"],
          resource: "arn:aws:s3:::b",
          condition: [],
        },
      ],
    });
    expect(identity.denials).toMatchObject([
      { kind: "added", action: "s3:DeleteBucket", more: [{ resource: "arn:aws:s3:::b" }], less: [] },
    ]);
  });

  it("says the same whatever the order of files and documents", () => {
    const reversed = requests(asking("two", ["s3:*"]), asking("one", ["s3:PutObject", "s3:GetObject"]));
    expect(diff(old(), reversed)).toEqual(diff(old(), wider()));
  });
});

describe("a side that was rendered", () => {
  const grown = () => {
    const directory = temporary();
    const files = readTree(sampleRequests);
    const path = "20-ingress.yaml";
    writeTree(directory, {
      ...files,
      [path]: files[path]?.replace(/( +- )route53:List/, "$1sts:AssumeRole\n$&") ?? "",
    });
    return directory;
  };

  it("is what its requests ask for, as a package and as an export, in any partition", () => {
    for (const region of ["us-east-2", "cn-north-1", "us-gov-west-1"]) {
      const directory = newPackage(sampleRequests, { region });
      succeed(run(["render", directory]));
      const out = join(temporary(), "out");
      run(["export", directory, "--output-dir", out]);
      for (const [a, b] of [
        [directory, sampleRequests],
        [sampleRequests, directory],
        [out, sampleRequests],
        [out, directory],
        [directory, out],
      ] as const) {
        expect(diff(a, b).stdout, `${region} ${a} ${b}`).toMatch(/^No changes(?: of permissions)?\.\n$/);
      }
    }
  });

  it("shows what a new release changes, with the cluster's own rules and overrides", () => {
    const directory = renderedPackage(sampleRequests, (spec) => {
      const ingress = "openshift-ingress-operator/cloud-credentials";
      spec["overrides"] = {
        "openshift-image-registry/installer-cloud-credentials": { skip: true },
        [ingress]: { serviceAccountNames: ["other/account"] },
      };
      (spec["platform"] as Any)["aws"]["overrides"] = {
        [ingress]: { managedPolicyARNs: ["arn:aws:iam::aws:policy/ReadOnlyAccess"] },
      };
    });
    expect(diff(directory, sampleRequests).stdout).toMatch(/^No changes of permissions/);
    const { status, stdout, stderr } = diff(directory, grown());
    expect(status).toBe(2);
    expect(stdout).toContain("perhaps broadened: AWS openshift-ingress-operator/cloud-credentials");
    const unknown = "the document of the managed policy arn:aws:iam::aws:policy/ReadOnlyAccess is not known";
    expect(stdout).toContain(`  + sts:AssumeRole (undecided: the other side may allow it, too: ${unknown})\n`);
    expect(stderr).not.toContain("cluster-assumed");
    // Without them, the overrides are missing.
    const bare = diff(directory, sampleRequests, "--feature-set", "Default").stdout;
    expect(bare).toContain("new: AWS openshift-image-registry/installer-cloud-credentials");
    expect(bare).toContain("  - system:serviceaccount:other:account can use it\n");
    expect(bare).toContain(
      "  - managed policy arn:aws:iam::aws:policy/ReadOnlyAccess (undecided: it is compared by its name: its document is not known)\n",
    );
  });

  it("shows a boundary that goes, and an audience that is no longer asked for", () => {
    const strict = renderedPackage(sampleRequests, (spec) => {
      (spec["platform"] as Any)["aws"]["roles"] = {
        permissionsBoundaryARN: "arn:aws:iam::123456789012:policy/b",
        requireAudience: true,
      };
    });
    const { status, stdout } = diff(strict, renderedPackage());
    expect(status).toBe(2);
    expect(stdout).toContain("  ~ boundary: arn:aws:iam::123456789012:policy/b -> none\n");
    expect(stdout).toMatch(
      / {2}\+ sts:AssumeRoleWithWebIdentity by Federated:arn\S+ when StringEquals demo-oidc\S+:sub "/,
    );
    // Who applies the package may set the boundary of roles now.
    const back = diff(renderedPackage(), strict).stdout;
    expect(back).toMatch(/^narrowed: AWS /m);
    expect(back).toContain("Verdict: broadened and narrowed (3 narrowed).\n");
  });

  it("compares with the requests of its own cloud alone", () => {
    const everything = temporary();
    writeTree(everything, {
      ...readTree(sampleRequests),
      "gcp.yaml": dump(request("gcp", { spec: { providerSpec: { kind: "GCPProviderSpec" } } })),
    });
    expect(diff(renderedPackage(), everything).stdout).toMatch(/^No changes of permissions/);
  });

  it("is compared as it is where its roles differ from its requests, and the error says so", () => {
    const directory = renderedPackage();
    const path = join(directory, "credentials-requests", "20-ingress.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace(/(\w+:)(List\w+)/, "$1*"));
    for (const sides of [
      [sampleRequests, directory],
      [directory, sampleRequests],
    ] as const) {
      const { status, stdout, stderr } = diff(...sides);
      expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining("No changes of permissions.") });
      expect(stderr).toMatch(
        /^error: The package differs from what its sources render, so the comparison is of what is in it: "aws\/roles\/openshift-ingress-operator-cloud-credentials.yaml" differs. Run "ccf render \S+" first\. \[package-not-rendered\]\n/,
      );
    }
  });

  it("is refused if a bundle ConfigMap is not a role", () => {
    const directory = renderedPackage();
    // Without a configuration, no render exists to compare with.
    const [path = "", text = ""] =
      Object.entries(readTree(directory)).find(([one]) => one.startsWith("aws/roles/")) ?? [];
    const other = temporary();
    writeTree(other, { [path]: text });
    expect(diff(other, sampleRequests).status).toBe(2);
    writeTree(other, { [path]: text.replace('"Version": ', '"Version" ') });
    const { status, stderr } = diff(sampleRequests, other);
    expect(status).toBe(1);
    expect(stderr).toContain("is not a rendered role; render the package again. [role-unreadable]\n");
    // If a key appears twice, some readers use the first value and others the last.
    writeTree(other, { [path]: text.replace('"Statement": ', '"Statement": [], "Statement": ') });
    expect(diff(sampleRequests, other)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("[role-unreadable]"),
    });
  });

  it("is refused where an export was edited", () => {
    const out = join(temporary(), "out");
    run(["export", renderedPackage(), "--output-dir", out]);
    const path = "aws/roles/openshift-ingress-operator-cloud-credentials/permissions-policy.json";
    const text = readFileSync(join(out, path), "utf8");
    writeFileSync(join(out, path), text.replace(/"\w+:List/, '"*:List'));
    expect(diff(sampleRequests, out)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: ${path}: "${path.slice(0, 72)}…" is not the file that was exported. Make the change in the package, and export it again. [export-file-edited]\n`,
    });
    writeFileSync(join(out, path), text);
    writeFileSync(join(out, "SHA256SUMS"), "no list\n");
    expect(diff(out, sampleRequests)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        '"SHA256SUMS" is not the list of an export; export the package again. [export-list-invalid]\n',
      ),
    });
  });

  const ofIngress = "aws/roles/openshift-ingress-operator-cloud-credentials";

  it.each<[string, (role: string, elsewhere: string) => void, string]>([
    ["a file in a role", (role) => writeTree(join(role, "more"), { "a.json": "{}" }), `${ofIngress}/more/a.json`],
    [
      "a file in a role behind a link",
      (role, elsewhere) => {
        renameSync(role, elsewhere);
        symlinkSync(elsewhere, role);
        writeFileSync(join(elsewhere, "more.json"), "{}\n");
      },
      ofIngress,
    ],
  ])("is refused where an export has %s that is not in its list", (_what, add, name) => {
    const out = join(temporary(), "out");
    run(["export", renderedPackage(), "--output-dir", out]);
    add(join(out, ofIngress), join(temporary(), "role"));
    expect(diff(sampleRequests, out)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: ${name}: "${name}" was added after the export. Make the change in the package, and export it again. [export-file-edited]\n`,
    });
  });

  it("is refused where it lost files of its list", () => {
    const out = join(temporary(), "out");
    run(["export", renderedPackage(), "--output-dir", out]);
    const list = readFileSync(join(out, "SHA256SUMS"), "utf8");
    writeFileSync(join(out, "SHA256SUMS"), `${list}${"0".repeat(64)}  aws/roles/gone/create-role.json\n`);
    expect(diff(sampleRequests, out)).toMatchObject({
      status: 1,
      stderr:
        'error: aws/roles/gone/create-role.json: "aws/roles/gone/create-role.json" is not the file that was exported. Make the change in the package, and export it again. [export-file-edited]\n',
    });
  });
});

describe("for which cluster", () => {
  const gated = () =>
    requests(
      asking("one", ["s3:GetObject"]),
      asking("preview", ["s3:*"], { annotations: { "release.openshift.io/feature-set": "TechPreviewNoUpgrade" } }),
      asking("gate", ["s3:*"], { annotations: { "release.openshift.io/feature-gate": "SomeGate" } }),
      asking("capable", ["s3:*"], { annotations: { "capability.openshift.io/name": "Storage+Ingress" } }),
      asking("profile", ["s3:*"], { annotations: { "include.release.openshift.io/other": "true" } }),
    );
  const one = () => requests(asking("one", ["s3:GetObject"]));
  const news = (args: string[]) => {
    const { stdout, stderr } = diff(one(), gated(), "-o", "json", ...args);
    const { identities } = JSON.parse(stdout) as { identities: { change: string; verdict: string; request: string }[] };
    const all = identities
      .filter(({ change }) => change === "new")
      .map(({ request: name, verdict }) => (verdict === "unknown" ? `${name}?` : name));
    return [all.join(), stderr.includes("cluster-assumed")];
  };

  it.each<[string[], string, boolean]>([
    [[], "capable,gate?", true],
    [["--feature-set", "TechPreviewNoUpgrade"], "capable,gate?,preview", false],
    [["--feature-gates", "Another,SomeGate"], "capable,gate", false],
    [["--feature-gates=-SomeGate"], "capable", false],
    [["--capabilities", "Storage"], "gate?", false],
    [["--capabilities", "Storage, Ingress"], "capable,gate?", false],
    [["--capabilities", "Storage+Ingress"], "capable,gate?", false],
    [["--profile", "other"], "capable,gate?,profile", false],
  ])("%j", (args, expected, isAssumed) => {
    expect(news(args)).toEqual([expected, isAssumed]);
  });

  it("--identity FILE says it", () => {
    const directory = newPackage();
    configure(directory, (spec) => {
      spec["release"] = { featureSet: "TechPreviewNoUpgrade", capabilities: [] };
    });
    const file = join(directory, "cluster-identity.yaml");
    expect(news(["--identity", file])).toEqual(["gate?,preview", false]);
    expect(diff(one(), gated(), "--identity", file, "--profile", "x").stderr).toContain(
      "error: --identity and --profile cannot be used together; use one of them.",
    );
    const config = load(readFileSync(file, "utf8")) as Any;
    writeFileSync(file, dump({ ...config, spec: { ...config.spec, platform: { azur: {} } } }));
    expect(diff(one(), gated(), "--identity", file)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('(did you mean "azure"?)'),
    });
  });
});

describe("what cannot be compared", () => {
  const gcp = () => requests(request("one", { spec: { providerSpec: { kind: "GCPProviderSpec" } } }));
  const bare = asking("one", ["s3:GetObject"]);
  const statement = (more: Any) =>
    request("one", { spec: statements({ effect: "Allow", action: ["s3:GetObject"], resource: "*", ...more }) });

  it("is a side of which nothing counts", () => {
    const openstack = () => requests(request("one", { spec: { providerSpec: { kind: "OpenStackProviderSpec" } } }));
    for (const [a, b, side] of [
      [renderedPackage(), gcp(), "NEW"],
      [gcp(), renderedPackage(), "OLD"],
      [old(), openstack(), "NEW"],
    ] as const) {
      const { status, stdout, stderr } = diff(a, b);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain(
        `error: ${side} has no identity to compare. Check that it is for the same cloud, and that its requests are included in this cluster. [nothing-to-compare]\n`,
      );
    }
    const profiled = () =>
      requests(asking("one", ["s3:*"], { annotations: { "include.release.openshift.io/x": "true" } }));
    expect(diff(profiled(), profiled(), "--profile", "bogus").status).toBe(1);
    expect(diff(openstack(), old()).stderr).toContain("[skipped-other-cloud]");
  });

  it("is a request without a Secret, or one of which two fields say the same thing", () => {
    const nameless = requests({ ...bare, spec: { ...bare.spec, secretRef: undefined } });
    expect(diff(old(), nameless).stderr).toContain(
      'has no "spec.secretRef" with "namespace" and "name", so the identity with these permissions is unknown; add it. [request-missing-field]',
    );
    for (const more of [
      { Action: ["s3:*"] },
      { Resource: "x" },
      { Effect: "Deny" },
      { notAction: ["s3:*"] },
      { resource: undefined },
    ]) {
      const { status, stdout } = diff(requests(statement({})), requests(statement(more)));
      expect(status, JSON.stringify(more)).toBe(2);
      expect(stdout).toContain("(undecided: ");
    }
    const capital = request("one", {
      spec: {
        providerSpec: {
          kind: "AWSProviderSpec",
          StatementEntries: ["x"],
          ...statements({ effect: "Allow", action: ["s3:GetObject"], resource: "*" }).providerSpec,
        },
      },
    });
    expect(diff(requests(statement({})), requests(capital)).stdout).toContain("StatementEntries cannot be compared");
  });

  it("is a request whose effect a render refuses, too", () => {
    for (const effect of ["allow", "Permit", undefined]) {
      const [plain, odd] = [requests(statement({})), requests(statement({ effect }))];
      for (const sides of [
        [plain, odd],
        [odd, plain],
        [odd, odd],
      ] as const) {
        const { status, stdout, stderr } = diff(...sides);
        expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
        expect(stderr).toMatch(
          /error: requests\.yaml: CredentialsRequest \S+: "spec\.providerSpec\.statementEntries\[0\]\.effect" .*\[request-(?:invalid|missing)-field\]/,
        );
      }
    }
  });

  it("is what lies in another package, or in a list inside of one; a list alone is read", () => {
    const nested = wider();
    writeTree(nested, {
      "sub/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: sub}\n",
      "sub/a.yaml": dump(asking("three", "*")),
    });
    expect(diff(old(), nested)).toMatchObject({
      status: 1,
      stdout: "",
      stderr:
        'error: sub: "sub" is a separate package and is not read; compare it by itself, or move it out. [file-skipped]\n',
    });
    const list = { apiVersion: "v1", kind: "List", metadata: { name: "x" }, items: [asking("one", "*")] };
    const listed = requests(list);
    expect(diff(old(), listed)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        "contains a list (line 1); write its objects as separate documents. [file-skipped]",
      ),
    });
    writeTree(listed, { "requests.yaml": dump({ ...list, metadata: {} }) });
    expect(diff(old(), listed).status).toBe(1);
    expect(diff(join(old(), "requests.yaml"), join(listed, "requests.yaml"))).toMatchObject({
      status: 2,
      stdout: expect.stringContaining("+ *  # had s3:GetObject"),
    });
  });

  it("is a feature set that does not exist", () => {
    expect(diff(old(), wider(), "--feature-set", "TechPreview").stderr).toContain(
      '"CustomNoUpgrade" or "OKD", not "TechPreview" (did you mean "TechPreviewNoUpgrade"?).',
    );
  });
});

describe("what a package says beside its roles", () => {
  it("is the request's name, and where its token is", () => {
    const before = renderedPackage();
    const after = renderedPackage(sampleRequests, (spec) => {
      spec["tokenPath"] = "/var/run/secrets/other/token";
    });
    const { status, stdout } = diff(before, after);
    expect(status).toBe(2);
    expect(stdout).toMatch(/^broadened: AWS .*openshift-ingress-operator\/cloud-credentials \(sample-ingress\)\n/);
    expect(stdout).toContain(
      "  ~ token: /var/run/secrets/openshift/serviceaccount/token -> /var/run/secrets/other/token\n",
    );
    expect(diff(after, sampleRequests).stdout).toMatch(/^No changes of permissions/);
    expect(diff(after, sampleRequests, "--feature-set", "Default").stdout).toMatch(/^No changes of permissions/);
  });

  it("is which roles are operators', which no release has requests for", () => {
    const directory = packageWithOperator();
    succeed(run(["render", directory]));
    const { status, stdout, stderr } = diff(directory, sampleRequests);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^No changes of permissions/);
    expect(stderr).toMatch(
      /info: Roles of OLM operators are not compared, because the other side has no requests for them: [^\n]+ \[operators-not-compared\]\n/,
    );
    expect(diff(directory, renderedPackage()).stdout).toContain("gone: AWS ");
  });

  it("is its cloud: requests for others do not count", () => {
    const everything = temporary();
    writeTree(everything, {
      ...readTree(sampleRequests),
      "gcp.yaml": dump(request("gcp", { spec: { providerSpec: { kind: "GCPProviderSpec" } } })),
    });
    const file = join(newPackage(), "cluster-identity.yaml");
    expect(diff(sampleRequests, everything, "--identity", file).stdout).toMatch(/^No changes of permissions/);
    expect(diff(sampleRequests, everything).stdout).toContain("new: GCP");
  });
});

describe("what is wrong", () => {
  it.each<[() => string[], string]>([
    [() => [], 'error: missing required argument "NEW".'],
    [() => [old(), old()], "error: too many arguments: expected 2 arguments but got 3."],
    [() => [old(), "-o", "yaml"], 'error: --output must be "text", "markdown" or "json", not "yaml".'],
    [() => [old(), "-o", "toString"], 'error: --output must be "text", "markdown" or "json", not "toString".'],
    [() => [old(), "--nonsense"], 'error: unknown option "--nonsense".'],
    [() => ["/nowhere"], 'error: "/nowhere" is not a directory or a file.'],
    [() => [temporary()], "contains no CredentialsRequests and no rendered roles."],
    [() => [old(), "--identity", "/nowhere"], 'error: --identity "/nowhere" cannot be read (ENOENT).'],
    [() => [old(), "--identity", join(old(), "requests.yaml")], 'requests.yaml" contains no ClusterIdentity.'],
  ])("on the command line is said, exit 1 (%#)", (args, message) => {
    const { status, stdout, stderr } = diff(old(), ...args());
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("in requests stops the comparison", () => {
    const shared = requests(
      asking("one", ["a:b"]),
      asking("other", ["a:c"], { spec: { secretRef: { namespace: "ns-one", name: "credentials" } } }),
    );
    expect(diff(old(), shared)).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("[secret-shared]"),
    });
    const broken = temporary();
    mkdirSync(join(broken, "a"));
    writeFileSync(join(broken, "a", "b.yaml"), "kind: CredentialsRequest\na: [\n");
    expect(diff(old(), broken)).toMatchObject({ status: 1, stderr: expect.stringContaining("[file-unreadable]") });
    expect(diff(old(), join(broken, "a", "b.yaml"))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^error: ".*b\.yaml" is not YAML: .*, line \d+\. \[usage\]\n/),
    });
  });
});

describe("a request that a gate decides", () => {
  const annotated = (annotations: Any) =>
    requests(asking("one", ["s3:GetObject"], { annotations }), asking("two", "s3:*"));
  const older = () => annotated({ "release.openshift.io/feature-set": "TechPreviewNoUpgrade" });
  const newer = () => annotated({ "release.openshift.io/feature-gate": "Newer" });
  const flags = ["--feature-set", "TechPreviewNoUpgrade"];
  const manifest = (state: "enabled" | "disabled") => {
    const directory = temporary();
    const object = {
      apiVersion: "config.openshift.io/v1",
      kind: "FeatureGate",
      metadata: { name: "cluster", annotations: { "release.openshift.io/feature-set": "TechPreviewNoUpgrade" } },
      status: { featureGates: [{ version: "", enabled: [], disabled: [], [state]: [{ name: "Newer" }] }] },
    };
    writeTree(directory, { "0000_50_featureGate.yaml": JSON.stringify(object) });
    return directory;
  };

  it("is unknown, not gone, while the state of the gate is unknown", () => {
    const { status, stdout, stderr } = diff(older(), newer(), ...flags);
    expect({ status, stdout }).toEqual({
      status: 2,
      stdout: `unknown: AWS ns-one/credentials (one)
  ? depends on the feature gate Newer: it is unknown whether the release has its request

Verdict, permissions only: unknown (1 unknown, 1 unchanged).

Before the upgrade:
  find out whether the release enables the feature gate Newer, which decides whether it has the request of ns-one/credentials
`,
    });
    expect(stderr).toMatch(/^warning: .*feature gate "Newer".*\[feature-gate-unknown\]$/m);
    expect(diff(older(), newer(), ...flags, "-o", "markdown").stdout).toMatch(
      /^## Changes \(permissions only\): unknown\n/,
    );
  });

  it("is unknown beside what becomes broader, and shows what it would ask for", () => {
    const without = () => requests(asking("two", ["s3:Get*"]));
    const { status, stdout } = diff(without(), newer());
    expect(status).toBe(2);
    expect(stdout).toContain(`unknown: AWS ns-one/credentials (one)
  ? depends on the feature gate Newer: it is unknown whether the release has its request; if it does:
  + system:serviceaccount:`);
    expect(stdout).toContain("Verdict, permissions only: broadened (1 broadened, 1 unknown).");
  });

  it("is there, or gone, as the manifests of the release or a flag say", () => {
    const said = (...more: string[]) => diff(older(), newer(), ...flags, ...more).stdout.includes("gone");
    expect(said("--feature-gate-manifests", manifest("enabled"))).toBe(false);
    expect(said("--feature-gate-manifests", join(manifest("disabled"), "0000_50_featureGate.yaml"))).toBe(true);
    expect(said("--feature-gates", "Newer")).toBe(false);
    expect(said("--feature-gates=-Newer")).toBe(true);
    expect(diff(older(), newer(), ...flags, "--feature-gate-manifests", older())).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("contains no FeatureGate"),
    });
  });
});
