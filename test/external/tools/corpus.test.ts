import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { dump, load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { run } from "../../helpers/ccf.ts";
import { awsRequests, ccoctl, keyId, withLists } from "../../helpers/ccoctl.ts";
import {
  bundledFiles,
  configure,
  defaults,
  type Fields,
  generatedFiles,
  newPackage,
  renderedPackage,
  signerKeyFile,
  succeed,
} from "../../helpers/cluster-package.ts";
import { corpus, describeWithCorpus } from "../../helpers/need.ts";
import { pythonYaml, readWithPython } from "../../helpers/python.ts";
import { readTree, temporary } from "../../helpers/temporary.ts";

const issuer = "https://demo-oidc.s3.us-east-2.amazonaws.com";

/** The Secrets of every release, `<namespace>-<name>`. */
const always = [
  "openshift-cloud-credential-operator-cloud-credential-operator-iam-ro-creds",
  "openshift-cloud-network-config-controller-cloud-credentials",
  "openshift-cluster-csi-drivers-ebs-cloud-credentials",
  "openshift-image-registry-installer-cloud-credentials",
  "openshift-ingress-operator-cloud-credentials",
  "openshift-machine-api-aws-cloud-credentials",
];
const clusterApi = "openshift-cluster-api-capa-manager-bootstrap-credentials";
const withClusterApi = [...always, clusterApi].sort();

const clusterApiGates = ["ClusterAPIMachineManagement", "ClusterAPIMachineManagementAWS"];
const techPreview = { featureSet: "TechPreviewNoUpgrade" };

const inputs = ["releases/4.13/aws", "releases/4.14/aws", "releases/4.19/aws", "releases/main/aws", "payload-files"];

describeWithCorpus(pythonYaml, "real CredentialsRequests", () => {
  describe.each(inputs)("%s", (input) => {
    const requests = join(corpus, input);

    it("copies the requests byte for byte, at their relative paths", () => {
      const copied = bytesBelow(join(newPackage(requests), "credentials-requests"));
      const given = bytesBelow(requests);
      const left = Object.keys(given).filter((path) => !(path in copied));
      // Only files that contain nothing but requests for other clouds stay out.
      for (const path of left) {
        const text = readFileSync(join(requests, path), "utf8");
        expect(text, path).toContain("kind: CredentialsRequest");
        expect(text, path).not.toContain("AWSProviderSpec");
      }
      expect(copied).toEqual(Object.fromEntries(Object.entries(given).filter(([path]) => path in copied)));
      expect(Object.keys(copied).length).toBeGreaterThanOrEqual(7);
    });

    it("gives a Secret and a role for each request that counts, the issuer, and nothing else", () => {
      const files = generatedFiles(renderedPackage(requests));
      expect(baseNames(files, secretFile)).toEqual(always);
      expect(baseNames(files, roleFile)).toEqual(always);
      const others = Object.keys(files).filter((path) => !secretFile.test(path) && !roleFile.test(path));
      expect(others).toContain("aws/issuer.yaml");
      expect(others).toContain("manifests/cluster-authentication-02-config.yaml");
    });

    it("makes what ccoctl makes: role names, credentials, policies and tags", () => {
      const files = generatedFiles(renderedPackage(requests));
      const known = awsRequests(requests);
      for (const baseName of always) {
        const request = known.get(baseName);
        if (request === undefined) throw new Error(`the corpus has no request for ${baseName}`);
        const made = ccoctl(request, defaults);
        expect(load(files[`manifests/${baseName}-credentials.yaml`] ?? "")).toMatchObject({
          apiVersion: "v1",
          kind: "Secret",
          type: "Opaque",
          metadata: { namespace: request.spec.secretRef.namespace, name: request.spec.secretRef.name },
          stringData: { credentials: made.credentials },
        });
        const carried = bundledFiles(files[`aws/roles/${baseName}.yaml`] ?? "");
        expect(withLists(carried["trust-policy.json"] ?? "")).toEqual(made.trust);
        expect(withLists(carried["permissions-policy.json"] ?? "")).toEqual(made.permissions);
        expect(JSON.parse(carried["create-role.json"] ?? "")).toMatchObject({
          RoleName: made.roleName,
          Tags: made.tags,
        });
        expect(JSON.parse(carried["put-role-policy.json"] ?? "")).toMatchObject({ PolicyName: made.roleName });
      }
    });

    it("names the same issuer and the same key everywhere", () => {
      const files = generatedFiles(renderedPackage(requests));
      expect(load(files["manifests/cluster-authentication-02-config.yaml"] ?? "")).toMatchObject({
        apiVersion: "config.openshift.io/v1",
        kind: "Authentication",
        metadata: { name: "cluster" },
        spec: { serviceAccountIssuer: issuer },
      });
      const carried = bundledFiles(files["aws/issuer.yaml"] ?? "");
      expect(JSON.parse(carried["openid-configuration"] ?? "")).toMatchObject({
        issuer,
        jwks_uri: `${issuer}/keys.json`,
      });
      const kid = keyId(readFileSync(signerKeyFile, "utf8"));
      expect(JSON.parse(carried["keys.json"] ?? "")).toMatchObject({ keys: [{ kid, kty: "RSA", alg: "RS256" }] });
    });

    it("gives files that readers of YAML 1.1 and 1.2 read alike, without gaps to fill in", () => {
      const files = generatedFiles(renderedPackage(requests));
      const inPython = readWithPython(files);
      for (const [path, text] of Object.entries(files)) {
        const documents = loadAll(text);
        expect(documents, path).toHaveLength(1);
        expect(inPython[path], path).toEqual(documents);
        expect(text, path).not.toMatch(/POPULATE|PLACEHOLDER|TODO/i);
        for (const [location, value] of leaves(documents[0])) {
          expect(value, `${path} ${location}`).not.toSatisfy(isEmpty);
          expect(String(value), `${path} ${location}`).not.toContain("<");
        }
      }
    });

    it("has full ARNs alone", () => {
      // The administrator's policy has one ARN for all roles.
      const { "aws/cluster.yaml": _, ...files } = generatedFiles(renderedPackage(requests));
      const arns = Object.values(files).flatMap((text) => text.match(/arn:aws[\w-]*:iam::[^\s"\\]*/g) ?? []);
      expect(arns.length).toBeGreaterThanOrEqual(2 * always.length);
      for (const arn of arns) {
        expect(arn).toMatch(
          /^arn:aws:iam::123456789012:(?:role\/[\w+=,.@-]{1,64}|oidc-provider\/demo-oidc\.s3\.us-east-2\.amazonaws\.com)$/,
        );
      }
    });

    it("changes no byte in a second run, and --check says so before and after", () => {
      const directory = newPackage(requests);
      const untouched = readTree(directory);
      expect(run(["render", "--check", directory]).status).toBe(2);
      expect(readTree(directory)).toEqual(untouched);
      expect(run(["render", directory]).status).toBe(0);
      const rendered = readTree(directory);
      expect(rendered).toMatchObject(untouched);
      expect(run(["render", "--check", directory]).status).toBe(0);
      expect(run(["render", directory]).status).toBe(0);
      expect(readTree(directory)).toEqual(rendered);
    });

    it("gives the same bytes whatever the names and the order of the files", () => {
      const expected = generatedFiles(renderedPackage(requests));
      expect(generatedFiles(renderedPackage(renamedInReverse(requests)))).toEqual(expected);
      expect(generatedFiles(renderedPackage(inOneFile(requests)))).toEqual(expected);
    });

    it("gives the same objects whatever the order of a list's items", () => {
      const directory = newPackage(requests);
      const items = Object.entries(readTree(directory))
        .filter(([path]) => path.endsWith(".yaml"))
        .flatMap(([, text]) => loadAll(text) as Fields[])
        .filter((item) => item?.["kind"] !== undefined);
      const forwards = generatedFrom(items);
      expect(forwards).toContain("role_arn");
      expect(generatedFrom(items.toReversed())).toBe(forwards);
      expect(generatedFrom([...items.slice(items.length >> 1), ...items.slice(0, items.length >> 1)])).toBe(forwards);
    });
  });

  describe("requests that wait for a feature", () => {
    it.each([
      ["releases/4.13/aws", techPreview],
      ["releases/4.14/aws", techPreview],
      ["releases/4.19/aws", techPreview],
      ["releases/4.19/aws", { featureSet: "CustomNoUpgrade" }],
      ["payload-files", techPreview],
      ["releases/main/aws", { featureGates: clusterApiGates }],
    ])("count in %s with %o", (input, release) => {
      expect(rolesWith(input, release)).toEqual(withClusterApi);
    });

    it.each([
      ["releases/4.14/aws", { featureSet: "CustomNoUpgrade" }],
      ["releases/4.19/aws", { featureSet: "DevPreviewNoUpgrade" }],
      ["releases/4.19/aws", { featureGates: clusterApiGates }],
      ["releases/main/aws", { featureGates: clusterApiGates.slice(0, 1) }],
      ["releases/main/aws", { featureGates: clusterApiGates.slice(1) }],
      ["releases/main/aws", techPreview],
    ])("do not count in %s with %o", (input, release) => {
      expect(rolesWith(input, release)).toEqual(always);
    });

    it("leave again when the feature is turned off, and the rest stays as it is", () => {
      const directory = renderedPackage(join(corpus, "releases/4.19/aws"));
      const before = generatedFiles(directory);
      configure(directory, (spec) => {
        spec["release"] = techPreview;
      });
      expect(run(["render", directory]).status).toBe(0);
      const during = generatedFiles(directory);
      expect(Object.keys(during)).toContain(`aws/roles/${clusterApi}.yaml`);
      expect(during).toMatchObject(before);
      configure(directory, (spec) => {
        delete spec["release"];
      });
      const refused = run(["render", directory]);
      expect(refused.status).toBe(1);
      expect(refused.stderr).toMatch(/^error: .*"spec\.release\.featureSet" excludes requests.* \[identities-lost\]$/m);
      expect(run(["render", "--allow", "removal", directory]).status).toBe(0);
      expect(generatedFiles(directory)).toEqual(before);
    });
  });
});

const secretFile = /^manifests\/(.+)-credentials\.yaml$/;
const roleFile = /^aws\/roles\/(.+)\.yaml$/;

function baseNames(files: Record<string, string>, form: RegExp): string[] {
  return Object.keys(files)
    .flatMap((path) => form.exec(path)?.[1] ?? [])
    .sort();
}

function rolesWith(input: string, release: Fields): string[] {
  const directory = renderedPackage(join(corpus, input), (spec) => {
    spec["release"] = release;
  });
  return baseNames(generatedFiles(directory), roleFile);
}

function bytesBelow(directory: string): Record<string, Buffer> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(directory.length + 1), readFileSync(path)]));
}

/** Every scalar, and every empty list or mapping, of a value and of the JSON files that it carries. */
function* leaves(value: unknown, location = ""): Generator<[place: string, value: unknown]> {
  if (typeof value === "string" && /^\s*[{[]/.test(value) && location.endsWith(".json")) {
    yield* leaves(JSON.parse(value), `${location}:`);
  } else if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    for (const [key, one] of Object.entries(value)) yield* leaves(one, `${location}/${key}`);
  } else {
    yield [location, value];
  }
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    (typeof value === "string" && value.trim() === "") ||
    (typeof value === "object" && Object.keys(value).length === 0)
  );
}

/** A copy of a directory in which the files have names of the opposite order. */
function renamedInReverse(from: string): string {
  const to = temporary();
  const paths = Object.keys(bytesBelow(from));
  for (const [index, path] of paths.entries()) {
    const target = join(to, dirname(path), `${String(paths.length - index).padStart(3, "0")}-${basename(path)}`);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(from, path), target);
  }
  return to;
}

/** A directory whose one file has all documents of another one's files, the last first. */
function inOneFile(from: string): string {
  const to = temporary();
  const texts = Object.values(bytesBelow(from)).map((bytes) => bytes.toString("utf8"));
  const documents = texts.flatMap((text) => loadAll(text)).filter((document) => document !== null);
  writeFileSync(
    join(to, "all.yaml"),
    documents
      .toReversed()
      .map((one) => dump(one))
      .join("---\n"),
  );
  return to;
}

/** What the functions add to a list, with the order of its objects and of their fields. */
function generatedFrom(items: readonly Fields[]): string {
  const list = { apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items };
  const { stdout } = succeed(run([], { input: dump(list, { noRefs: true }) }));
  const { items: all } = load(stdout) as { items: Fields[] };
  expect(all.slice(0, items.length)).toEqual(items);
  return JSON.stringify(all.slice(items.length), undefined, 1);
}
