import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { configureOperators } from "../../functions/configure-operators/function.ts";
import { generateCloudCredentials } from "../../functions/generate-cloud-credentials/function.ts";
import { generateOidcIssuer } from "../../functions/generate-oidc-issuer/function.ts";
import type { KrmFunction } from "../../src/krm/function.ts";
import { runOnList } from "../../src/krm/run.ts";

// biome-ignore lint/suspicious/noExplicitAny: objects of every kind, made and taken apart by tests
export type Any = any;

/** The public key of the sample cluster. */
export const publicKey = readFileSync("testdata/sample-cluster/serviceaccount-signer.public", "utf8");

/** A ClusterIdentity for AWS; `aws` and `spec` are merged into it. */
export function identity({ aws = {}, spec = {}, metadata = {} }: { aws?: Any; spec?: Any; metadata?: Any } = {}): Any {
  return {
    apiVersion: "fn.cloudcredential.dev/v1alpha1",
    kind: "ClusterIdentity",
    metadata: { name: "demo", ...metadata },
    spec: {
      issuer: { signingKeys: [{ publicKey }] },
      ...spec,
      platform: { aws: { accountID: "123456789012", region: "us-east-2", ...aws } },
    },
  };
}

/** A CredentialsRequest for AWS; `spec`, `metadata` and `annotations` are merged into it. */
export function request(name: string, { spec = {}, metadata = {}, annotations = {}, ...more }: Any = {}): Any {
  return {
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: { name, namespace: "openshift-cloud-credential-operator", annotations, ...metadata },
    spec: {
      secretRef: { namespace: `ns-${name}`, name: "credentials" },
      serviceAccountNames: [`${name}-operator`],
      providerSpec: {
        kind: "AWSProviderSpec",
        statementEntries: [{ effect: "Allow", action: ["ec2:DescribeVolumes"], resource: "*" }],
      },
      ...spec,
    },
    ...more,
  };
}

/** A Subscription of the Operator Lifecycle Manager; `spec`, `metadata` and `annotations` are merged into it. */
export function subscription(
  name: string,
  namespace: string,
  { spec = {}, metadata = {}, annotations = {} }: Any = {},
): Any {
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "Subscription",
    metadata: { name, namespace, annotations, ...metadata },
    spec: { channel: "stable", name, source: "community-operators", sourceNamespace: "openshift-marketplace", ...spec },
  };
}

/** The provider spec of a request with these statements. */
export function statements(...statementEntries: Any[]): Any {
  return { providerSpec: { kind: "AWSProviderSpec", statementEntries } };
}

/** What a run made of a list: exit code, results, and generated objects by path. */
export interface Made {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly results: readonly Any[];
  /** Without the bundle of the cluster, which is in every answer of `generate-oidc-issuer`. */
  readonly objects: Readonly<Record<string, Any>>;
  /** The files that the bundle of the cluster holds, as texts. */
  readonly clusterFiles: Readonly<Record<string, string>> | undefined;
  /** The files that a bundle holds, parsed. */
  bundle(path: string): Readonly<Record<string, Any>>;
}

/** Runs functions on a list; big integers can be written as `rawJson` of the whole list. */
export function make(
  fns: readonly KrmFunction[],
  config: Any,
  items: readonly Any[] = [],
  rawJson = (text: string) => text,
): Made {
  const list = { apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items, functionConfig: config };
  const { exitCode, stdout, stderr } = runOnList(fns, Buffer.from(rawJson(JSON.stringify(list))));
  const parsed = JSON.parse(stdout);
  const made = parsed.items.slice(items.length);
  const { "aws/cluster.yaml": cluster, ...objects } = Object.fromEntries(
    made.map((value: Any) => [value.metadata.annotations["config.kubernetes.io/path"], value]),
  );
  return {
    exitCode,
    stdout,
    stderr,
    results: parsed.results ?? [],
    objects,
    clusterFiles: cluster?.data,
    bundle: (path) =>
      Object.fromEntries(Object.entries<string>(objects[path].data).map(([name, text]) => [name, JSON.parse(text)])),
  };
}

export const makeIssuer = (config: Any, items: readonly Any[] = []) => make([generateOidcIssuer], config, items);
export const makeOperators = (config: Any, items: readonly Any[] = []) => make([configureOperators], config, items);
export const makeCredentials = (config: Any, items: readonly Any[] = []) =>
  make([generateCloudCredentials], config, items);

/** Says that a run failed, or passed, with exactly one finding of a code, and returns its message. */
export function expectFinding(made: Made, severity: "error" | "warning" | "info", code: string): string {
  const found = made.results.filter((result) => result.tags.code === code);
  expect(
    found.map((value) => value.severity),
    JSON.stringify(made.results),
  ).toEqual([severity]);
  if (severity === "error") expect(made.exitCode).toBe(1);
  return found[0].message;
}

/** Says that a run passed without a warning. */
export function expectClean(made: Made): void {
  expect(made.results.filter((result) => result.severity !== "info")).toEqual([]);
  expect(made.exitCode).toBe(0);
}
