import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { clientIds } from "../../helpers/azure-cluster.ts";
import { ccf, run } from "../../helpers/ccf.ts";
import { run as runProgram } from "../../helpers/programs.ts";
import { azureFlags, gcpFlags, initFlags, initSample, sample } from "../../helpers/sample.ts";
import { readTree, temporary, writeTree } from "../../helpers/temporary.ts";

const ingressRequest = readFileSync(`${sample}/credentials-requests/20-ingress.yaml`, "utf8");
const registryRequest = readFileSync(`${sample}/credentials-requests/10-registry.yaml`, "utf8");

function requestFor(providerKind: string): string {
  expect(ingressRequest).toContain("kind: AWSProviderSpec");
  return ingressRequest.replace("kind: AWSProviderSpec", `kind: ${providerKind}`);
}

/** Expects that a directory with these requests is refused and that nothing is written. */
function expectRefusedRequests(
  files: Record<string, string>,
  message: string,
  change: (requests: string) => void = () => undefined,
): void {
  const root = temporary();
  const requests = join(root, "requests");
  writeTree(requests, files);
  change(requests);
  const flags = initFlags({ "credentials-requests": requests });
  const { status, stdout, stderr } = run(["init", join(root, "demo"), ...flags]);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain(`error: --credentials-requests ${JSON.stringify(requests)} contains `);
  expect(stderr).toContain(message);
  expect(readdirSync(root)).toEqual(["requests"]);
}

describe("ccf init", () => {
  it("writes the configuration, the pipeline and the unchanged requests", () => {
    const directory = join(temporary(), "clusters/demo");
    const { status, stdout, stderr } = run(["init", directory, ...initFlags()]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toBe(
      `Created ${directory}: the configuration (cluster-identity.yaml), the pipeline (Kptfile) and 4 files with 4 CredentialsRequests for AWS.\nNext: ccf render ${directory}\n`,
    );
    const files = readTree(directory);
    const requests = ["10-registry.yaml", "20-ingress.yaml", "30-storage.yaml", "40-preview.yaml"];
    expect(Object.keys(files)).toEqual([
      ".gitattributes",
      ".krmignore",
      "Kptfile",
      "cluster-identity.yaml",
      ...requests.map((name) => `credentials-requests/${name}`),
    ]);
    for (const name of requests) {
      expect(files[`credentials-requests/${name}`]).toBe(
        readFileSync(`${sample}/credentials-requests/${name}`, "utf8"),
      );
    }
    expect(load(files["cluster-identity.yaml"] ?? "")).toEqual({
      apiVersion: "fn.cloudcredential.dev/v1alpha1",
      kind: "ClusterIdentity",
      metadata: { name: "demo", annotations: { "config.kubernetes.io/local-config": "true" } },
      spec: {
        issuer: { signingKeys: [{ publicKey: readFileSync(`${sample}/serviceaccount-signer.public`, "utf8") }] },
        platform: { aws: { accountID: "123456789012", region: "us-east-2" } },
      },
    });
    expect(load(files["Kptfile"] ?? "")).toMatchObject({
      kind: "Kptfile",
      pipeline: {
        mutators: [
          { exec: "ccf generate-oidc-issuer", configPath: "cluster-identity.yaml" },
          { exec: "ccf generate-cloud-credentials", configPath: "cluster-identity.yaml" },
          { exec: "ccf generate-workload-identities", configPath: "cluster-identity.yaml" },
        ],
      },
    });
  });

  it("copies no file that contains only requests for other clouds, and says how many requests", () => {
    const root = temporary();
    const registryFor = (kind: string) => registryRequest.replace("kind: AWSProviderSpec", `kind: ${kind}`);
    const others = `${registryFor("GCPProviderSpec")}---\n${registryFor("VSphereProviderSpec")}`;
    const gate = "apiVersion: config.openshift.io/v1\nkind: FeatureGate\nmetadata:\n  name: cluster\n";
    const copied = {
      "aws/a.yaml": ingressRequest,
      "azure/gates.yaml": gate,
      // Not only for another cloud, or not known to be.
      "mixed.yaml": `${registryRequest}---\n${registryFor("AzureProviderSpec")}`,
      "unknown.yaml": requestFor('""'),
    };
    writeTree(join(root, "requests"), {
      ...copied,
      "azure/a.yaml": registryFor("AzureProviderSpec"),
      "other.yaml": others,
    });
    const directory = join(root, "demo");
    const init = (requests: string, to: string) =>
      run(["init", to, ...initFlags({ "credentials-requests": join(root, requests) })]);
    const { status, stdout, stderr } = init("requests", directory);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toBe(
      `Created ${directory}: the configuration (cluster-identity.yaml), the pipeline (Kptfile) and 4 files with 2 CredentialsRequests for AWS.\n3 CredentialsRequests are for other clouds and were not copied.\nNext: ccf render ${directory}\n`,
    );
    expect(readTree(join(directory, "credentials-requests"))).toEqual(copied);
    writeTree(join(root, "one"), { "a.yaml": ingressRequest, "b.yaml": registryFor("GCPProviderSpec") });
    expect(init("one", join(root, "other")).stdout).toContain(
      "\n1 CredentialsRequest is for another cloud and was not copied.\n",
    );
  });

  it("folds nothing in reviews, and keeps an existing .gitattributes", () => {
    const directory = join(temporary(), "demo");
    initSample(directory, {});
    const attributes = readFileSync(join(directory, ".gitattributes"), "utf8");
    // Every generated file grants something, or decides whose tokens are trusted.
    expect(attributes.replaceAll(/^#.*\n/gm, "")).toBe("*.yaml text eol=lf\n*.yml text eol=lf\nKptfile text eol=lf\n");
    const other = temporary();
    writeTree(other, { ".gitattributes": "* text=auto\n" });
    initSample(other, {});
    expect(readTree(other)).toMatchObject({ ".gitattributes": "* text=auto\n", Kptfile: expect.any(String) });
  });

  it("reads a public key from a pipe that the command line names", () => {
    const directory = join(temporary(), "demo");
    const flags = initFlags({ "public-key-file": undefined })
      .map((flag) => `'${flag}'`)
      .join(" ");
    const { status, stderr } = runProgram("bash", [
      "--norc",
      "-c",
      `exec '${process.execPath}' '${ccf}' init '${directory}' ${flags} --public-key-file <(sleep 0.2; cat '${sample}/serviceaccount-signer.public')`,
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("names images with --container, with the prefix of --image-prefix", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    for (const [flags, prefix] of [
      [["--container"], "ghcr.io/cloud-credential-functions"],
      [["--container", "--image-prefix", "registry.example.com/ccf"], "registry.example.com/ccf"],
    ] as const) {
      const directory = join(temporary(), "demo");
      expect(run(["init", directory, ...initFlags(), ...flags]).status).toBe(0);
      const kptfile = load(readFileSync(join(directory, "Kptfile"), "utf8"));
      expect(kptfile).toMatchObject({
        pipeline: {
          mutators: ["generate-oidc-issuer", "generate-cloud-credentials", "generate-workload-identities"].map(
            (name) => ({
              image: `${prefix}/${name}:v${version}`,
              configPath: "cluster-identity.yaml",
            }),
          ),
        },
      });
      expect(run(["render", directory]).status).toBe(0);
    }
  });

  it("reads the requests' directory recursively, keeps relative paths and bytes, and ignores other files", () => {
    const root = temporary();
    writeTree(root, {
      "requests/a/b/one.yaml": "# one\r\nkind: X\n",
      "requests/two.yml": ingressRequest,
      "requests/notes.txt": "no",
    });
    const directory = join(root, "demo");
    initSample(directory, { "credentials-requests": join(root, "requests") });
    const files = readTree(join(directory, "credentials-requests"));
    expect(files).toEqual({ "a/b/one.yaml": "# one\r\nkind: X\n", "two.yml": ingressRequest });
  });

  it("follows a link to the requests' directory and links to files, and reads each file once", () => {
    const root = temporary();
    writeTree(root, {
      "kept/1/ingress.yaml": ingressRequest,
      "kept/more.txt": registryRequest,
      "requests/..1/registry.yaml": registryRequest,
    });
    symlinkSync("../kept/1/ingress.yaml", join(root, "requests/ingress.yaml"));
    symlinkSync("../kept/more.txt", join(root, "requests/more.yaml"));
    // The layout of a mounted ConfigMap.
    symlinkSync("..1", join(root, "requests/..data"));
    symlinkSync("..data/registry.yaml", join(root, "requests/registry.yaml"));
    symlinkSync("requests", join(root, "link"));
    const directory = join(root, "demo");
    const flags = initFlags({ "credentials-requests": join(root, "link") });
    const { status, stdout, stderr } = run(["init", directory, ...flags]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("and 3 files with 3 CredentialsRequests for AWS.\n");
    expect(readTree(join(directory, "credentials-requests"))).toEqual({
      "..1/registry.yaml": registryRequest,
      "ingress.yaml": ingressRequest,
      "more.yaml": registryRequest,
    });
    const inside = run(["init", join(root, "requests/demo"), ...flags]);
    expect(inside.stderr).toContain("the package would be inside the directory of the requests");
  });

  it.each<[string, Record<string, string>, string]>([
    [
      "empty files",
      { "a.yaml": "", "b.yaml": "\n" },
      'cannot be used: "a.yaml" is empty, "b.yaml" is empty; fix or remove',
    ],
    [
      "an empty file among good ones",
      { "a.yaml": ingressRequest, "b.yaml": " \n" },
      '"b.yaml" is empty; fix or remove them',
    ],
    [
      "a file that is not YAML",
      { "a.yaml": ingressRequest, "b.yaml": "kind: CredentialsRequest\na: [\n" },
      '"b.yaml" is not YAML',
    ],
    [
      "a broken document",
      { "a.yaml": `${ingressRequest}---\nkind: CredentialsRequest\na: [\n---\n${registryRequest}` },
      '"a.yaml" is not YAML',
    ],
    [
      "other objects",
      { "a.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n" },
      "contains no CredentialsRequests.",
    ],
    ["comments", { "a.yaml": "# nothing\n" }, "contains no CredentialsRequests."],
    [
      "a list",
      { "a.yaml": `apiVersion: v1\nkind: List\nitems: []\n` },
      'contains no CredentialsRequests; "a.yaml" contains a list; write its objects as separate documents.',
    ],
    [
      "another cloud's requests",
      { "a.yaml": requestFor("GCPProviderSpec") },
      "contains CredentialsRequests, but none for AWS.",
    ],
  ])("refuses a directory with %s", (_, files, message) => {
    expectRefusedRequests(files, message);
  });

  it("refuses requests that it cannot copy, and names them", () => {
    const files = { "a.yaml": ingressRequest };
    expectRefusedRequests(files, '"b.yaml" is a symbolic link to a path that does not exist', (requests) =>
      symlinkSync("nowhere", join(requests, "b.yaml")),
    );
    expectRefusedRequests(
      files,
      '"more" is a symbolic link to a directory outside, which is not followed',
      (requests) => symlinkSync("/etc", join(requests, "more")),
    );
    expectRefusedRequests(files, '"bytes.yaml" is not UTF-8', (requests) =>
      writeFileSync(join(requests, "bytes.yaml"), Buffer.from([0xff, 0xfe])),
    );
    expectRefusedRequests(files, '"pipe.yaml" is not a regular file', (requests) =>
      execFileSync("mkfifo", [join(requests, "pipe.yaml")]),
    );
    expectRefusedRequests(files, "has a name that is not UTF-8", (requests) =>
      mkdirSync(Buffer.concat([Buffer.from(join(requests, "x")), Buffer.from([0xff])])),
    );
  });

  it("refuses requests whose file names differ only in upper and lower case", () => {
    const root = temporary();
    const requests = join(root, "requests");
    writeTree(requests, { "more/a.yaml": ingressRequest, "more/A.yaml": registryRequest });
    const { status, stderr } = run(["init", join(root, "demo"), ...initFlags({ "credentials-requests": requests })]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^error: .*more\/a\.yaml" and .*more\/A\.yaml" differ only in .*\[path-case\]\n$/),
    });
    expect(readdirSync(root)).toEqual(["requests"]);
  });

  it.each([
    [
      { region: "xx-foo-1" },
      '"spec.platform.aws.region" is "xx-foo-1", which does not look like an AWS region (did you mean',
      "region-unknown",
    ],
    [
      { "account-id": "12345" },
      '"spec.platform.aws.accountID" is "12345", but must be 12 digits. [',
      "config-invalid-field",
    ],
    [{ name: "Bad Name" }, '"metadata.name" is "Bad Name", but must be a DNS label', "config-invalid-field"],
    [{ name: "a".repeat(60) }, "has 65 characters, but must have 3 to 63", "bucket-name-invalid"],
  ])("refuses %j and writes nothing", (change, message, code) => {
    const root = temporary();
    const { status, stdout, stderr } = run(["init", join(root, "demo"), ...initFlags(change)]);
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
    expect(stderr).toContain(`[${code}]`);
    expect(readTree(root)).toEqual({});
  });

  it("refuses a private key and does not print it", () => {
    const root = temporary();
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
    writeFileSync(join(root, "key"), pem);
    const { status, stdout, stderr } = run([
      "init",
      join(root, "demo"),
      ...initFlags({ "public-key-file": join(root, "key") }),
    ]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("is a private key. Only the public key belongs in a package");
    expect(stderr).toContain("[private-key]");
    for (const line of pem.split("\n").filter((text) => text.length > 20)) expect(stderr).not.toContain(line);
    expect(Object.keys(readTree(root))).toEqual(["key"]);
  });

  it("copies no private key", () => {
    const root = temporary();
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    writeTree(root, {
      "requests/s.yaml": `a: ${JSON.stringify(privateKey.export({ type: "pkcs8", format: "pem" }))}\n`,
      "requests/b.yaml": "a: b\n",
    });
    const { status, stderr } = run([
      "init",
      join(root, "demo"),
      ...initFlags({ "credentials-requests": join(root, "requests") }),
    ]);
    expect(status).toBe(1);
    expect(stderr).toContain('"credentials-requests/s.yaml" contains a private key and was not copied.');
    expect(Object.keys(readTree(root))).toEqual(["requests/b.yaml", "requests/s.yaml"]);
  });

  it('refuses an invalid image prefix, and accepts the name "help"', () => {
    const root = temporary();
    const bad = run(["init", join(root, "demo"), ...initFlags(), "--container", "--image-prefix", 'x y"']);
    expect(bad.stderr).toContain("must be a registry and a path in lowercase");
    expect(run(["init", join(root, "help"), ...initFlags({ name: "help" })])).toMatchObject({ status: 0 });
  });

  it("lists the missing flags if there is no terminal", () => {
    const { status, stderr } = run(["init", join(temporary(), "demo"), "--platform", "aws"]);
    expect(status).toBe(1);
    expect(stderr).toBe(
      'error: --name, --account-id, --region, --public-key-file, --credentials-requests are required. [usage]\nRun "ccf init --help".\n',
    );
  });

  it.each([
    [{ platform: "openstack" }, '--platform must be "aws", "azure" or "gcp", not "openstack"'],
    [{ "public-key-file": "/nowhere/key" }, '--public-key-file "/nowhere/key" cannot be read (ENOENT)'],
    [{ "credentials-requests": "/nowhere" }, '--credentials-requests "/nowhere" is not a directory'],
  ])("refuses %j", (change, message) => {
    const { status, stderr } = run(["init", join(temporary(), "demo"), ...initFlags(change)]);
    expect(status).toBe(1);
    expect(stderr).toContain(`error: ${message}.`);
  });

  it("refuses a directory without requests, and a directory that would contain the package", () => {
    const root = temporary();
    mkdirSync(join(root, "requests"));
    const empty = run(["init", join(root, "demo"), ...initFlags({ "credentials-requests": join(root, "requests") })]);
    expect(empty.stderr).toContain("contains no YAML files");
    writeTree(root, { "requests/a.yaml": "a: b\n" });
    const inside = run([
      "init",
      join(root, "requests/demo"),
      ...initFlags({ "credentials-requests": join(root, "requests") }),
    ]);
    expect(inside.stderr).toContain("the package would be inside the directory of the requests");
  });

  it("overwrites nothing, and accepts a directory with only the files of a new Git repository", () => {
    const directory = temporary();
    writeTree(directory, { "README.md": "mine\n", ".git/HEAD": "ref\n" });
    initSample(directory);
    const before = readTree(directory);
    expect(before["README.md"]).toBe("mine\n");
    const again = run(["init", directory, ...initFlags({ name: "other" })]);
    expect(again.status).toBe(1);
    expect(again.stderr).toContain("is not empty");
    expect(readTree(directory)).toEqual(before);
  });
});

describe("ccf init for GCP", () => {
  const refused = (changes: Readonly<Record<string, string | undefined>>) => {
    const root = temporary();
    const { status, stdout, stderr } = run(["init", join(root, "demo"), ...gcpFlags(changes)]);
    expect({ status, stdout, files: readTree(root) }).toEqual({ status: 1, stdout: "", files: {} });
    return stderr;
  };

  it("writes a package that renders, with what is for GCP", () => {
    const directory = join(temporary(), "demo");
    const { status, stdout, stderr } = run(["init", directory, ...gcpFlags()]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toBe(
      `Created ${directory}: the configuration (cluster-identity.yaml), the pipeline (Kptfile) and 4 files with 4 CredentialsRequests for GCP.\nNext: ccf render ${directory}\n`,
    );
    const files = readTree(directory);
    expect(load(files["cluster-identity.yaml"] ?? "")).toMatchObject({
      spec: { platform: { gcp: { projectID: "my-project", projectNumber: "123456789012" } } },
    });
    expect(load(files["Kptfile"] ?? "")).toMatchObject({
      info: { description: "Secrets, service accounts and issuer of a cluster with short-term cloud credentials." },
    });
    expect(files[".gitattributes"]).not.toContain("generated");
    expect(run(["render", directory]).status).toBe(0);
    expect(Object.keys(readTree(directory)).filter((path) => path.startsWith("gcp/"))).toEqual([
      "gcp/cluster.yaml",
      "gcp/identities/openshift-cluster-csi-drivers-disk-cloud-credentials.yaml",
      "gcp/identities/openshift-image-registry-installer-cloud-credentials.yaml",
      "gcp/identities/openshift-ingress-operator-cloud-credentials.yaml",
      "gcp/issuer.yaml",
    ]);
  });

  it("writes what the optional flags set, and takes the requests of GCP from a directory with those of two clouds", () => {
    const directory = join(temporary(), "demo");
    const changes = {
      region: "europe-west3",
      "key-storage": "Bucket",
      pool: "pool-one",
      "credentials-requests": `${sample}/credentials-requests`,
    };
    const { status, stdout } = run(["init", directory, ...gcpFlags(changes)]);
    expect(status).toBe(0);
    expect(stdout).toContain(
      "1 file with 1 CredentialsRequest for GCP.\n3 CredentialsRequests are for other clouds and were not copied.\n",
    );
    expect(load(readTree(directory)["cluster-identity.yaml"] ?? "")).toMatchObject({
      spec: {
        platform: {
          gcp: {
            projectID: "my-project",
            projectNumber: "123456789012",
            region: "europe-west3",
            keyStorage: "Bucket",
            pool: "pool-one",
          },
        },
      },
    });
    expect(run(["render", directory]).status).toBe(0);
  });

  it.each<[Record<string, string>, string]>([
    [
      { "account-id": "123456789012" },
      "error: --account-id is an option for AWS, but the platform is GCP; remove the option.",
    ],
    [{ "key-storage": "External" }, 'error: --key-storage must be "PoolJWKFile" or "Bucket", not "External".'],
    [{ "key-storage": "bucket" }, 'not "bucket" (did you mean "Bucket"?).'],
    [{ "projct-id": "x" }, 'unknown option "--projct-id" (did you mean "--project-id"?).'],
    [{ "project-id": "My" }, '"spec.platform.gcp.projectID" is "My", but must be a project ID'],
    [
      { "project-number": "012" },
      'is "012", but must be the project\'s number (1 to 19 digits). [config-invalid-field]',
    ],
    [{ region: "EU" }, '"spec.platform.gcp.region" is "EU", but must be a location of Cloud Storage in lowercase'],
    [{ pool: "gcp-one" }, '"spec.platform.gcp.pool" is "gcp-one", but must be 4 to 32'],
    [{ name: "abc" }, "[pool-id-invalid]"],
    [{ name: "google-one" }, "[bucket-name-invalid]"],
  ])("refuses %j, and writes nothing", (changes, message) => {
    expect(refused(changes)).toContain(message);
  });

  it("refuses options of GCP for AWS", () => {
    const { status, stderr } = run(["init", join(temporary(), "demo"), ...initFlags({ "project-id": "my-project" })]);
    expect({ status, stderr: stderr.split("\n")[0] }).toEqual({
      status: 1,
      stderr: "error: --project-id is an option for GCP, but the platform is AWS; remove the option. [usage]",
    });
  });

  it("requires the project, and not what has a default", () => {
    expect(run(["init", join(temporary(), "demo"), "--platform", "gcp"]).stderr).toBe(
      'error: --name, --project-id, --project-number, --public-key-file, --credentials-requests are required. [usage]\nRun "ccf init --help".\n',
    );
  });

  it("refuses a key that Google Cloud does not accept", () => {
    const root = temporary();
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    writeFileSync(join(root, "key"), publicKey.export({ type: "spki", format: "pem" }));
    const { status, stderr } = run(["init", join(root, "demo"), ...gcpFlags({ "public-key-file": join(root, "key") })]);
    expect(status).toBe(1);
    expect(stderr).toContain("[signing-key-unsupported]");
    expect(Object.keys(readTree(root))).toEqual(["key"]);
  });
});

describe("ccf init for Azure", () => {
  const refused = (changes: Readonly<Record<string, string | undefined>>) => {
    const root = temporary();
    const { status, stdout, stderr } = run(["init", join(root, "demo"), ...azureFlags(changes)]);
    expect({ status, stdout, files: readTree(root) }).toEqual({ status: 1, stdout: "", files: {} });
    return stderr;
  };

  it("writes a package that renders, and says that one render is not enough", () => {
    const directory = join(temporary(), "demo");
    const { status, stdout, stderr } = run(["init", directory, ...azureFlags()]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toBe(
      `Created ${directory}: the configuration (cluster-identity.yaml), the pipeline (Kptfile) and 4 files with 4 CredentialsRequests for Azure.\nNext: ccf render ${directory}\nAzure assigns the client IDs of the Secrets: "ccf apply" stores them in the package, and renders it again.\n`,
    );
    const files = readTree(directory);
    expect(load(files["cluster-identity.yaml"] ?? "")).toMatchObject({
      spec: {
        platform: {
          azure: {
            subscriptionID: "00000000-1111-2222-3333-444444444444",
            tenantID: "55555555-6666-7777-8888-999999999999",
            region: "eastus",
          },
        },
      },
    });
    expect(load(files["Kptfile"] ?? "")).toMatchObject({
      info: { description: "Secrets, managed identities and issuer of a cluster with short-term cloud credentials." },
    });
    expect(files[".gitattributes"]).not.toContain("generated");
    const first = run(["render", directory]);
    expect(first.status).toBe(0);
    expect(first.stderr.match(/\[client-id-unknown\]/g)).toHaveLength(1);
    const rendered = [
      "azure/cluster.yaml",
      "azure/identities/openshift-cluster-csi-drivers-disk-cloud-credentials.yaml",
      "azure/identities/openshift-image-registry-installer-cloud-credentials.yaml",
      "azure/identities/openshift-ingress-operator-cloud-credentials.yaml",
      "azure/issuer.yaml",
      "manifests/azure-ad-pod-identity-webhook-config.yaml",
      "manifests/cluster-authentication-02-config.yaml",
    ];
    const generated = () => Object.keys(readTree(directory)).filter((path) => /^(?:azure|manifests)\//.test(path));
    expect(generated()).toEqual(rendered);
    const ids = clientIds(
      [
        "openshift-image-registry/installer-cloud-credentials",
        "openshift-ingress-operator/cloud-credentials",
        "openshift-cluster-csi-drivers/disk-cloud-credentials",
      ],
      { data: {} },
    );
    writeFileSync(join(directory, "azure/identities.yaml"), JSON.stringify(ids));
    const second = run(["render", directory]);
    expect(second).toMatchObject({ status: 0, stderr: expect.not.stringContaining("warning") });
    expect(generated()).toEqual(
      [
        ...rendered,
        "azure/identities.yaml",
        "manifests/openshift-cluster-csi-drivers-disk-cloud-credentials-credentials.yaml",
        "manifests/openshift-image-registry-installer-cloud-credentials-credentials.yaml",
        "manifests/openshift-ingress-operator-cloud-credentials-credentials.yaml",
      ].sort(),
    );
  });

  it("writes what the optional flags set", () => {
    const directory = join(temporary(), "demo");
    const network = "/subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/network";
    const changes = {
      cloud: "AzureUSGovernmentCloud",
      region: "usgovvirginia",
      "install-resource-group": "demo-rg",
      "oidc-resource-group": "demo-identities",
      "dns-zone-resource-group": "dns",
      "network-resource-group": network,
      "storage-account": "demokeys",
    };
    expect(run(["init", directory, ...azureFlags(changes)]).status).toBe(0);
    expect(load(readTree(directory)["cluster-identity.yaml"] ?? "")).toMatchObject({
      spec: {
        platform: {
          azure: {
            cloud: "AzureUSGovernmentCloud",
            region: "usgovvirginia",
            installResourceGroup: "demo-rg",
            oidcResourceGroup: "demo-identities",
            dnsZoneResourceGroup: "dns",
            networkResourceGroup: network,
            issuerHosting: { storageAccount: "demokeys" },
          },
        },
      },
    });
    expect(run(["render", directory]).status).toBe(0);
    const { data } = load(readTree(directory)["azure/issuer.yaml"] ?? "") as { data: Record<string, string> };
    expect(data["openid-configuration"]).toContain('"https://demokeys.blob.core.usgovcloudapi.net/demo"');
  });

  it.each<[Record<string, string>, string]>([
    [
      { "project-id": "one" },
      "error: --project-id is an option for GCP, but the platform is Azure; remove the option.",
    ],
    [{ "account-id": "123456789012" }, "error: --account-id is an option for AWS, but the platform is Azure; remove"],
    [
      { cloud: "AzureCloud" },
      'error: --cloud must be "AzurePublicCloud", "AzureUSGovernmentCloud" or "AzureChinaCloud"',
    ],
    [{ "subscription-id": "one" }, '"spec.platform.azure.subscriptionID" is "one", but must be a UUID'],
    [{ "tenant-id": "one" }, '"spec.platform.azure.tenantID" is "one", but must be a UUID'],
    [{ region: "East US" }, '"spec.platform.azure.region" is "East US", but must be an Azure region in lowercase'],
    [
      { "storage-account": "my-keys" },
      '"spec.platform.azure.issuerHosting.storageAccount" is "my-keys", but must be 3',
    ],
    [{ "dns-zone-resource-group": "a/b" }, '"spec.platform.azure.dnsZoneResourceGroup" is "a/b", but must be the name'],
    [{ "oidc-resource-group": "demo" }, "[resource-group-shared]"],
    [{ name: "ab" }, "[container-name-invalid]"],
  ])("refuses %j, and writes nothing", (changes, message) => {
    expect(refused(changes)).toContain(message);
  });

  it("requires the subscription, the tenant and the region, and not what has a default", () => {
    expect(run(["init", join(temporary(), "demo"), "--platform", "azure"]).stderr).toBe(
      'error: --name, --subscription-id, --tenant-id, --region, --public-key-file, --credentials-requests are required. [usage]\nRun "ccf init --help".\n',
    );
  });

  it("refuses a key that Microsoft does not test", () => {
    const root = temporary();
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    writeFileSync(join(root, "key"), publicKey.export({ type: "spki", format: "pem" }));
    const { status, stderr } = run([
      "init",
      join(root, "demo"),
      ...azureFlags({ "public-key-file": join(root, "key") }),
    ]);
    expect(status).toBe(1);
    expect(stderr).toContain("[signing-key-unsupported]");
    expect(Object.keys(readTree(root))).toEqual(["key"]);
  });
});
