import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { configure, type Fields, handMadeFiles, newPackage, succeed } from "../../helpers/cluster-package.ts";
import {
  packageWithOperator,
  putFiles,
  requestsWithOperator,
  shelf,
  shelfArn,
  shelfSubscribed,
  subscriptionPath,
} from "../../helpers/operator-package.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const bundle = "aws/roles/shelf-system-shelf-credentials.yaml";
const emitSecrets = (directory: string) =>
  configure(directory, (spec) => {
    spec["operators"] = { emitSecrets: true };
  });
const pipelineOf = (directory: string) =>
  (load(readFileSync(join(directory, "Kptfile"), "utf8")) as { pipeline: { mutators: { exec: string }[] } }).pipeline
    .mutators;
const makerOf = (directory: string, path: string) =>
  /generated-by: (.*)/.exec(readFileSync(join(directory, path), "utf8"))?.[1];

describe("ccf init", () => {
  const functions = (directory: string) => pipelineOf(directory).map(({ exec }) => exec);
  const two = ["ccf generate-oidc-issuer", "ccf generate-cloud-credentials"];
  const ofWorkloads = "ccf generate-workload-identities";

  it("adds configure-operators only if a Subscription or request of an operator is among the requests", () => {
    expect(functions(newPackage())).toEqual([...two, ofWorkloads]);
    expect(functions(packageWithOperator())).toEqual([...two, "ccf configure-operators", ofWorkloads]);
    const annotated = requestsWithOperator();
    rmSync(join(annotated, "shelf/subscription.yaml"));
    expect(functions(newPackage(annotated))).toEqual([...two, ofWorkloads]);
    const node =
      shelf["node.yaml"]?.replace("annotations:", "annotations:\n    fn.cloudcredential.dev/subscription: x/y") ?? "";
    writeFileSync(join(annotated, "shelf/node.yaml"), `# first\n---\n${node}`);
    expect(functions(newPackage(annotated))).toEqual([...two, "ccf configure-operators", ofWorkloads]);
  });

  it("refuses requests on which a render would fail", () => {
    const requests = requestsWithOperator();
    writeFileSync(join(requests, "broken.yaml"), "kind: Subscription # operators.coreos.com\na: [\n");
    expect(() => newPackage(requests)).toThrow(/"broken\.yaml" is not YAML \(.*\)/);
  });
});

describe("ccf render", () => {
  it("sets an operator's roles in AWS, its Subscription and its requests, and changes nothing else in them", () => {
    const directory = packageWithOperator();
    const { status, stderr } = run(["render", directory]);
    expect({ status, stderr: stderr.match(/^(?:error|warning).*$/gm) }).toEqual({ status: 0, stderr: null });
    const files = handMadeFiles(directory);
    expect(files[subscriptionPath]).toBe(shelfSubscribed);
    const spec = (secret: string) => ["    stsIAMRoleARN: ", `"${shelfArn(secret)}"\n`].join("");
    const token = "  cloudTokenPath: /var/run/secrets/openshift/serviceaccount/token\n";
    for (const [name, secret] of [
      ["controller.yaml", "shelf-credentials"],
      ["node.yaml", "shelf-node-credentials"],
    ] as const) {
      const before = shelf[name] ?? "";
      expect(files[`credentials-requests/shelf/${name}`]).toBe(
        `${before.replace("  secretRef:", `${spec(secret)}  secretRef:`)}${token}`,
      );
    }
    const rendered = readTree(directory);
    expect(Object.keys(rendered).filter((path) => path.includes("shelf-system"))).toEqual([
      bundle,
      "aws/roles/shelf-system-shelf-node-credentials.yaml",
    ]);
    expect(succeed(run(["render", directory])).stdout).toBe("Up to date: no file changes.\n");
    expect(readTree(directory)).toEqual(rendered);
  });

  it("--stdout prints the changed Subscription, and no request", () => {
    const directory = packageWithOperator();
    emitSecrets(directory);
    const { stdout } = succeed(run(["render", "--stdout", directory]));
    const objects = loadAll(stdout) as Fields[];
    expect(objects.map(({ kind }) => kind).sort()).toEqual([
      "Authentication",
      ...Array(5).fill("Secret"),
      "Subscription",
    ]);
    expect(stdout).toContain(`---\n${shelfSubscribed}---\n`);
  });

  it("warns if the pipeline would leave an operator without its role", () => {
    const directory = packageWithOperator();
    const kptfile = join(directory, "Kptfile");
    const text = readFileSync(kptfile, "utf8");
    writeFileSync(kptfile, text.replace(/ {2}- exec: ccf configure-operators\n.*\n/, ""));
    const { status, stderr } = run(["render", directory]);
    expect(status).toBe(0);
    expect(stderr).toContain(
      'warning: The package contains 2 requests of OLM operators, but the Kptfile does not run "configure-operators", which generates their identities. Add it to the pipeline. [operators-not-configured]\n',
    );
    rmSync(kptfile);
    expect(run(["render", directory]).stderr).not.toContain("operators-not-configured");
    expect(readTree(directory)[subscriptionPath]).toBe(shelfSubscribed);
  });

  it("hands over a request and its Secret when a Subscription is added or removed", () => {
    const directory = packageWithOperator();
    emitSecrets(directory);
    const secret = "manifests/shelf-system-shelf-credentials-credentials.yaml";
    const subscription = join(directory, subscriptionPath);
    const expectMaker = (maker: string) => {
      // An object that one function hands over to another is not reported as removed.
      expect(succeed(run(["render", directory])).stderr).not.toContain("[object-removed]");
      for (const path of [bundle, secret]) expect(makerOf(directory, path)).toBe(`${maker}/demo`);
      expect(succeed(run(["render", "--check", directory])).stdout).toBe("Up to date: no file changes.\n");
    };
    rmSync(subscription);
    expectMaker("generate-cloud-credentials");
    const alone = readTree(directory)[bundle];
    putFiles(join(directory, "credentials-requests/shelf"), { "subscription.yaml": shelf["subscription.yaml"] ?? "" });
    expectMaker("configure-operators");
    rmSync(subscription);
    expectMaker("generate-cloud-credentials");
    expect(readTree(directory)[bundle]).toBe(alone);
  });
});

describe("ccf export", () => {
  it("puts the roles of operators next to the others, and their Secrets apart from the installer's manifests", () => {
    const directory = packageWithOperator();
    emitSecrets(directory);
    succeed(run(["render", directory]));
    const out = join(temporary(), "out");
    succeed(run(["export", directory, "--output-dir", out]));
    const files = Object.keys(readTree(out));
    expect(files.filter((path) => path.includes("shelf-system") && !path.startsWith("aws/"))).toEqual([
      "operators/shelf-system-shelf-credentials-credentials.yaml",
      "operators/shelf-system-shelf-node-credentials-credentials.yaml",
    ]);
    expect(files).toContain("aws/roles/shelf-system-shelf-credentials/create-role.json");
    expect(files.filter((path) => path.startsWith("manifests/"))).toHaveLength(4);
    expect(readFileSync(join(out, "SHA256SUMS"), "utf8")).toContain("  operators/shelf-system-");
    expect(succeed(run(["export", directory, "--output-dir", out])).stdout).toContain("Up to date");
  });
});
