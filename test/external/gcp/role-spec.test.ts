import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { type Any, request as awsRequest } from "../../helpers/cluster.ts";
import { gcpRequest } from "../../helpers/gcp-requests.ts";
import { describeWith } from "../../helpers/need.ts";
import { pathWith } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

const vars = "credentials.openshift.io/role-arns-vars";
const number = "123456789012";
const poolName = `projects/${number}/locations/global/workloadIdentityPools/demo`;
const audience = `//iam.googleapis.com/${poolName}/providers/demo-provider`;

function fileOf(...objects: Any[]): string {
  const path = join(temporary(), "requests.yaml");
  writeFileSync(path, objects.map((value) => dump(value)).join("---\n"));
  return path;
}

const spec = (...args: string[]) => run(["role-spec", ...args]);
const one = gcpRequest("one", { provider: { permissions: ["compute.disks.list", "compute.disks.get"] } });
const node = gcpRequest("node", { annotations: { [vars]: "NODE_EMAIL,AUDIENCE" } });

/** The words of a call of make_account. */
function callsOf(script: string): string[][] {
  const calls = script.slice(script.lastIndexOf("}\n")).replaceAll(" \\\n  ", " ");
  return [...calls.matchAll(/^make_account (.*)$/gm)].map(([, words = ""]) =>
    [...words.matchAll(/'([^']*)'/g)].map(([, word = ""]) => word),
  );
}

describe("ccf role-spec for GCP", () => {
  it("prints a script that names every service account, in one order", () => {
    const { status, stdout, stderr } = spec(fileOf(one, node));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const subject = (name: string) => `system:serviceaccount:ns-${name}:${name}-operator`;
    const [first, second] = callsOf(stdout);
    expect(first).toEqual([
      expect.stringMatching(/^ns-node-[a-z2-7]{5}$/),
      ...["ns-node/credentials", "NODE_EMAIL", "", "roles/dns.admin", subject("node")],
    ]);
    expect(second?.slice(1)).toEqual([
      ...["ns-one/credentials", "SERVICE_ACCOUNT_EMAIL", "compute.disks.get,compute.disks.list", "roles/dns.admin"],
      subject("one"),
    ]);
    expect(spec(fileOf(node, one)).stdout).toBe(stdout);
  });

  it("gives IDs that are valid with the longest prefix", () => {
    const long = gcpRequest("one", {
      spec: { secretRef: { namespace: "openshift-a-very-long-namespace-of-an-operator", name: "x" } },
    });
    const [words] = callsOf(spec(fileOf(long)).stdout);
    expect(`abcdefghijkl-${words?.[0]}`).toMatch(/^[a-z](?:[-a-z0-9]{4,28}[a-z0-9])$/);
  });

  it("prints the text for the description, with the script and the variables", () => {
    const path = fileOf(one, node);
    const { status, stdout, stderr } = spec(path, "-o", "markdown");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("The operator needs 2 service accounts in the cluster's Google Cloud project.");
    expect(stdout).toContain("| `ns-node/credentials` | `ns-node/node-operator` | `NODE_EMAIL` |\n");
    const blocks = [...stdout.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, body]) => [language, body]);
    expect(blocks[0]).toEqual(["sh", spec(path).stdout]);
    const names = ["NODE_EMAIL", "SERVICE_ACCOUNT_EMAIL", "AUDIENCE", "PROJECT_NUMBER", "POOL_ID", "PROVIDER_ID"];
    expect(load(blocks[1]?.[1] ?? "")).toEqual({
      spec: {
        installPlanApproval: "Manual",
        config: { env: names.map((name) => ({ name, value: `<${name}>` })) },
      },
    });
    const silent = spec(fileOf(gcpRequest("one", { annotations: { [vars]: "" } })), "-o", "markdown").stdout;
    expect(silent).toContain("needs a service account in");
    expect(silent).not.toContain("```yaml");
    expect(silent).not.toContain("printf 'AUDIENCE");
  });

  it("asks which cloud is meant, where the requests are for two", () => {
    const both = fileOf(one, awsRequest("two"));
    const refused = spec(both);
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toContain(
      "contains CredentialsRequests for AWS and GCP; add --platform aws or --platform gcp",
    );
    expect(callsOf(spec(both, "--platform", "gcp").stdout)).toHaveLength(1);
    expect(spec(both, "--platform", "aws").stdout).toMatch(/^make_role /m);
  });

  it.each<[what: string, args: () => string[], message: string]>([
    [
      "another cloud",
      () => [fileOf(one), "--platform", "gcpp"],
      '--platform must be "aws" or "azure" or "gcp", not "gcpp" (did you mean "gcp"?)',
    ],
    ["a cloud without a request", () => [fileOf(one), "--platform", "aws"], "contains no CredentialsRequests for AWS"],
    [
      "no request",
      () => [fileOf(awsRequest("x", { spec: { providerSpec: { kind: "OpenStackProviderSpec" } } }))],
      "contains no CredentialsRequests for AWS or Azure or GCP",
    ],
    ["one variable for two accounts", () => [fileOf(one, gcpRequest("two"))], "[variable-shared]"],
    [
      "a basic role",
      () => [fileOf(gcpRequest("x", { provider: { predefinedRoles: ["roles/owner"] } }))],
      "[basic-role]",
    ],
    [
      "a name for a shell",
      () => [fileOf(gcpRequest("x", { spec: { serviceAccountNames: ["x`touch pwned`"] } }))],
      "[request-invalid-field]",
    ],
    [
      "a permission for a shell",
      () => [fileOf(gcpRequest("x", { provider: { permissions: ["a.b.c'`touch pwned`"] } }))],
      "[request-invalid-field]",
    ],
  ])("prints nothing for %s", (_, args, message) => {
    const { status, stdout, stderr } = spec(...args());
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
  });
});

describeWith(["shellcheck"], "the script for GCP", () => {
  it("is what shellcheck would write", () => {
    const { stdout: input } = spec(fileOf(one, node));
    const { status, stdout } = spawnSync("shellcheck", ["--shell=sh", "-"], { input, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });
});

const shells = [["dash"], ["bash", "--posix"], ["busybox", "sh"]] as const;

for (const [shell, ...options] of shells) {
  describeWith([shell], `the script for GCP, in ${shell},`, () => {
    // Each argument of each call in a file of its own.
    const record = 'n=$(ls calls | wc -l); for each in "$@"; do printf "%s\\0" "$each"; done >"calls/$n"';
    const gcloud = (answers = "") => `${record}\ncase "$*" in\n${answers}*"providers describe"*) echo ACTIVE ;;\nesac`;
    const oc = (project = "demo-project", found = audience) =>
      `case "$*" in\n*projectID*) printf '%s' '${project}' ;;\nextract*) printf '{\\n  "audience": "%s",\\n}' '${found}' ;;\nesac`;
    const make = (programs: Record<string, string>, args: readonly string[], ...requests: Any[]) => {
      const directory = temporary();
      mkdirSync(join(directory, "calls"));
      writeFileSync(join(directory, "make.sh"), spec(fileOf(...requests)).stdout);
      const env = { PATH: pathWith({ oc: oc(), gcloud: gcloud(), sleep: "exit 0", ...programs }), HOME: directory };
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
            .slice(0, -1)
            .join(" "),
        );
      expect(existsSync(join(directory, "pwned"))).toBe(false);
      return { status, stdout, stderr, calls };
    };
    const [, [end = ""] = []] = callsOf(spec(fileOf(node, one)).stdout);
    const id = `demo-${end}`;
    const email = `${id}@demo-project.iam.gserviceaccount.com`;
    const role = id.replaceAll("-", "_");
    const described = "OpenShift service account for ns-one/credentials";
    const list = (text: string) => `*"service-accounts list"*) echo "${text}" ;;\n`;
    const roles = (text: string) => `*"roles list"*) echo "${text}" ;;\n`;
    const changes = ({ calls }: { calls: string[] }) =>
      calls.filter((call) => /create|update|undelete|add-/.test(call));

    it("creates each account with its role and bindings, and prints the variables", () => {
      const made = make({}, ["demo"], one);
      expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: "" });
      expect(made.stdout).toBe(
        `AUDIENCE=${audience}\nPROJECT_NUMBER=${number}\nPOOL_ID=demo\nPROVIDER_ID=demo-provider\nSERVICE_ACCOUNT_EMAIL=${email}\n`,
      );
      expect(made.calls[0]).toBe(
        `iam workload-identity-pools providers describe ${poolName}/providers/demo-provider --project=demo-project --format=value(state)`,
      );
      expect(changes(made)).toEqual([
        `iam service-accounts create ${id} --project=demo-project --description=${described}`,
        `iam roles create ${role} --project=demo-project --title=${id} --description=OpenShift role for ns-one/credentials --stage=GA --permissions=compute.disks.get,compute.disks.list --quiet`,
        ...["roles/dns.admin", `projects/demo-project/roles/${role}`].map(
          (name) =>
            `projects add-iam-policy-binding demo-project --member=serviceAccount:${email} --role=${name} --condition=None`,
        ),
        `iam service-accounts add-iam-policy-binding ${email} --project=demo-project --member=principal://iam.googleapis.com/${poolName}/subject/system:serviceaccount:ns-one:one-operator --role=roles/iam.workloadIdentityUser --condition=None`,
      ]);
    });

    it("updates what it created, restores a deleted role, and names what is too much", () => {
      const answers = [
        list(`${email} ${described}`),
        roles("deleted OpenShift role for ns-one/credentials"),
        '*"projects get-iam-policy"*) echo "roles/dns.admin roles/old" ;;\n',
      ].join("");
      const made = make({ gcloud: gcloud(answers) }, ["demo", audience], one);
      expect(made.status).toBe(0);
      expect(changes(made)[0]).toBe(`iam roles undelete ${role} --project=demo-project`);
      expect(changes(made)[1]).toMatch(new RegExp(`^iam roles update ${role} `));
      expect(made.stderr).toBe(`note: ${email} also has roles/old, which the operator does not need\n`);
    });

    it("puts the domain of a project behind its name", () => {
      const made = make({ oc: oc("example.com:demo-project") }, ["demo"], one);
      expect(made.stdout).toContain(`SERVICE_ACCOUNT_EMAIL=${id}@demo-project.example.com.iam.gserviceaccount.com\n`);
    });

    it("repeats a binding until the account is known", () => {
      const later = `*"projects add-iam-policy-binding"*) if [ -e known ]; then :; else : >known; echo "ERROR: Service account x does not exist." >&2; exit 1; fi ;;\n`;
      const made = make({ gcloud: gcloud(later) }, ["demo"], one);
      expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: "" });
      expect(changes(made).filter((call) => call.startsWith("projects add"))).toHaveLength(3);
      const never = `*"projects add-iam-policy-binding"*) echo "ERROR: denied." >&2; exit 1 ;;\n`;
      expect(make({ gcloud: gcloud(never) }, ["demo"], one)).toMatchObject({
        status: 1,
        stderr: "error: ERROR: denied.\n",
      });
    });

    const prefixRule =
      "error: the prefix must be at most 12 lowercase letters, digits and -, begin with a letter, and not end with -\n";
    it.each<[what: string, programs: Record<string, string>, args: string[], message: string]>([
      ["no prefix", {}, [], "error: usage: sh make.sh PREFIX [AUDIENCE]\n"],
      ...["", "1a", "a_b", "a-", "abcdefghijklm", "$(touch pwned)"].map(
        (prefix): [string, Record<string, string>, string[], string] => [
          `the prefix "${prefix}"`,
          {},
          [prefix],
          prefixRule,
        ],
      ),
      ["a cluster elsewhere", { oc: oc("") }, ["demo"], "error: the cluster is not on Google Cloud\n"],
      ["a project that is none", { oc: oc("a$(touch pwned)b c") }, ["demo"], "has an unknown form"],
      ["no cluster", { oc: "echo cannot >&2; exit 1" }, ["demo"], "cannot\n"],
      [
        "no Secret",
        { oc: oc("demo-project", "") },
        ["demo"],
        'error: the audience is not the name of a provider: ""\n',
      ],
      ["another audience", {}, ["demo", "openshift"], 'the audience is not the name of a provider: "openshift"\n'],
      [
        "no provider",
        { gcloud: gcloud('*"providers describe"*) exit 1 ;;\n') },
        ["demo"],
        `error: the provider does not exist, or you may not read it: ${audience}\n`,
      ],
      [
        "a deleted provider",
        { gcloud: gcloud('*"providers describe"*) echo DELETED ;;\n') },
        ["demo"],
        `error: the provider is not active: ${audience}\n`,
      ],
      [
        "an account of another",
        { gcloud: gcloud(list(`${email} Owned by: demo`)) },
        ["demo"],
        `error: the service account ${email} already exists, but is not for ns-one/credentials; use another prefix\n`,
      ],
    ])("makes nothing for %s", (_, programs, args, message) => {
      const made = make(programs, args, one);
      expect({ status: made.status, changes: changes(made) }).toEqual({ status: 1, changes: [] });
      expect(made.stderr).toContain(message);
    });

    it("leaves a role of another as it is", () => {
      const made = make({ gcloud: gcloud(roles("present Owned by: demo")) }, ["demo"], one);
      expect(made.status).toBe(1);
      expect(made.stderr).toBe(
        `error: the custom role projects/demo-project/roles/${role} already exists, but is not for ns-one/credentials; use another prefix\n`,
      );
      expect(changes(made).filter((call) => call.startsWith("iam roles"))).toEqual([]);
    });
  });
}
