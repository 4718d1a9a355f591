import { describe, expect, it } from "vitest";
import { extractFrom } from "../../../src/cli/release/release-payload.ts";
import { FindingError } from "../../../src/core/finding.ts";
import { readIndex } from "../../../src/requests/manifests-index.ts";

const include = '    include.release.openshift.io/self-managed-high-availability: "true"\n';

const request = (name: string, cloud: string | null = "AWS") =>
  `apiVersion: cloudcredential.openshift.io/v1\nkind: CredentialsRequest\nmetadata:\n  name: ${name}\n  namespace: openshift-cloud-credential-operator\n  annotations:\n${include}spec:${cloud === null ? " {}" : `\n  providerSpec:\n    kind: ${cloud}ProviderSpec`}\n`;
const object = (apiVersion: string, kind: string, name: string, more = "") =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  annotations:\n${include}${more}`;

const metadata = (version: string, kind = "cincinnati-metadata-v0") => JSON.stringify({ kind, version, previous: [] });
const references = (name: string) => JSON.stringify({ kind: "ImageStream", metadata: { name } });

const base = { "release-metadata": metadata("4.22.3"), "image-references": references("4.22.3") };

function extract(files: Readonly<Record<string, string | Uint8Array>>, providerKind?: string) {
  const payload = new Map(
    Object.entries({ ...base, ...files }).map(([name, content]) => [
      name,
      typeof content === "string" ? Buffer.from(content) : content,
    ]),
  );
  return extractFrom(payload, '"the image"', providerKind);
}

function problem(
  files: Readonly<Record<string, string | Uint8Array>>,
  without: readonly string[] = [],
): readonly [code: string, message: string] {
  const given = Object.fromEntries(Object.entries({ ...base, ...files }).filter(([name]) => !without.includes(name)));
  try {
    extractFrom(
      new Map(Object.entries(given).map(([name, text]) => [name, Buffer.from(text)])),
      '"the image"',
      undefined,
    );
  } catch (error) {
    if (error instanceof FindingError) return [error.finding.code, error.finding.message];
    throw error;
  }
  return ["", ""];
}

describe("what is extracted from the payload of a release", () => {
  it("is what decides about credentials, with the names of the files", () => {
    const { version, files, requests, featureGates } = extract({
      "0000_10_namespace.yaml": `${object("v1", "Namespace", "openshift-b")}---\n${object("v1", "Namespace", "openshift-a")}`,
      "0000_20_mixed.yaml": `# about the request\n${request("a")}---\n${object("apps/v1", "Deployment", "d", "    capability.openshift.io/name: Storage\n")}`,
      "0000_30_others.yaml": object("v1", "ConfigMap", "c"),
      "0000_40_request.json": JSON.stringify({
        apiVersion: "cloudcredential.openshift.io/v1",
        kind: "CredentialsRequest",
        metadata: { name: "json" },
        spec: { providerSpec: { kind: "GCPProviderSpec" } },
      }),
      "0000_50_featureGate-Default.yaml": JSON.stringify({
        apiVersion: "config.openshift.io/v1",
        kind: "FeatureGate",
        metadata: { name: "cluster", annotations: { "release.openshift.io/feature-set": "Default" } },
        status: { featureGates: [{ version: "", enabled: [], disabled: [{ name: "Some" }] }] },
      }),
      "0000_05_featuregate.cr.yaml": object(
        "config.openshift.io/v1",
        "FeatureGate",
        "cluster",
        '    release.openshift.io/create-only: "true"\n',
      ),
      "notes.txt": "not a manifest",
    });
    expect([version, requests, featureGates, [...files.keys()]]).toEqual([
      "4.22.3",
      2,
      1,
      [
        "release-metadata",
        "0000_20_mixed.yaml",
        "0000_40_request.json.yaml",
        "0000_50_featureGate-Default.yaml",
        "manifests-index.json",
      ],
    ]);
    expect(files.get("0000_20_mixed.yaml")).toBe(`# about the request\n${request("a")}`);
    const index = readIndex(files.get("manifests-index.json") ?? "");
    const entries =
      typeof index === "string" ? [index] : index.map((one) => `${one.kind} ${one.name} ${one.annotations.size}`);
    expect(entries.sort()).toEqual([
      "ConfigMap c 1",
      "CredentialsRequest a 1",
      "CredentialsRequest json 0",
      "Deployment d 2",
      "FeatureGate cluster 1",
      "FeatureGate cluster 2",
      "Namespace openshift-a 1",
      "Namespace openshift-b 1",
    ]);
  });

  it("does not depend on the order of the files", () => {
    const files = { "b.yaml": request("b"), "a.yaml": request("a"), "c.yaml": object("v1", "Namespace", "n") };
    const reversed = Object.fromEntries(Object.entries(files).reverse());
    expect([...extract(reversed).files]).toEqual([...extract(files).files]);
  });

  it("is limited to a cloud, except for requests that may be for any cloud", () => {
    const files = {
      "a.yaml": `${request("aws")}---\n${request("gcp", "GCP")}`,
      "b.yaml": request("nutanix", "Nutanix"),
      "c.yaml": request("tombstone", null),
      "d.yaml": request("new", "Mars"),
    };
    const names = (kind?: string) =>
      [...extract(files, kind).files].flatMap(([path, text]) =>
        /^[a-d]/.test(path) ? [`${path} ${text.match(/ {2}name: (\w+)/g)?.length}`] : [],
      );
    expect(names()).toEqual(["a.yaml 2", "b.yaml 1", "c.yaml 1", "d.yaml 1"]);
    expect(names("GCPProviderSpec")).toEqual(["a.yaml 1", "c.yaml 1", "d.yaml 1"]);
  });

  it("has the objects of a List in the index", () => {
    const list = JSON.stringify({
      apiVersion: "v1",
      kind: "List",
      items: [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } }],
    });
    expect(extract({ "a.yaml": request("a"), "b.yaml": list }).files.get("manifests-index.json")).toContain('"n"');
  });
});

describe("a payload is refused", () => {
  const start = '"the image" is not a release that can be used: ';
  it.each<
    [what: string, files: Readonly<Record<string, string | Uint8Array>>, without: readonly string[], problem: string]
  >([
    [
      "without metadata",
      { "a.yaml": request("a") },
      ["release-metadata"],
      'it does not contain "release-manifests/release-metadata"',
    ],
    [
      "without image references",
      { "a.yaml": request("a") },
      ["image-references"],
      'it does not contain "release-manifests/image-references"',
    ],
    [
      "with metadata of another kind",
      { "release-metadata": metadata("4.22.3", "other") },
      [],
      'its "release-metadata" is not the metadata of a release',
    ],
    [
      "without a version",
      { "release-metadata": metadata("latest") },
      [],
      'its "release-metadata" is not the metadata of a release',
    ],
    [
      "with the images of another version",
      { "image-references": references("4.22.4") },
      [],
      'its "release-metadata" is of "4.22.3", but its "image-references" of "4.22.4"',
    ],
    ["with metadata that are not JSON", { "release-metadata": "{" }, [], 'its file "release-metadata" is not JSON'],
    ["with a manifest that is not YAML", { "a.yaml": "a: [" }, [], 'its file "a.yaml" is not YAML ('],
    [
      "with a manifest of which one document is not YAML",
      { "a.yaml": `${request("a")}---\na: [\n---\nb: c\n` },
      [],
      'its file "a.yaml" is not YAML (',
    ],
    [
      "with a manifest that is not UTF-8",
      { "a.yaml": Uint8Array.of(0xff, 0xfe, 0x41) },
      [],
      'its file "a.yaml" is not UTF-8',
    ],
    ["with an unusual name", { "a b\u001b.yaml": request("a") }, [], "it contains a file with the unusual name "],
    ["with a hidden file", { ".a.yaml": request("a") }, [], "it contains a file with the unusual name "],
    [
      "with two files of one name",
      {
        "a.json": "{}",
        "a.yaml": request("a"),
        "b.json": JSON.stringify({
          apiVersion: "cloudcredential.openshift.io/v1",
          kind: "CredentialsRequest",
          metadata: { name: "b" },
          spec: {},
        }),
        "B.json.yaml": request("c"),
      },
      [],
      'its files "B.json.yaml" and "b.json" would be written to the same file',
    ],
    [
      "with requests in a List",
      {
        "a.yaml": JSON.stringify({
          apiVersion: "v1",
          kind: "List",
          items: [
            { apiVersion: "cloudcredential.openshift.io/v1", kind: "CredentialsRequest", metadata: { name: "b" } },
          ],
        }),
      },
      [],
      'its file "a.yaml" contains CredentialsRequests in a List, where no command reads them',
    ],
    ["without requests", { "a.yaml": object("v1", "Namespace", "n") }, [], "contains no CredentialsRequests"],
  ])("%s", (_, files, without, expected) => {
    const [code, said] = problem(files, without);
    expect(code).toBe("release-payload-invalid");
    expect(said.startsWith(`${start}${expected}`), said).toBe(true);
    expect(said).toMatch(/\. Check the name of the image or the file; if it is right, copy it again\.$/);
    expect(said).not.toContain("\u001b");
  });
});
