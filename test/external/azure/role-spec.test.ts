import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { azureRequest, azureSubscription, azureTenant, clientIdNumber } from "../../helpers/azure-requests.ts";
import { run } from "../../helpers/ccf.ts";
import { type Any, request as awsRequest } from "../../helpers/cluster.ts";
import { describeWith } from "../../helpers/need.ts";
import { pathWith } from "../../helpers/programs.ts";
import { temporary } from "../../helpers/temporary.ts";

const vars = "credentials.openshift.io/role-arns-vars";
const issuer = "https://demo.blob.core.windows.net/demo";
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const clientId = clientIdNumber(1);
const principalId = clientIdNumber(2);
const roleGuid = clientIdNumber(3);
const subscriptionPath = `/subscriptions/${azureSubscription}`;
const definitions = `${subscriptionPath}/providers/Microsoft.Authorization/roleDefinitions`;
const scope = `${subscriptionPath}/resourceGroups/Demo-x7`;

function fileOf(...objects: Any[]): string {
  const path = join(temporary(), "requests.yaml");
  writeFileSync(path, objects.map((value) => dump(value)).join("---\n"));
  return path;
}

const spec = (...args: string[]) => run(["role-spec", ...args]);
const one = azureRequest("one", { provider: { permissions: ["Microsoft.Compute/disks/write", "*/read"] } });
const node = azureRequest("node", { annotations: { [vars]: "NODE_CLIENTID,TENANTID" } });

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);
const subject = (name: string) => `system:serviceaccount:ns-${name}:${name}-operator`;
const credential = (name: string) => `${name}-operator-${hashOf(subject(name))}`;
const permissions = JSON.stringify({
  actions: ["*/read", "Microsoft.Compute/disks/write"],
  notActions: [],
  dataActions: [],
  notDataActions: [],
});

/** The words of a call of make_identity. */
function callsOf(script: string): string[][] {
  const calls = script.slice(script.lastIndexOf("}\n")).replaceAll(" \\\n  ", " ");
  return [...calls.matchAll(/^make_identity (.*)$/gm)].map(([, words = ""]) =>
    [...words.matchAll(/'([^']*)'/g)].map(([, word = ""]) => word),
  );
}

describe("ccf role-spec for Azure", () => {
  it("prints a script that names every managed identity, in one order", () => {
    const { status, stdout, stderr } = spec(fileOf(one, node));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const pair = (name: string) => `${credential(name)}=${subject(name)}`;
    expect(callsOf(stdout)).toEqual([
      ["ns-node-credentials", "ns-node/credentials", "NODE_CLIENTID", reader, "", pair("node")],
      ["ns-one-credentials", "ns-one/credentials", "CLIENTID", reader, permissions, pair("one")],
    ]);
    expect(spec(fileOf(node, one)).stdout).toBe(stdout);
  });

  it("gives names that are valid with the longest prefix, and stay different", () => {
    const secrets = ["a", "b"].map((end) => ({ namespace: "n".repeat(63), name: `${"s.".repeat(60)}${end}` }));
    const requests = secrets.map((secretRef, index) =>
      azureRequest(`x${index}`, { spec: { secretRef }, annotations: { [vars]: "" } }),
    );
    const names = callsOf(spec(fileOf(...requests)).stdout).map(([end = ""]) => `${"p".repeat(32)}-${end}`);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]{2,127}$/);
    expect(new Set(names).size).toBe(2);
  });

  it("prints the text for the description, with the script and the variables", () => {
    const path = fileOf(one, node);
    const { status, stdout, stderr } = spec(path, "-o", "markdown");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("The operator needs 2 managed identities in the cluster's subscription.");
    expect(stdout).toContain("| `ns-node/credentials` | `ns-node/node-operator` | `NODE_CLIENTID` |\n");
    const blocks = [...stdout.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, body]) => [language, body]);
    expect(blocks[0]).toEqual(["sh", spec(path).stdout]);
    const names = ["NODE_CLIENTID", "CLIENTID", "TENANTID", "SUBSCRIPTIONID"];
    expect(load(blocks[1]?.[1] ?? "")).toEqual({
      spec: {
        installPlanApproval: "Manual",
        config: { env: names.map((name) => ({ name, value: `<${name}>` })) },
      },
    });
    const silent = spec(fileOf(azureRequest("one", { annotations: { [vars]: "" } })), "-o", "markdown").stdout;
    expect(silent).toContain("needs a managed identity in");
    expect(silent).not.toContain("```yaml");
    expect(silent).not.toContain("printf 'TENANTID");
  });

  it.each<[what: string, args: () => string[], message: string]>([
    ["two clouds", () => [fileOf(one, awsRequest("two"))], "for AWS and Azure; add --platform aws or --platform azure"],
    ["a cloud without a request", () => [fileOf(one), "--platform", "gcp"], "contains no CredentialsRequests for GCP"],
    ["one variable for two identities", () => [fileOf(one, azureRequest("two"))], "[variable-shared]"],
    [
      "an unknown role",
      () => [fileOf(azureRequest("x", { provider: { roleBindings: [{ role: "Raeder" }] } }))],
      "[role-unknown]",
    ],
    [
      "a name for a shell",
      () => [fileOf(azureRequest("x", { spec: { serviceAccountNames: ["x`touch pwned`"] } }))],
      "[request-invalid-field]",
    ],
    [
      "a permission for a shell",
      () => [fileOf(azureRequest("x", { provider: { permissions: ["a/b'`touch pwned`"] } }))],
      "[request-invalid-field]",
    ],
  ])("prints nothing for %s", (_, args, message) => {
    const { status, stdout, stderr } = spec(...args());
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
  });
});

describeWith(["shellcheck"], "the script for Azure", () => {
  it("is what shellcheck would write", () => {
    const { stdout: input } = spec(fileOf(one, node));
    const { status, stdout } = spawnSync("shellcheck", ["--shell=sh", "-"], { input, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });
});

const shells = [["dash"], ["bash", "--posix"], ["busybox", "sh"]] as const;

for (const [shell, ...options] of shells) {
  describeWith([shell], `the script for Azure, in ${shell},`, () => {
    // Each argument of each call in a file of its own.
    const record = 'n=$(ls calls | wc -l); for each in "$@"; do printf "%s\\0" "$each"; done >"calls/$n"';
    const az = (answers = "") => `${record}
case "$*" in
${answers}*"account show"*) echo "${azureTenant.toUpperCase()} ${azureSubscription}" ;;
*"group show"*location*) echo westeurope ;;
*"identity show"*) echo "${clientId} ${principalId}" ;;
esac`;
    const oc = ({ group = "Demo-x7", url = issuer, tenant = azureTenant } = {}) => `case "$*" in
*resourceGroupName*) printf '%s' '${group}' ;;
*serviceAccountIssuer*) printf '%s' '${url}' ;;
extract*azure_tenant_id*) printf '# azure_tenant_id\\n%s' '${tenant}' ;;
esac`;
    const make = (programs: Record<string, string>, args: readonly string[], ...requests: Any[]) => {
      const directory = temporary();
      mkdirSync(join(directory, "calls"));
      writeFileSync(join(directory, "make.sh"), spec(fileOf(...requests)).stdout);
      const env = { PATH: pathWith({ oc: oc(), az: az(), sleep: "exit 0", ...programs }), HOME: directory };
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
    const name = "demo-ns-one-credentials";
    const changes = ({ calls }: { calls: string[] }) =>
      calls.filter((call) => / (?:create|update|delete|put) /.test(call));
    const identities = (text: string) => `*"identity list"*) echo "${text}" ;;\n`;
    const roles = (text: string) => `*"method get"*roleDefinitions*) echo "${text}" ;;\n`;
    const version = "api-version=2022-04-01";
    const define = (guid: string) =>
      `rest --method put --url ${definitions}/${guid}?${version} --body {"properties":{"roleName":"${name}","type":"CustomRole","description":"OpenShift role for ns-one/credentials","permissions":[${permissions}],"assignableScopes":["${subscriptionPath}"]}} --output none`;
    const assign = (role: string) =>
      `rest --method put --output none --url ${scope}/providers/Microsoft.Authorization/roleAssignments/${principalId.slice(0, 23)}-${role.slice(24)}?${version} --body {"properties":{"roleDefinitionId":"${definitions}/${role}","principalId":"${principalId}","principalType":"ServicePrincipal"}}`;
    const trust = `identity federated-credential create --name ${credential("one")} --identity-name ${name} --resource-group demo-oidc --issuer ${issuer} --subject ${subject("one")} --audiences openshift --output none`;

    it("creates each identity with its role, assignments and credentials, and prints the variables", () => {
      const made = make({}, ["demo"], one);
      expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: "" });
      expect(made.stdout).toBe(`TENANTID=${azureTenant}\nSUBSCRIPTIONID=${azureSubscription}\nCLIENTID=${clientId}\n`);
      expect(changes(made)).toEqual([
        `identity create --name ${name} --resource-group demo-oidc --location westeurope --tags OpenShiftSecret=ns-one/credentials --output none`,
        define(clientId),
        assign(reader),
        assign(clientId),
        trust,
      ]);
    });

    it("creates identities in the region of those of the platform", () => {
      const made = make({ az: az('*"identity list"*location*) echo southeastasia ;;\n') }, ["demo"], one);
      expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: "" });
      expect(changes(made)[0]).toContain(" --location southeastasia ");
    });

    it("updates what it created, assigns only what is missing, and names what is too much", () => {
      const other = `${definitions}/${clientIdNumber(4)}`;
      const answers = [
        identities(`other -\n${name.toUpperCase()} ns-one/credentials`),
        roles(`${roleGuid.toUpperCase()} OpenShift role for ns-one/credentials`),
        `*"method get"*roleAssignments*) printf '%s\\n' "${definitions}/${reader.toUpperCase()} ${scope.toUpperCase()}" "${definitions}/${reader} ${subscriptionPath}" "${other} ${scope}" ;;\n`,
        `*"federated-credential list"*) printf '%s\\n' "${issuer} ${subject("one")}" "${issuer} ${subject("two")}" "https://old.example ${subject("one")}" ;;\n`,
      ].join("");
      const made = make({ az: az(answers) }, ["demo", "ids"], one);
      expect(made.status).toBe(0);
      expect(changes(made)).toEqual([define(roleGuid), assign(roleGuid), trust.replace("demo-oidc", "ids")]);
      expect(made.stderr.split("\n").slice(0, -1)).toEqual([
        `note: ${name} also has the role ${reader} at ${subscriptionPath}, which the operator does not need`,
        `note: ${name} also has the role ${clientIdNumber(4)} at ${scope.toLowerCase()}, which the operator does not need`,
        `note: ${name} also trusts ${subject("two")} of ${issuer}, which the operator does not need`,
        `note: ${name} also trusts ${subject("one")} of https://old.example, which the operator does not need`,
      ]);
    });

    it("repeats an assignment until the identity is known", () => {
      const later = `*"method put"*roleAssignments*) if [ -e known ]; then :; else : >known; echo "ERROR: (PrincipalNotFound) Principal x does not exist in the directory y." >&2; exit 1; fi ;;\n`;
      const made = make({ az: az(later) }, ["demo"], one);
      expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: "" });
      expect(changes(made).filter((call) => call.includes("roleAssignments"))).toHaveLength(3);
      const never = `*"method put"*roleAssignments*) echo "ERROR: denied." >&2; exit 1 ;;\n`;
      expect(make({ az: az(never) }, ["demo"], one)).toMatchObject({ status: 1, stderr: "error: ERROR: denied.\n" });
    });

    const prefixRule =
      "error: the prefix must contain only lowercase letters, digits and -, and not begin or end with -\n";
    it.each<[what: string, programs: Record<string, string>, args: string[], message: string]>([
      ["no prefix", {}, [], "error: usage: sh make.sh PREFIX [RESOURCE_GROUP]\n"],
      ...["", "-a", "a_b", "a-", "A", "$(touch pwned)"].map(
        (prefix): [string, Record<string, string>, string[], string] => [
          `the prefix "${prefix}"`,
          {},
          [prefix],
          prefixRule,
        ],
      ),
      ["a long prefix", {}, ["p".repeat(33)], "error: the prefix must have at most 32 characters\n"],
      ["a cluster elsewhere", { oc: oc({ group: "" }) }, ["demo"], "error: the cluster is not on Azure\n"],
      ["no cluster", { oc: "echo cannot >&2; exit 1" }, ["demo"], "cannot\n"],
      ["a cluster with its own issuer", { oc: oc({ url: "" }) }, ["demo"], "error: the cluster has no public issuer"],
      [
        "a cluster without a tenant",
        { oc: oc({ tenant: "" }) },
        ["demo"],
        "error: the Secret openshift-cloud-credential-operator/azure-credentials contains no tenant\n",
      ],
      [
        "another tenant",
        { oc: oc({ tenant: clientId }) },
        ["demo"],
        `error: az is logged in to the tenant ${azureTenant}, but the cluster is in the tenant ${clientId}\n`,
      ],
      ["no login", { az: az('*"account show"*) echo login >&2; exit 1 ;;\n') }, ["demo"], "login\n"],
      [
        "another subscription",
        { az: az('*"group show --name Demo-x7"*) exit 3 ;;\n') },
        ["demo"],
        `error: the cluster's resource group Demo-x7 is not in the subscription ${azureSubscription}, or you may not read it\n`,
      ],
      [
        "no resource group for identities",
        { az: az('*"group show --name demo-oidc"*) exit 3 ;;\n') },
        ["demo"],
        `error: the resource group demo-oidc does not exist in the subscription ${azureSubscription}, or you may not read it\n`,
      ],
      [
        "an identity of another",
        { az: az(identities(`${name} -`)) },
        ["demo"],
        `error: the managed identity ${name} already exists, but is not for ns-one/credentials; use another prefix\n`,
      ],
    ])("makes nothing for %s", (_, programs, args, message) => {
      const made = make(programs, args, one);
      expect({ status: made.status, changes: changes(made) }).toEqual({ status: 1, changes: [] });
      expect(made.stderr).toContain(message);
    });

    it("leaves a role of another as it is", () => {
      const made = make({ az: az(roles(`${roleGuid} Owned by: demo`)) }, ["demo"], one);
      expect(made.status).toBe(1);
      expect(made.stderr).toBe(
        `error: the custom role ${name} already exists, but is not for ns-one/credentials; use another prefix\n`,
      );
      expect(changes(made).filter((call) => call.includes("role"))).toEqual([]);
    });
  });
}
