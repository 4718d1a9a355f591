import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { ccf, type Run, run } from "../../helpers/ccf.ts";
import { type Fields, newPackage, succeed } from "../../helpers/cluster-package.ts";
import { containerTools, imageOf, readOnlyEnvironment } from "../../helpers/containers.ts";
import { environmentWithCcf } from "../../helpers/kpt.ts";
import { corpus, describeWith, describeWithCorpus } from "../../helpers/need.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

/** How kustomize runs the functions. */
interface Form {
  readonly name: string;
  readonly tools: readonly string[];
  /** The value of the configuration's annotation, if the form needs one. */
  readonly runs?: string;
  readonly build: readonly string[];
  readonly environment: () => NodeJS.ProcessEnv;
  /** Each run takes seconds, so only what the form itself could break is tried: the output, and a failure. */
  readonly isSlow?: boolean;
}

const alpha = "--enable-alpha-plugins";
const forms: readonly Form[] = [
  {
    name: "an exec transformer",
    tools: ["kustomize"],
    runs: "exec: {path: ccf}",
    build: ["kustomize", "build", alpha, "--enable-exec"],
    environment: environmentWithCcf,
  },
  {
    // What runs with a read-only root also runs without, as docs/integrations/kustomize.md does.
    name: "a container transformer with a read-only root",
    tools: ["kustomize", ...containerTools],
    runs: `container: {image: "${imageOf("ccf")}"}`,
    build: ["kustomize", "build", alpha],
    environment: readOnlyEnvironment,
    isSlow: true,
  },
  {
    name: "the legacy exec plugin of kubectl",
    tools: ["kubectl"],
    build: ["kubectl", "kustomize", alpha],
    environment: () => withPlugin(environmentWithCcf()),
  },
  {
    name: "the legacy exec plugin of kustomize",
    tools: ["kustomize"],
    build: ["kustomize", "build", alpha],
    environment: () => withPlugin(environmentWithCcf()),
  },
];

for (const form of forms) {
  describeWith(form.tools, form.name, () => {
    it("prints exactly the Secrets and the Authentication, as ccf render does", () => {
      const directory = newPackage();
      const expected = objectsOf(succeed(run(["render", "--stdout", directory])).stdout);
      const { status, stdout, stderr } = build(form, directory);
      expect(status, stderr).toBe(0);
      expect(objectsOf(stdout)).toEqual(expected);
      expect(expected.map(({ kind }) => kind).sort()).toEqual(["Authentication", "Secret", "Secret", "Secret"]);
    }, 600_000);

    it("fails, prints nothing and reports why, if the configuration is wrong", () => {
      const directory = newPackage();
      const path = join(directory, "cluster-identity.yaml");
      writeFileSync(path, readFileSync(path, "utf8").replace('"123456789012"', '"1"'));
      const { status, stdout, stderr } = build(form, directory);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain(`"spec.platform.aws.accountID" is "1", but must be 12 digits in quotes.`);
      expect(stderr).toContain("[config-invalid-field]");
    }, 600_000);
  });

  if (form.isSlow) continue;
  describeWith(form.tools, `${form.name}, with other resources,`, () => {
    it("reads the region from the other resources, and does not change these", () => {
      const directory = newPackage();
      const infrastructure = {
        apiVersion: "config.openshift.io/v1",
        kind: "Infrastructure",
        metadata: { name: "cluster" },
        status: { platformStatus: { type: "AWS", aws: { region: "eu-central-1" } } },
      };
      writeFileSync(join(directory, "infrastructure.yaml"), dump(infrastructure));
      const path = join(directory, "cluster-identity.yaml");
      writeFileSync(path, readFileSync(path, "utf8").replace(/ +region: .*\n/, ""));
      const { status, stdout, stderr } = build(form, directory, ["infrastructure.yaml"]);
      expect(status, stderr).toBe(0);
      const objects = objectsOf(stdout);
      expect(objects.find(({ kind }) => kind === "Infrastructure")).toEqual(infrastructure);
      expect(objects.find(({ kind }) => kind === "Authentication")).toMatchObject({
        spec: { serviceAccountIssuer: "https://demo-oidc.s3.eu-central-1.amazonaws.com" },
      });
    }, 600_000);

    it("sets the issuer of an Authentication among the resources, and creates no second Authentication", () => {
      const directory = newPackage();
      const own = {
        apiVersion: "config.openshift.io/v1",
        kind: "Authentication",
        metadata: { name: "cluster" },
        spec: { type: "None", serviceAccountIssuer: "" },
      };
      writeFileSync(join(directory, "authentication.yaml"), dump(own));
      const { status, stdout, stderr } = build(form, directory, ["authentication.yaml"]);
      expect(status, stderr).toBe(0);
      const serviceAccountIssuer = "https://demo-oidc.s3.us-east-2.amazonaws.com";
      expect(objectsOf(stdout).filter(({ kind }) => kind === "Authentication")).toEqual([
        { ...own, spec: { ...own.spec, serviceAccountIssuer } },
      ]);
    }, 600_000);

    it("fails, prints nothing and reports why, if the resources contain no request", () => {
      const directory = newPackage();
      for (const name of readdirSync(join(directory, "credentials-requests")))
        unlinkSync(join(directory, "credentials-requests", name));
      writeFileSync(join(directory, "other.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n");
      const { status, stdout, stderr } = build(form, directory, ["other.yaml"]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toContain("No CredentialsRequest is included in this cluster");
    }, 600_000);
  });

  describeWithCorpus(form.tools, `${form.name}, with real CredentialsRequests,`, () => {
    it("prints what ccf render prints", () => {
      const directory = newPackage(join(corpus, "releases/4.14/aws"));
      const expected = objectsOf(succeed(run(["render", "--stdout", directory])).stdout);
      const { status, stdout, stderr } = build(form, directory);
      expect(status, stderr).toBe(0);
      expect(objectsOf(stdout)).toEqual(expected);
      expect(expected.length).toBeGreaterThan(4);
    }, 600_000);
  });
}

describe("the plugin of kustomize, as a program,", () => {
  const config = () => join(newPackage(), "cluster-identity.yaml");
  const plugin = () => {
    const program = join(temporary(), "ClusterIdentity");
    symlinkSync(ccf, program);
    return program;
  };
  const start = (args: readonly string[], input: string): Run => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [plugin(), ...args], { input, encoding: "utf8" });
    return { status, stdout, stderr };
  };

  it("keeps every byte that it does not change, including comments and octal numbers", () => {
    const strange =
      "# Ours.\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {mode: '0644', big: \"1\"} # end\n";
    const two = `---\n${strange}---\n${strange.replace("name: x", "name: y")}`;
    const refused = start([config()], two);
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^error: .*No CredentialsRequest is included in this cluster.* \[no-requests\]$/m);
    const allowing = config();
    const annotation = "    fn.cloudcredential.dev/allow: removal\n";
    writeFileSync(
      allowing,
      readFileSync(allowing, "utf8").replace("  annotations:\n", `  annotations:\n${annotation}`),
    );
    const { status, stdout } = start([allowing], two);
    expect(status).toBe(0);
    expect(stdout).toContain(`---\n${strange}`);
    expect(stdout).toContain(`---\n${strange.replace("name: x", "name: y")}`);
    expect(loadAll(stdout)).toHaveLength(5);
  });

  it("does not change what it cannot read, and reports it", () => {
    const broken = "kind: X\nlist: [\n  1, # c\n]\n";
    const other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n";
    const allowing = config();
    const annotation = "    fn.cloudcredential.dev/allow: removal\n";
    writeFileSync(
      allowing,
      readFileSync(allowing, "utf8").replace("  annotations:\n", `  annotations:\n${annotation}`),
    );
    const { status, stdout, stderr } = start([allowing], `${other}---\n${broken}---\n${other}`);
    expect(status).toBe(0);
    expect(stdout).toContain(`---\n${other}---\n${broken}---\n${other}`);
    expect(stderr).toContain('"standard input" contains a document that is not YAML: deficient indentation, line 8.');
    expect(stderr).toContain("[file-skipped]");
    const asked = start([config()], `${other}---\n${broken.replace("X", "CredentialsRequest")}`);
    expect(asked).toMatchObject({ status: 1, stdout: "" });
    expect(asked.stderr).toContain("[file-unreadable]");
  });

  it.each<[string, () => readonly string[], string, string]>([
    ["no resources", () => [config()], "", "standard input contains no resources"],
    ["a comment for resources", () => [config()], "# nothing\n", "standard input contains no resources"],
    ["resources that are not YAML", () => [config()], "{", '"standard input" is not YAML: '],
    ["no configuration", () => [config(), "more"], "a: b\n", "is a kustomize plugin"],
    ["a configuration that does not exist", () => ["/nowhere/at/all"], "a: b\n", "no such file or directory"],
  ])("refuses %s", (_name, args, input, message) => {
    const { status, stdout, stderr } = start(args(), input);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });
});

function build(
  { runs, build: [program = "", ...args], environment }: Form,
  directory: string,
  more: string[] = [],
): Run {
  const config = load(readFileSync(join(directory, "cluster-identity.yaml"), "utf8")) as { metadata: Fields };
  if (runs !== undefined) config.metadata["annotations"] = { "config.kubernetes.io/function": runs };
  writeFileSync(join(directory, "transformer.yaml"), dump(config));
  const requests = readdirSync(join(directory, "credentials-requests")).map((name) => `credentials-requests/${name}`);
  writeFileSync(join(directory, "drop.yaml"), dump(dropRequests));
  const kustomization = { resources: [...requests, ...more], transformers: ["transformer.yaml", "drop.yaml"] };
  writeFileSync(join(directory, "kustomization.yaml"), dump(kustomization));
  const { status, stdout, stderr } = spawnSync(program, [...args, directory], { env: environment(), encoding: "utf8" });
  expect(Object.keys(readTree(directory)).filter((path) => path.startsWith("manifests/"))).toEqual([]);
  return { status, stdout, stderr };
}

const dropRequests = {
  apiVersion: "builtin",
  kind: "PatchTransformer",
  metadata: { name: "drop" },
  target: { group: "cloudcredential.openshift.io", kind: "CredentialsRequest" },
  patch:
    "$patch: delete\napiVersion: cloudcredential.openshift.io/v1\nkind: CredentialsRequest\nmetadata:\n  name: any\n",
};

function withPlugin(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const home = temporary();
  const location = join(home, "kustomize/plugin/fn.cloudcredential.dev/v1alpha1/clusteridentity");
  mkdirSync(location, { recursive: true });
  symlinkSync(ccf, join(location, "ClusterIdentity"));
  return { ...env, XDG_CONFIG_HOME: home };
}

/** Sorted objects: each tool prints them in another order. */
function objectsOf(stream: string): Fields[] {
  const key = (fields: Fields) => JSON.stringify([fields["kind"], fields["metadata"]]);
  return (loadAll(stream) as Fields[]).sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
