import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dump, load, loadAll } from "js-yaml";
import { type Run, run } from "./ccf.ts";
import { readTree, temporary } from "./temporary.ts";

/** The made-up release of this repository. */
const sampleCluster = fileURLToPath(new URL("../../testdata/sample-cluster", import.meta.url));
export const sampleRequests = join(sampleCluster, "credentials-requests");
export const signerKeyFile = join(sampleCluster, "serviceaccount-signer.public");

/** What packages of the tests are made with, where a test says nothing else. */
export const defaults = { name: "demo", accountId: "123456789012", region: "us-east-2" } as const;

/** Makes a package with `ccf init`; it goes when the test ends. */
export function newPackage(
  requests: string = sampleRequests,
  { name = defaults.name, region = defaults.region }: { name?: string; region?: string } = {},
): string {
  const directory = join(temporary(), "package");
  succeed(
    run([
      "init",
      directory,
      ...["--platform", "aws", "--name", name, "--account-id", defaults.accountId, "--region", region],
      ...["--public-key-file", signerKeyFile, "--credentials-requests", requests],
    ]),
  );
  return directory;
}

/** Makes a package, changes its configuration where that is asked for, and renders it. */
export function renderedPackage(requests: string = sampleRequests, change?: (spec: Fields) => void): string {
  const directory = newPackage(requests);
  if (change !== undefined) configure(directory, change);
  succeed(run(["render", directory]));
  return directory;
}

/** A rendered package whose roles have a permissions boundary, so that an export has nothing to warn of. */
export function packageWithBoundary(requests: string = sampleRequests): string {
  return renderedPackage(requests, (spec) => {
    awsOf(spec)["roles"] = { permissionsBoundaryARN: `arn:aws:iam::${defaults.accountId}:policy/boundary` };
  });
}

/** A package as a list, as kpt gives it to a function. */
export function listOf(directory: string): string {
  const files = Object.entries(readTree(directory)).filter(([path]) => path.endsWith(".yaml"));
  const items = files.flatMap(([, text]) => loadAll(text));
  return dump({ apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items }, { noRefs: true });
}

/** Throws, with what was said, where a command failed. */
export function succeed(done: Run): Run {
  if (done.status !== 0) throw new Error(`exit ${done.status}\n${done.stderr}${done.stdout}`);
  return done;
}

/** A mapping whose values a test looks into. */
export type Fields = Record<string, unknown>;

/** Changes the `spec` of a package's ClusterIdentity. */
export function configure(directory: string, change: (spec: Fields) => void): void {
  const path = join(directory, "cluster-identity.yaml");
  const identity = load(readFileSync(path, "utf8")) as Fields;
  change(identity["spec"] as Fields);
  writeFileSync(path, dump(identity));
}

/** `spec.platform.aws` of a ClusterIdentity. */
export function awsOf(spec: Fields): Fields {
  return (spec["platform"] as Fields)["aws"] as Fields;
}

/** Those files of a package that functions made, by path. */
export function generatedFiles(directory: string): Record<string, string> {
  return pick(readTree(directory), isGenerated);
}

/** The files of a package that only a user writes, by path. */
export function handMadeFiles(directory: string): Record<string, string> {
  return pick(readTree(directory), (text) => !isGenerated(text));
}

function isGenerated(text: string): boolean {
  return text.includes("fn.cloudcredential.dev/generated-by: ");
}

function pick(files: Record<string, string>, wanted: (text: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([, text]) => wanted(text)));
}

/** The files that a bundle ConfigMap holds, by name. */
export function bundledFiles(bundle: string): Record<string, string> {
  return (load(bundle) as { data: Record<string, string> }).data;
}

/** The bundles of roles in a package, by path. */
export function roleBundles(directory: string): Record<string, string> {
  const files = Object.entries(generatedFiles(directory));
  return Object.fromEntries(files.filter(([path]) => path.startsWith("aws/roles/")));
}
