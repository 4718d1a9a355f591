import { type Finding, finding, hasError } from "../../core/finding.ts";
import { isLabel, isSubdomain, type ValueMap } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import { writeContent } from "../../krm/stdio.ts";
import { emitYaml } from "../../yaml/emit.ts";
import type { FlagsOf } from "../definition.ts";
import { isFleet } from "../fleet/flags.ts";
import type { ExportedFile } from "../package/export-files.ts";
import { type Package, readPackage, requirePackage } from "../package/package-files.ts";
import { renderedFiles } from "../package/rendered-files.ts";
import { packageArguments } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { writeFindings, writeNotes } from "../terminal/output.ts";
import type { exportCommand as definition } from "./definition.ts";
import { missingCluster, notExported } from "./export-plan.ts";
import { installable, lastLines } from "./installable.ts";

type Values = FlagsOf<typeof definition>;

/** Flags that only concern files in a directory. */
const filesOnly = ["output-dir", "check", "replace", "import", "no-prevent-destroy", "admin-policies"] as const;

/**
 * `ccf export DIR --format manifests-configmap`: prints the ConfigMap, or the errors and nothing else. Exit code 0 for
 * success, 1 for failure.
 */
export function printConfigMap(values: Values, directories: readonly string[]): number {
  if (isFleet(directories, values))
    throw new UsageError("--format manifests-configmap is for one package; name only one directory");
  const wrong = filesOnly.find((flag) => values[flag] !== undefined && values[flag] !== false);
  if (wrong !== undefined) throw printsOnly(`--${wrong}`);
  if (values.output === "json") throw printsOnly("-o json");
  requireNames(values);
  const pkg = readPackage(directories[0] ?? ".");
  requirePackage(pkg, (below) => commandFor(below, values));
  const unrendered = { so: "nothing was printed", cure: "run the command again" };
  const { files: rendered, findings } = renderedFiles(pkg, values["only-ours"], unrendered);
  const { files, findings: withoutNamespace } = installable(pkg, rendered);
  const allFindings = [...findings.map(completeOnly), ...withoutNamespace, ...missingCluster(files)];
  const text = hasError(allFindings) ? [] : configMap(pkg, files, values);
  if (typeof text !== "string") {
    writeFindings([...allFindings, ...text]);
    return 1;
  }
  writeFindings([...allFindings, ...notExported(pkg, files)]);
  writeContent(text);
  writeNotes(
    2,
    lastLines(allFindings, []).map((line) => `${line}.`),
  );
  return 0;
}

function configMap(pkg: Package, files: readonly ExportedFile[], values: Values): string | readonly Finding[] {
  const manifests = installerManifests(files);
  if (manifests.size === 0)
    throw new UsageError(
      'the package contains no manifests for the installer; add "generate-cloud-credentials" to the pipeline of the Kptfile',
    );
  const { name = `${nameOfCluster(pkg)}-manifests`, namespace } = values;
  const made = manifestsConfigMap(manifests, { name, namespace });
  return typeof made === "string" ? made : [made];
}

function printsOnly(flag: string): UsageError {
  return new UsageError(`--format manifests-configmap prints one ConfigMap; do not combine it with ${flag}`);
}

// A component that has no Secret would never become available, and the installation would fail.
function completeOnly(found: Finding): Finding {
  return found.code === "client-id-unknown" ? { ...found, severity: "error" } : found;
}

function requireNames({ name, namespace }: Values): void {
  if (name !== undefined && !isSubdomain(name))
    throw new UsageError(
      `--name must be the name of a ConfigMap: lowercase letters, digits, "-" and ".", not ${quote(name)}`,
    );
  if (namespace !== undefined && !isLabel(namespace))
    throw new UsageError(
      `--namespace must be the name of a namespace: up to 63 lowercase letters, digits and "-", not ${quote(namespace)}`,
    );
}

function nameOfCluster({ files }: Package): string {
  const [name = "", ...others] = files.flatMap(({ items }) => items.filter(isClusterIdentity)).map((item) => item.name);
  if (others.every((other) => other === name)) return name;
  throw new UsageError("the package contains ClusterIdentities with different names; set --name");
}

function commandFor(directory: string, { "only-ours": onlyOurs, format, namespace }: Values): string {
  return [
    "ccf export",
    ...packageArguments(directory, onlyOurs),
    "--format",
    format,
    ...(namespace === undefined ? [] : ["--namespace", shellWord(namespace)]),
  ].join(" ");
}

/**
 * The sum of the values of a ConfigMap, in bytes (Kubernetes, "ConfigMaps": the data cannot exceed 1 MiB). The limit of
 * etcd, 1.5 MiB for a request, includes the keys and the metadata, and is further away.
 */
const maxDataBytes = 1024 * 1024;

const directory = "manifests/";

/** Name and namespace of a ConfigMap; without a namespace, the client that applies it selects one. */
export interface ConfigMapName {
  readonly name: string;
  readonly namespace: string | undefined;
}

/** The manifests of an export that the installer reads, as the data of a ConfigMap: text by file name, sorted. */
export function installerManifests(files: readonly ExportedFile[]): ReadonlyMap<string, string> {
  const manifests = files.filter(({ path }) => path.startsWith(directory));
  const entries = manifests.map(({ path, text }): [string, string] => [path.slice(directory.length), text]);
  return new Map(entries.sort(([a], [b]) => compareText(a, b)));
}

/**
 * A ConfigMap that Hive adds to the installer's manifests: it writes each key as a file of that name (Hive,
 * `ClusterDeployment`, `spec.provisioning.manifestsConfigMapRef`).
 */
export function manifestsConfigMap(
  manifests: ReadonlyMap<string, string>,
  { name, namespace }: ConfigMapName,
): string | Finding {
  const sizes = [...manifests].map(([file, text]) => ({ file, bytes: Buffer.byteLength(text) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > maxDataBytes) {
    const [largest] = sizes.sort((a, b) => b.bytes - a.bytes || compareText(a.file, b.file));
    const named = `${quoteWhole(largest?.file ?? "")} (${largest?.bytes} bytes)`;
    const message = `The manifests have ${total} bytes, but a ConfigMap holds at most ${maxDataBytes} (1 MiB). The largest is ${named}. Shorten its object in the package, then render and export again; or run "ccf export" without --format, and install without Hive.`;
    return finding("error", "manifests-too-large", message);
  }
  const metadata: ValueMap = namespace === undefined ? { name } : { name, namespace };
  // A document of a stream, so that the ConfigMaps of several clusters can be concatenated.
  return `---\n${emitYaml({ apiVersion: "v1", kind: "ConfigMap", metadata, data: Object.fromEntries(manifests) })}`;
}
