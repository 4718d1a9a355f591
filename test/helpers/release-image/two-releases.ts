import type { Any } from "../cluster.ts";
import { type BuiltImage, imageOf, layer, manifests } from "./image.ts";
import { TestRegistry } from "./registry.ts";

const include = "include.release.openshift.io/self-managed-high-availability";
const yaml = (value: unknown) => JSON.stringify(value);

/** A request of a release. */
export function releaseRequest(name: string, actions: readonly string[], annotations: Any = {}): Any {
  return {
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: {
      name,
      namespace: "openshift-cloud-credential-operator",
      annotations: { [include]: "true", ...annotations },
    },
    spec: {
      secretRef: { namespace: `openshift-${name}`, name: "credentials" },
      serviceAccountNames: [name],
      providerSpec: {
        apiVersion: "cloudcredential.openshift.io/v1",
        kind: "AWSProviderSpec",
        statementEntries: [{ effect: "Allow", action: actions, resource: "*" }],
      },
    },
  };
}

function featureGate(set: string, enabled: readonly string[]): Any {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: {
      name: "cluster",
      annotations: { [include]: "false-except-for-the-config-operator", "release.openshift.io/feature-set": set },
    },
    spec: {},
    status: {
      featureGates: [{ version: "", enabled: enabled.map((name) => ({ name })), disabled: [{ name: "Off" }] }],
    },
  };
}

const namespace = (name: string) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, annotations: { [include]: "true" } },
});

/** The image of a release with these manifests. */
export async function release(version: string, objects: Readonly<Record<string, unknown>>): Promise<BuiltImage> {
  const files = {
    "release-metadata": JSON.stringify({ kind: "cincinnati-metadata-v0", version, previous: [] }),
    "image-references": JSON.stringify({ kind: "ImageStream", metadata: { name: version } }),
    ...Object.fromEntries(Object.entries(objects).map(([name, value]) => [name, yaml(value)])),
  };
  return imageOf([await layer([{ name: "etc/passwd", content: "root" }]), await layer(manifests(files))]);
}

const gate = { "release.openshift.io/feature-gate": "New" };
export const repository = "ocp/release";

/** A registry with two releases: the next one has a request more, for an enabled feature gate. */
export async function registryWithReleases(): Promise<{ registry: TestRegistry; old: BuiltImage; next: BuiltImage }> {
  const registry = await TestRegistry.start();
  const old = await release("4.21.3", {
    "0000_10_namespaces.yaml": namespace("openshift-a"),
    "0000_50_a.yaml": releaseRequest("a", ["s3:GetObject"]),
    "0000_50_featureGate-Default.yaml": featureGate("Default", []),
  });
  const next = await release("4.22.1", {
    "0000_10_namespaces.yaml": namespace("openshift-a"),
    "0000_50_a.yaml": releaseRequest("a", ["s3:GetObject", "s3:PutObject"]),
    "0000_50_b.yaml": releaseRequest("b", ["ec2:DescribeInstances"], gate),
    "0000_50_featureGate-Default.yaml": featureGate("Default", ["New"]),
    "0000_50_featureGate-Tech.yaml": featureGate("TechPreviewNoUpgrade", ["New", "More"]),
  });
  registry.push(repository, old, "4.21.3-x86_64", "4.21.3");
  registry.push(repository, next, "4.22.1-x86_64", "moving");
  return { registry, old, next };
}

/** The files in the directory of the next release. */
export const releaseNames = [
  "0000_50_a.yaml",
  "0000_50_b.yaml",
  "0000_50_featureGate-Default.yaml",
  "0000_50_featureGate-Tech.yaml",
  "manifests-index.json",
  "release-metadata",
  "release-source.json",
];
