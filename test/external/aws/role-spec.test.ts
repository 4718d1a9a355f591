import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dump, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { type Any, request as bareRequest, statements, subscription } from "../../helpers/cluster.ts";
import { describeWith } from "../../helpers/need.ts";
import { pathWith } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

const tokenPath = "/var/run/secrets/openshift/serviceaccount/token";

/** A request that says where its token is. */
const request = (name: string, { spec = {}, ...more }: Any = {}): Any =>
  bareRequest(name, { spec: { cloudTokenPath: tokenPath, ...spec }, ...more });

function fileOf(...objects: Any[]): string {
  const path = join(temporary(), "requests.yaml");
  writeFileSync(path, objects.map((value) => dump(value)).join("---\n"));
  return path;
}

const spec = (...args: string[]) => run(["role-spec", ...args]);
const node = request("node", {
  annotations: { "credentials.openshift.io/role-arns-vars": "NODE_ROLEARN,NODE_ROLEARN" },
});

/** What a shell could take for something to do. */
const hostile = "`touch pwned` ${aws:username} $HOME ' \" \\ !x JSON\nJSON\n";
const hostileRequest = request("hostile", {
  spec: statements({
    effect: "Allow",
    action: ["s3:GetObject"],
    resource: "arn:aws:s3:::bucket/${aws:username}/`touch`'\"\\$HOME",
    policyCondition: { StringEquals: { "aws:PrincipalTag/x": hostile } },
  }),
});

describe("ccf role-spec", () => {
  it("prints a script that names every role, in one order, and nothing of this machine", () => {
    const run = spec(fileOf(request("one"), node));
    expect(run).toMatchObject({ status: 0, stderr: "" });
    expect(run.stdout.match(/^make_role .*$/gm)).toEqual([
      "make_role 'ns-node-credentials' 'ns-node/credentials' 'NODE_ROLEARN' trust_1 permissions_1",
      "make_role 'ns-one-credentials' 'ns-one/credentials' 'ROLEARN' trust_2 permissions_2",
    ]);
    expect(spec(fileOf(node, request("one"))).stdout).toBe(run.stdout);
    expect(run.stdout.startsWith("#!/bin/sh\n")).toBe(true);
  });

  it("reads a directory, and leaves what is for other clouds", () => {
    const directory = join(temporary(), "bundle");
    mkdirSync(directory);
    writeFileSync(join(directory, "a.yaml"), dump(request("one")));
    writeFileSync(
      join(directory, "b.yaml"),
      dump(request("gcp", { spec: { providerSpec: { kind: "GCPProviderSpec" } } })),
    );
    writeFileSync(join(directory, "c.yaml"), dump(subscription("any", "ns-one")));
    const { status, stdout, stderr } = spec(directory, "--platform", "aws", "--verbose");
    expect(status).toBe(0);
    expect(stdout.match(/^make_role /gm)).toHaveLength(1);
    expect(stderr).toBe(
      "info: b.yaml: CredentialsRequest openshift-cloud-credential-operator/gcp: excluded: it is for another cloud (GCPProviderSpec). [skipped-other-cloud]\n",
    );
  });

  it("prints the text for the description, with the script and the variables", () => {
    const path = fileOf(
      request("one"),
      node,
      request("told", { annotations: { "credentials.openshift.io/role-arns-vars": "" } }),
    );
    const { status, stdout, stderr } = spec(path, "-o", "markdown");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("The operator needs 3 roles in the cluster's AWS account.");
    expect(stdout).toContain("| `ns-one/credentials` | `ns-one/one-operator` | `ROLEARN` |\n");
    expect(stdout).toContain("| `ns-told/credentials` | `ns-told/told-operator` | none |\n");
    const blocks = [...stdout.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, body]) => [language, body]);
    expect(blocks.map(([language]) => language)).toEqual(["sh", "yaml"]);
    expect(blocks[0]?.[1]).toBe(spec(path).stdout);
    expect(load(blocks[1]?.[1] ?? "")).toEqual({
      spec: {
        installPlanApproval: "Manual",
        config: { env: ["NODE_ROLEARN", "ROLEARN"].map((name) => ({ name, value: `<${name}>` })) },
      },
    });
    const none = spec(
      fileOf(request("told", { annotations: { "credentials.openshift.io/role-arns-vars": "" } })),
      "--output=markdown",
    ).stdout;
    expect(none).toContain("needs a role in");
    expect(none).not.toContain("```yaml");
  });

  it("warns of each request that does not say where its token is, and prints the script", () => {
    const { status, stdout, stderr } = spec(dirname(fileOf(bareRequest("one"), node)));
    expect(status).toBe(0);
    expect(stdout.match(/^make_role /gm)).toHaveLength(2);
    expect(stderr).toBe(
      'warning: requests.yaml: CredentialsRequest openshift-cloud-credential-operator/one: has no "spec.cloudTokenPath", so its Secret would name "/var/run/secrets/kubernetes.io/serviceaccount/token", the pod\'s API server token, which AWS refuses; set the field to the path where the operator mounts a token for the audience "openshift". [token-path-missing]\n',
    );
  });

  it("prints nothing where two requests ask for one variable, whatever their order", () => {
    const asking = (name: string, list: string) =>
      request(name, { annotations: { "credentials.openshift.io/role-arns-vars": list } });
    const message = (name: string, first: string, variable: string) =>
      `error: requests.yaml: CredentialsRequest openshift-cloud-credential-operator/${name}: uses the variable "${variable}", which CredentialsRequest "openshift-cloud-credential-operator/${first}" also uses. In one of them, set "metadata.annotations.credentials.openshift.io/role-arns-vars" to the variable in which the operator expects this role, or to "" if the operator gets the role in another way. [variable-shared]`;
    for (const [objects, ...messages] of [
      [[request("one"), request("two")], message("two", "one", "ROLEARN")],
      [
        [asking("a", "A,B"), asking("b", "B"), asking("c", "C,B,A")],
        message("b", "a", "B"),
        message("c", "a", "A"),
        message("c", "a", "B"),
      ],
    ] as const)
      for (const order of [objects, objects.toReversed()])
        for (const form of ["text", "markdown"]) {
          const { status, stdout, stderr } = spec(dirname(fileOf(...order)), "-o", form);
          expect({ status, stdout, lines: stderr.trimEnd().split("\n").sort() }).toEqual({
            status: 1,
            stdout: "",
            lines: messages,
          });
        }
  });

  it.each<[what: string, object: Any, message: string]>([
    [
      "a template",
      request("one", { metadata: { name: "CRED-REQ-NAME" } }),
      '"metadata.name" is "CRED-REQ-NAME", a placeholder that was not filled in',
    ],
    ["no service account", request("one", { spec: { serviceAccountNames: [""] } }), "[no-service-account]"],
    [
      "an invalid service account name",
      request("one", { spec: { serviceAccountNames: ["x`touch pwned`"] } }),
      '"spec.serviceAccountNames[0]" is "x`touch pwned`", but must be',
    ],
    [
      "an invalid Secret name",
      request("one", { spec: { secretRef: { namespace: "a'b", name: "c" } } }),
      "[request-invalid-field]",
    ],
    [
      "an invalid variable name",
      request("one", { annotations: { "credentials.openshift.io/role-arns-vars": "A;x" } }),
      "[variable-invalid]",
    ],
  ])("prints nothing for %s, and says why", (_, object, message) => {
    const { status, stdout, stderr } = spec(fileOf(object, request("two")));
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain("requests.yaml: ");
  });

  it.each<[what: string, args: () => string[], message: string]>([
    ["no path", () => [], 'missing required argument "PATH"'],
    ["two paths", () => ["a", "b"], "too many arguments: expected 1 argument but got 2"],
    [
      "another form",
      () => [fileOf(request("one")), "-o", "sarif"],
      '--output must be "text" or "markdown", not "sarif"',
    ],
    ["no file", () => ["/nowhere/at/all"], 'error: "/nowhere/at/all" cannot be read (ENOENT).'],
    ["no request", () => [fileOf(subscription("a", "b"))], "contains no CredentialsRequests for AWS"],
    [
      "no YAML",
      () => {
        const path = fileOf();
        writeFileSync(path, "a: [");
        return [path];
      },
      "is not YAML",
    ],
  ])("refuses %s", (_, args, message) => {
    const { status, stdout, stderr } = spec(...args());
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });
});

describeWith(["shellcheck"], "the script", () => {
  it("is what shellcheck would write", () => {
    const { stdout: input } = spec(fileOf(request("one"), node, hostileRequest));
    const { status, stdout } = spawnSync("shellcheck", ["--shell=sh", "-"], { input, encoding: "utf8" });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });
});

const shells = [["dash"], ["bash", "--posix"], ["busybox", "sh"]] as const;

for (const [shell, ...options] of shells) {
  describeWith([shell], `the script, in ${shell},`, () => {
    const url = "https://oidc.example.com/demo";
    // Each argument of each call in a file of its own.
    const record = 'n=$(ls calls | wc -l); for each in "$@"; do printf "%s\\0" "$each"; done >"calls/$n"';
    const aws = (caller: string, more = "") =>
      `${record}\ncase "$1 $2" in\n"sts get-caller-identity") printf '${caller}\\n' ;;\n"iam get-role") case " $* " in *Role.Arn*) echo "arn:of:$4" ;; *) exit 254 ;; esac ;;\n${more}esac`;
    const oc = (issuer: string, region = "us-gov-west-1") =>
      `case "$*" in\n"get infrastructure.config.openshift.io cluster "*.region}) echo '${region}' ;;\n*.serviceAccountIssuer}) echo '${issuer}' ;;\nesac`;
    const make = (path: string, programs: Record<string, string>, ...args: string[]) => {
      const directory = temporary();
      mkdirSync(join(directory, "calls"));
      writeFileSync(join(directory, "make.sh"), spec(path).stdout);
      const env = { PATH: pathWith({ oc: oc(url), ...programs }), HOME: directory };
      const { status, stdout, stderr } = spawnSync(shell, [...options, "make.sh", ...args], {
        cwd: directory,
        env,
        encoding: "utf8",
      });
      const calls = readdirSync(join(directory, "calls"))
        .sort((a, b) => Number(a) - Number(b))
        .map((name) =>
          readFileSync(join(directory, "calls", name), "utf8")
            .split("\0")
            .slice(0, -1),
        );
      expect(existsSync(join(directory, "pwned"))).toBe(false);
      return { status, stdout, stderr, calls };
    };
    const after = (call: string[] | undefined, flag: string) => call?.[call.indexOf(flag) + 1] ?? "";
    const gov = "123456789012\\tarn:aws-us-gov:iam::123456789012:user/x";

    it("makes each role with its policies, of the cluster's partition and issuer, and prints the ARN", () => {
      const { status, stdout, stderr, calls } = make(fileOf(hostileRequest, node), { aws: aws(gov) }, "demo");
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toBe("ROLEARN=arn:of:demo-ns-hostile-credentials\nNODE_ROLEARN=arn:of:demo-ns-node-credentials\n");
      const provider = "arn:aws-us-gov:iam::123456789012:oidc-provider/oidc.example.com/demo";
      expect(calls[1]).toEqual(["iam", "get-open-id-connect-provider", "--open-id-connect-provider-arn", provider]);
      const made = calls.find(([, call]) => call === "create-role");
      expect(after(made, "--role-name")).toBe("demo-ns-hostile-credentials");
      expect(after(made, "--description")).toBe("OpenShift role for ns-hostile/credentials");
      expect(JSON.parse(after(made, "--assume-role-policy-document"))).toEqual({
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Principal: { Federated: provider },
            Action: "sts:AssumeRoleWithWebIdentity",
            Condition: {
              StringEquals: { "oidc.example.com/demo:sub": "system:serviceaccount:ns-hostile:hostile-operator" },
            },
          },
        ],
      });
      const [entry] = hostileRequest.spec.providerSpec.statementEntries;
      expect(
        JSON.parse(
          after(
            calls.find(([, call]) => call === "put-role-policy"),
            "--policy-document",
          ),
        ),
      ).toEqual({
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Action: "s3:GetObject",
            Resource: entry.resource.replace("arn:aws:", "arn:aws-us-gov:"),
            Condition: entry.policyCondition,
          },
        ],
      });
    });

    it.each<[what: string, programs: Record<string, string>, args: string[], message: string]>([
      ["no prefix", {}, [], "error: usage: sh make.sh PREFIX\n"],
      ["a prefix that names no role", {}, ["a b"], "error: the prefix must contain only letters, digits and _+=,.@-\n"],
      ["no issuer", { oc: oc("") }, ["demo"], 'error: the cluster has no issuer for short-term credentials: ""\n'],
      ["an issuer without https", { oc: oc("http://x") }, ["demo"], '"http://x"\n'],
      ["an issuer that is none", { oc: oc("https://x$(touch pwned)") }, ["demo"], "has no issuer"],
      ["no cluster", { oc: "echo cannot >&2; exit 1" }, ["demo"], "cannot\n"],
      ["a cluster elsewhere", { oc: oc(url, "") }, ["demo"], "error: the cluster is not on AWS\n"],
      [
        "no caller",
        { aws: aws("None\\tNone") },
        ["demo"],
        "error: the AWS CLI does not print the account of its credentials\n",
      ],
      [
        "another account",
        { aws: aws(gov, '"iam get-open-id-connect-provider") exit 254 ;;\n') },
        ["demo"],
        "error: the account 123456789012 has no provider for the cluster, or you may not read it: arn:aws-us-gov:iam::123456789012:oidc-provider/oidc.example.com/demo\n",
      ],
    ])("makes nothing for %s", (_, programs, args, message) => {
      const { status, stdout, stderr, calls } = make(fileOf(request("one")), { aws: aws(gov), ...programs }, ...args);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain(message);
      expect(calls.filter(([, call]) => /create|put|update/.test(call ?? ""))).toEqual([]);
    });
  });
}
