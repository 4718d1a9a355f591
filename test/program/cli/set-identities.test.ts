import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import {
  azureIdentities,
  azureIdentity,
  azurePackageOf,
  azureRequest,
  azureSubscription,
  azureTenant,
  clientIdNumber,
  renderedAzurePackage,
} from "../../helpers/azure-requests.ts";
import { run } from "../../helpers/ccf.ts";
import type { Any } from "../../helpers/cluster.ts";
import { newPackage, succeed } from "../../helpers/cluster-package.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const [one, two, three] = [clientIdNumber(1), clientIdNumber(2), clientIdNumber(3)];
const [keyOne, keyTwo] = ["ns-one_credentials", "ns-two_credentials"];
const both = { [keyOne]: one, [keyTwo]: two };
const requests = [azureRequest("one"), azureRequest("two")];
const storePath = "azure/identities.yaml";

/** Writes a file outside the package. */
function file(content: unknown): string {
  const path = join(temporary(), "ids");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function set(directory: string, content: unknown, ...flags: string[]) {
  return run(["set-identities", directory, "--from", file(content), ...flags]);
}

/** A package that contains this text as its ConfigMap. */
function packageWith(text: string, path = storePath, objects: readonly Any[] = requests): string {
  const directory = azurePackageOf(objects);
  mkdirSync(join(directory, "azure"), { recursive: true });
  writeFileSync(join(directory, path), text);
  return directory;
}

const textOf = (directory: string, path = storePath) => readFileSync(join(directory, path), "utf8");

/** Says that nothing was written, and gives standard error. */
function refused(directory: string, args: readonly string[], input?: string): string {
  const before = readTree(directory);
  const { status, stdout, stderr } = run(["set-identities", directory, ...args], input === undefined ? {} : { input });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(readTree(directory)).toEqual(before);
  return stderr;
}

const unnamed = /^warning: .* does not say which cluster the IDs belong to\. .* \[assigned-ids-unnamed\]\n$/;

describe("ccf set-identities", () => {
  it("stores the IDs of a rendered package, whose next render has the Secrets", () => {
    const directory = renderedAzurePackage(requests);
    const before = readTree(directory);
    const { status, stdout, stderr } = set(directory, dump(azureIdentities(both)));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toBe(`${storePath}: contains 2 client IDs (2 added).\nNext: ccf render ${directory}\n`);
    const text = `apiVersion: v1
kind: ConfigMap
metadata:
  name: azure-identities
  annotations:
    config.kubernetes.io/local-config: "true"
    fn.cloudcredential.dev/azure-subscription: "${azureSubscription}"
    fn.cloudcredential.dev/azure-tenant: "${azureTenant}"
    fn.cloudcredential.dev/resource-prefix: demo
data:
  ${keyOne}: ${one}
  ${keyTwo}: ${two}
`;
    expect(readTree(directory)).toEqual({ ...before, [storePath]: text });
    succeed(run(["render", directory]));
    expect(load(textOf(directory, "manifests/ns-two-credentials-credentials.yaml"))).toMatchObject({
      stringData: { azure_client_id: two, azure_tenant_id: azureTenant },
    });
    const rendered = readTree(directory);
    const again = set(directory, azureIdentities(both));
    expect(again).toMatchObject({ status: 0, stderr: "" });
    expect(again.stdout).toContain(`${storePath}: already contains the 2 client IDs.\n`);
    expect(succeed(run(["render", directory])).stdout).toBe("Up to date: no file changes.\n");
    expect(readTree(directory)).toEqual(rendered);
  });

  it.each<[what: string, content: unknown]>([
    ["a ConfigMap in JSON", azureIdentities(both)],
    ["a ConfigMap without annotations", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data: both }],
    ["a ConfigMap in uppercase", azureIdentities({ [keyOne]: one.toUpperCase(), [keyTwo]: two })],
    [
      "annotations in uppercase",
      azureIdentities(both, { annotations: { "fn.cloudcredential.dev/azure-tenant": azureTenant.toUpperCase() } }),
    ],
    ["a map in JSON", both],
    ["a map in JSON, indented with tabs", `{\n\t"${keyOne}": "${one}",\n\t"${keyTwo}": "${two}"\n}\n`],
    ["a map in YAML", `# from the portal\n${keyTwo}: ${two}\n${keyOne}: ${one}\n`],
    ["an output of Terraform", both],
    ["the outputs of a module of Terraform", { issuer_url: "https://x", client_ids: both }],
    ["all outputs of Terraform", { client_ids: { sensitive: false, type: ["object", {}], value: both } }],
  ])("reads %s", (what, content) => {
    const directory = azurePackageOf(requests);
    const namesCluster = what.includes("annotations in") || (what.includes("ConfigMap") && !what.includes("without"));
    const { status, stderr } = set(directory, content);
    expect({ status, stderr }).toEqual({ status: 0, stderr: namesCluster ? "" : expect.stringMatching(unnamed) });
    expect(load(textOf(directory))).toEqual(azureIdentities(both));
  });

  it("reads standard input", () => {
    const directory = azurePackageOf(requests);
    const { status, stdout } = run(["set-identities", directory, "--from", "-"], { input: JSON.stringify(both) });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `${storePath}: contains 2 client IDs (2 added).\nNext: ccf render ${directory}\n`,
    });
  });

  it("goes on after a run that was killed while it wrote", () => {
    const directory = azurePackageOf(requests);
    writeTree(directory, { ".ccf-render/process": "" });
    expect(set(directory, both)).toMatchObject({ status: 0 });
    expect(existsSync(join(directory, ".ccf-render"))).toBe(false);
  });

  it("stores some of the IDs, and the others later", () => {
    const directory = azurePackageOf(requests);
    expect(set(directory, { [keyOne]: one }).stdout).toContain("contains 1 client ID (1 added).");
    expect(set(directory, both).stdout).toContain("contains 2 client IDs (1 added).");
  });

  it("keeps comments, other objects and the file that contains the ConfigMap", () => {
    const text = `# Other facts.
apiVersion: v1
kind: ConfigMap
metadata: {name: other}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: my-ids # named in the config
data:
  # The first.
  ${keyOne}: '${one}' # checked
  ns-gone_credentials: ${three} # no longer
  ns-last_credentials: ${three}
`;
    const directory = azurePackageOf(requests, azureIdentity({ azure: { identities: "my-ids" } }));
    mkdirSync(join(directory, "facts"));
    writeFileSync(join(directory, "facts/ids.yaml"), text);
    const { status, stdout, stderr } = set(directory, azureIdentities(both));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("facts/ids.yaml: contains 2 client IDs (1 added, 2 removed).");
    expect(textOf(directory, "facts/ids.yaml")).toBe(
      text
        .replace(
          "name: my-ids # named in the config\n",
          `name: my-ids # named in the config
  annotations:
    config.kubernetes.io/local-config: "true"
    fn.cloudcredential.dev/azure-subscription: "${azureSubscription}"
    fn.cloudcredential.dev/azure-tenant: "${azureTenant}"
    fn.cloudcredential.dev/resource-prefix: demo
`,
        )
        .replace(/ {2}ns-gone.*\n {2}ns-last.*\n/, `  ${keyTwo}: ${two}\n`),
    );
    expect(set(directory, both).stdout).toContain("already contains the 2 client IDs.");
  });

  it("adds the ConfigMap to a file with another object", () => {
    const other = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other";
    const directory = packageWith(other);
    expect(set(directory, both).status).toBe(0);
    expect(textOf(directory).startsWith(`${other}\n---\n`)).toBe(true);
    expect(loadAll(textOf(directory))[1]).toEqual(azureIdentities(both));
  });

  it("replaces a value that is not an ID, such as a placeholder", () => {
    const directory = packageWith(dump(azureIdentities({ [keyOne]: "<client ID>" })));
    expect(set(directory, both).stdout).toContain("contains 2 client IDs (1 added, 1 replaced).");
  });
});

describe("ccf set-identities, for what a running cluster uses,", () => {
  const stored = dump(azureIdentities(both));

  it("refuses another ID, and accepts it if that is allowed", () => {
    const directory = packageWith(stored);
    const changed = { ...both, [keyTwo]: three };
    const said = `${storePath}: ConfigMap azure-identities: "${keyTwo}" is "${two}", but the file`;
    const stderr = refused(directory, ["--from", file(changed), "--allow", "removal"]);
    expect(stderr).toContain(`error: ${said}`);
    expect(stderr).toContain(
      `contains "${three}". A running cluster uses the identity with the ID in the package. Check that the file is for this cluster. If its identity was created again, add "--allow replacement". [assigned-id-changed]\n`,
    );
    const allowed = set(directory, changed, "--allow", "replacement");
    expect(allowed.stderr).toContain(`warning: ${said}`);
    expect(allowed.stderr).toContain("This run allows it. [assigned-id-changed]\n");
    expect(allowed.stdout).toContain("contains 2 client IDs (1 replaced).");
    expect((load(textOf(directory)) as Any).data).toEqual(changed);
  });

  it("refuses a file without an ID, and accepts it if that is allowed", () => {
    const directory = packageWith(stored);
    const stderr = refused(directory, ["--from", file({ [keyOne]: one }), "--allow", "replacement"]);
    expect(stderr).toContain(
      `does not contain it, so the Secret of this request could no longer be generated. Add it to the file. If its identity no longer exists, add "--allow removal:ns-two/credentials". [assigned-id-missing]\n`,
    );
    const allowed = set(directory, { [keyOne]: one }, "--allow", "removal,replacement");
    expect(allowed.stderr).toContain("[assigned-id-missing]");
    expect(allowed.stdout).toContain("contains 1 client ID (1 removed).");
    expect((load(textOf(directory)) as Any).data).toEqual({ [keyOne]: one });
  });

  it.each([
    ["in brackets", `data: {${keyOne}: ${one}, ${keyTwo}: ${two}}`],
    ["with an anchor", `data:\n  ${keyOne}: ${one}\n  ${keyTwo}: &two ${two}\nother: *two`],
  ])("does not remove an ID %s, and changes nothing", (_, data) => {
    const directory = packageWith(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: azure-identities}\n${data}\n`);
    const stderr = refused(directory, ["--from", file({ [keyOne]: one }), "--allow", "removal"]);
    expect(stderr).toContain(
      `"data.${keyTwo}" cannot be removed in place. Remove it by hand, then run the command again. [field-not-editable]`,
    );
  });

  it("refuses a package that contains the ConfigMap twice", () => {
    const directory = packageWith(`${stored}---\n${stored}`);
    expect(refused(directory, ["--from", file(both)])).toContain(
      'contains the ConfigMap "azure-identities" 2 times; remove all but one',
    );
  });
});

describe("ccf set-identities refuses", () => {
  const invalid = (problem: string) => new RegExp(`The file ".*" of --from ${problem}\\. \\[input-file-invalid\\]`);

  it("compares only the first of many wrong keys with the names of all requests", () => {
    const wrong = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${keyOne}${at}`, three]));
    const { status, stderr } = set(azurePackageOf(requests), wrong);
    expect(status).toBe(1);
    const found = stderr.split("\n").filter((line) => line.includes("[assigned-id-unmatched]"));
    expect(found).toHaveLength(30);
    expect(found.filter((line) => line.includes("did you mean"))).toHaveLength(20);
  });

  it.each<[what: string, content: unknown, message: string | RegExp]>([
    [
      "the IDs of another tenant",
      azureIdentities(both, { annotations: { "fn.cloudcredential.dev/azure-tenant": azureSubscription } }),
      `has the annotation "fn.cloudcredential.dev/azure-tenant" with the value "${azureSubscription}", but in this cluster it is "${azureTenant}": the IDs belong to another cluster. Use the file of this cluster. [assigned-ids-elsewhere]`,
    ],
    [
      "the IDs of another subscription",
      azureIdentities(both, { annotations: { "fn.cloudcredential.dev/azure-subscription": azureTenant } }),
      "[assigned-ids-elsewhere]",
    ],
    [
      "the IDs of another prefix",
      azureIdentities(both, { annotations: { "fn.cloudcredential.dev/resource-prefix": "demo-2" } }),
      'with the value "demo-2", but in this cluster it is "demo"',
    ],
    [
      "a misspelled key",
      { ...both, "ns-oen_credentials": three },
      'contains an ID for "ns-oen_credentials", but no CredentialsRequest or WorkloadIdentity of the package has it (did you mean "ns-one_credentials"?). Correct the key, or remove it from the file. [assigned-id-unmatched]',
    ],
    ["a key in another form", { "ns-one/credentials": one }, '(did you mean "ns-one_credentials"?)'],
    ["an ID for no request", { ...both, unrelated_thing: three }, 'contains an ID for "unrelated_thing", but'],
    [
      "one ID for two requests",
      { [keyOne]: one, [keyTwo]: one.toUpperCase() },
      `contains the client ID "${one}" for both "${keyOne}" and "${keyTwo}", but each request has its own identity. Correct one of them. [assigned-id-duplicate]`,
    ],
    [
      "a name instead of an ID",
      { [keyOne]: "demo-ns-one-credentials" },
      `contains "demo-ns-one-credentials" for "${keyOne}", but a client ID must be a UUID. Write the client ID of the identity. [assigned-id-invalid]`,
    ],
    ["no value", { [keyOne]: null }, `contains null for "${keyOne}"`],
    ["a list", [one], invalid("must contain a ConfigMap, or a map from keys to IDs")],
    [
      "a list in a ConfigMap",
      { apiVersion: "v1", kind: "ConfigMap", data: [one] },
      invalid("must contain a ConfigMap.*"),
    ],
    [
      "another object",
      { apiVersion: "v1", kind: "Secret", data: both },
      invalid('contains an object of the kind "Secret", but must contain a ConfigMap.*'),
    ],
    ["a ConfigMap without data", { apiVersion: "v1", kind: "ConfigMap" }, invalid("contains no IDs")],
    ["an empty map", {}, invalid("contains no IDs")],
    ["an empty file", "", invalid("must contain one document, but contains 0")],
    ["two documents", `${keyOne}: ${one}\n---\n${keyTwo}: ${two}\n`, invalid("must contain one document.*2")],
    ["a key twice in JSON", `{"${keyOne}": "${one}", "${keyOne}": "${two}"}`, invalid("has a duplicate key")],
    ["a key twice in YAML", `${keyOne}: ${one}\n${keyOne}: ${two}\n`, invalid("cannot be read: .*")],
    ["what is not YAML", `{"${keyOne}": `, invalid("is not YAML: .*")],
  ])("%s, and writes nothing", (_, content, message) => {
    const stderr = refused(azurePackageOf(requests), ["--from", file(content)]);
    if (typeof message === "string") expect(stderr).toContain(message);
    else expect(stderr).toMatch(message);
  });

  it.each([
    [[], undefined, '--from FILE is required; use "-" for standard input'],
    [["--from", "/nonexistent"], undefined, 'The file "/nonexistent" of --from does not exist. [input-file-invalid]'],
    [["--from", "-"], "", 'The file "-" of --from must contain one document, but contains 0. [input-file-invalid]'],
    [["--from", "-"], " ".repeat(1 << 20) + 1, "has more than 1048576 bytes. [input-file-invalid]"],
    [["--from", "x", "--allow", "replace"], undefined, "replace"],
    [["--from", "x", "more"], undefined, "too many arguments"],
  ])("%j", (args, input, message) => {
    expect(refused(azurePackageOf(requests), args, input)).toContain(message);
  });

  it("names what standard input contains", () => {
    expect(refused(azurePackageOf(requests), ["--from", "-"], JSON.stringify({ x_y: one }))).toContain(
      'error: standard input contains an ID for "x_y"',
    );
  });

  it("a package for another cloud", () => {
    const directory = newPackage();
    expect(refused(directory, ["--from", file(both)])).toContain(
      'the ClusterIdentity "demo" is for AWS, where the package itself determines the name of each role; only packages for Azure store IDs',
    );
  });

  it("a package whose ClusterIdentity has an error", () => {
    const directory = azurePackageOf(requests, azureIdentity({ azure: { tenantID: "x" } }));
    expect(refused(directory, ["--from", file(both)])).toContain("[config-invalid-field]");
  });

  it("to write where a symbolic link or another file is", () => {
    const directory = azurePackageOf(requests);
    writeFileSync(join(directory, "azure"), "");
    expect(refused(directory, ["--from", file(both)])).toContain("[path-taken]");
  });
});
