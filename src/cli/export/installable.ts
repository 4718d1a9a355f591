import { type Finding, finding } from "../../core/finding.ts";
import { generatedBy, type Resource } from "../../core/resource.ts";
import { compareText, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import type { Item } from "../../krm/item.ts";
import { isCredentialsRequest, requestNamespace, secretKeyOf } from "../../requests/credentials-request.ts";
import { isOfRelease } from "../../requests/release-filter.ts";
import { releaseNames } from "../../requests/release-object.ts";
import { type ExportedFile, laterPath } from "../package/export-files.ts";
import { isForCluster, manifestOf } from "../package/manifests.ts";
import type { Package } from "../package/package-files.ts";

/** The files of an export whose `manifests/` the installer can create. */
export interface Installable {
  readonly files: readonly ExportedFile[];
  /** The Secrets that are not in `manifests/`, as `<namespace>/<name>`. */
  readonly leftOut: readonly string[];
  /** A warning for each of them. */
  readonly findings: readonly Finding[];
}

/** Namespaces that every cluster has before the installer creates manifests. */
const builtIn = ["default", "kube-public", "kube-system", requestNamespace];

/**
 * Moves Secrets in namespaces that do not exist during an installation from `manifests/` to `operators/`, because the
 * installer waits for every manifest until it fails. The package says which namespaces its release creates; otherwise,
 * it creates those of its own requests. Not every namespace that begins with `openshift-` is one. The package's Namespace
 * object of another Secret is exported with the Secret. In a package without requests of a release, it is unknown which
 * namespaces the release creates.
 */
export function installable(pkg: Pick<Package, "files">, files: readonly ExportedFile[]): Installable {
  const items = pkg.files.flatMap((file) => file.items);
  const ofRelease = items
    .filter((item) => isCredentialsRequest(item) && isOfRelease(item.annotations))
    .map((item) => (secretKeyOf(item.value()) ?? "").split("/")[0]);
  const known = releaseNames(items)?.namespaces ?? (ofRelease.length === 0 ? undefined : ofRelease);
  if (known === undefined) return { files, leftOut: [], findings: [] };
  const existing = new Set([...builtIn, ...known]);
  const namespaces = new Map(items.filter(isNamespace).map((item) => [item.name, item]));
  const exported = new Set(files.map(({ path }) => path));
  const secrets = items.filter(
    ({ kind, namespace, path = "", annotations }) =>
      kind === "Secret" && annotations.has(generatedBy) && exported.has(path) && !existing.has(namespace),
  );
  const created = new Set(secrets.map(({ namespace }) => namespace).filter((name) => namespaces.has(name)));
  const missing = secrets.filter(({ namespace }) => !created.has(namespace));
  const without = new Set(missing.map(({ path }) => path));
  const added = [...created].map((name) => ({
    path: namespacePath(name),
    text: manifestOf(namespaces.get(name) as Item),
  }));
  return {
    files: [...files.map((file) => (without.has(file.path) ? forLater(file) : file)), ...added],
    leftOut: missing.map(({ namespace, name }) => `${namespace}/${name}`),
    findings: missing.map(leavesOut),
  };
}

/**
 * The last lines of an export: what an installation from it lacks, or may lack. The findings say it, too, but far above the
 * list of files.
 */
export function lastLines(findings: readonly Finding[], leftOut: readonly string[]): string[] {
  const undecided = findings.flatMap(({ code, resource }) =>
    code === "feature-gate-unknown" && resource !== undefined ? [quoteWhole(resource.name)] : [],
  );
  const [secrets, requests] = [count(leftOut, "a Secret", "Secrets"), count(undecided, "a request", "requests")];
  return [
    ...(leftOut.length === 0
      ? []
      : [
          `In operators/, because nothing creates the namespace of ${secrets}: ${listed(leftOut.map(quoteWhole), maxNamed)}`,
        ]),
    ...(undecided.length === 0
      ? []
      : [
          `Unknown, because of feature gates: whether the release has ${requests}, and whether an installation lacks credentials: ${listed([...undecided].sort(compareText), maxNamed)}`,
        ]),
  ];
}

/** How many Secrets a line names. */
const maxNamed = 5;

function count(all: readonly string[], one: string, many: string): string {
  return all.length === 1 ? one : `${all.length} ${many}`;
}

/** Whether an object is a Namespace for the cluster. */
export function isNamespace(item: Item): boolean {
  return item.kind === "Namespace" && item.apiVersion === "v1" && isForCluster(item);
}

/** The file of a Namespace in an export. */
export function namespacePath(name: string): string {
  return `manifests/${name}-namespace.yaml`;
}

function forLater({ path, text }: ExportedFile): ExportedFile {
  return { path: laterPath(path), text };
}

function leavesOut(resource: Resource): Finding {
  const { namespace, path = "" } = resource;
  const message = `is exported to ${quoteWhole(laterPath(path))}, not to "manifests/": nothing in the export creates the namespace ${quoteWhole(namespace)}, and the installer would wait for it. To install both, add the Namespace to the package. Otherwise, create the namespace in the running cluster, and then apply the file.`;
  return finding("warning", "export-namespace-missing", message, { resource });
}
