import { type Finding, finding } from "../../core/finding.ts";
import type { ValueMap } from "../../core/resource.ts";
import { compareText, quoteWhole } from "../../core/text.ts";
import { emitYaml } from "../../yaml/emit.ts";
import type { ExportedFile } from "./export-files.ts";

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
