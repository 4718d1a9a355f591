import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dump, load } from "js-yaml";
import type { Any } from "./cluster.ts";
import { readTree, writeTree } from "./temporary.ts";

/** The parts of a live cluster that a test changes; the rest is as the installer makes it. */
export interface LiveParts {
  readonly platform: "AWS" | "GCP" | "Azure" | string;
  readonly issuer: string | undefined;
  readonly requests: readonly Any[];
  /** The Secrets by `<namespace>/<name>`: decoded texts by key. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** `status.platformStatus.<platform>` of the Infrastructure. */
  readonly status?: Any;
  readonly featureGate?: Any;
  readonly clusterVersion?: Any;
  /** `spec.credentialsMode` of the CloudCredential, which is there only with it. */
  readonly credentialsMode?: string;
}

/** The objects of a live cluster, as an API server returns them: with everything that a package does not need. */
export function liveObjects(parts: LiveParts): Any[] {
  const { platform, issuer, requests, secrets = {}, status = {}, featureGate = {}, clusterVersion = {} } = parts;
  const config = (kind: string, name: string, more: Any) =>
    served({ apiVersion: "config.openshift.io/v1", kind, metadata: { name }, ...more });
  return [
    config("Authentication", "cluster", {
      spec: {
        oauthMetadata: { name: "" },
        type: "",
        ...(issuer === undefined ? {} : { serviceAccountIssuer: issuer }),
      },
    }),
    config("Infrastructure", "cluster", {
      status: {
        infrastructureName: "demo-x7k2p",
        platform,
        platformStatus: { type: platform, [platform.toLowerCase()]: status },
      },
    }),
    config("FeatureGate", "cluster", { spec: {}, ...featureGate }),
    config("ClusterVersion", "version", {
      spec: { clusterID: "0b1f7c4e-0000-4000-8000-000000000000" },
      status: { desired: { version: "4.21.3" }, ...clusterVersion },
    }),
    ...(parts.credentialsMode === undefined ? [] : [cloudCredential(parts.credentialsMode)]),
    ...requests.map((request) => served({ ...request, status: { provisioned: true, lastSyncGeneration: 1 } })),
    ...Object.entries(secrets).map(([key, texts]) => secretObject(key, texts)),
  ];
}

function cloudCredential(credentialsMode: string): Any {
  const kind = { apiVersion: "operator.openshift.io/v1", kind: "CloudCredential" };
  return served({ ...kind, metadata: { name: "cluster" }, spec: { credentialsMode } });
}

/** A Secret as an API server returns it. */
export function secretObject(key: string, texts: Readonly<Record<string, string>>): Any {
  const [namespace, name] = key.split("/");
  const data = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString("base64")]);
  return served({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name },
    type: "Opaque",
    data: Object.fromEntries(data),
  });
}

function served({ metadata, ...object }: Any): Any {
  const { annotations = {}, ...rest } = metadata;
  return {
    ...object,
    metadata: {
      ...rest,
      annotations: { ...annotations, "kubectl.kubernetes.io/last-applied-configuration": "{}" },
      creationTimestamp: "2026-01-01T00:00:00Z",
      generation: 1,
      managedFields: [{ manager: "cluster-version-operator", operation: "Update" }],
      resourceVersion: "4711",
      uid: "7f6f7c4e-0000-4000-8000-000000000000",
    },
  };
}

/** What `oc get ... --output yaml` prints of objects. */
export function listText(objects: readonly Any[]): string {
  return dump({ apiVersion: "v1", kind: "List", items: objects, metadata: { resourceVersion: "" } }, { noRefs: true });
}

/** Writes the objects of a cluster into a file, and returns its path. */
export function dumpFile(directory: string, objects: readonly Any[], name = "dump.yaml"): string {
  writeTree(directory, { [name]: listText(objects) });
  return join(directory, name);
}

/** The decoded texts of generated Secrets, by `<namespace>/<name>`. */
export function textsOfSecrets(objects: readonly Any[]): Record<string, Record<string, string>> {
  const secrets = objects.filter(({ kind }) => kind === "Secret");
  return Object.fromEntries(
    secrets.map(({ metadata: { namespace, name }, stringData = {}, data = {} }) => {
      const decoded = Object.entries<string>(data).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]);
      return [`${namespace}/${name}`, { ...Object.fromEntries(decoded), ...stringData }];
    }),
  );
}

/** The objects in the files of a package, without the Kptfile. */
export function objectsOf(directory: string): Any[] {
  const files = Object.keys(readTree(directory)).filter((path) => path.endsWith(".yaml"));
  return files.map((path) => load(readFileSync(join(directory, path), "utf8")));
}

/** The ClusterIdentity of a package. */
export function configOf(directory: string): Any {
  return load(readFileSync(join(directory, "cluster-identity.yaml"), "utf8"));
}
