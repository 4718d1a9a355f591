import { posix } from "node:path";
import { cloudOfPath, clouds } from "../../clouds/index.ts";
import { inspectors } from "../../clouds/inspectors.ts";
import { clusterFile } from "../../clouds/rendered.ts";
import { generatedBy, type ValueMap, valueAt } from "../../core/resource.ts";
import type { Item } from "../../krm/item.ts";
import { authenticationPath } from "../../openshift/authentication.ts";
import { isConfigObject } from "../../openshift/config-object.ts";
import { documents } from "../../yaml/source.ts";
import { manifestOf } from "../render/manifests.ts";
import type { GeneratedFile, Plan } from "../render/render-plan.ts";

/** A file that an export makes: everything in it was computed, nothing was taken from Git unchecked. */
export interface ExportedFile {
  /** Relative to the export's directory, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/**
 * The plain files of a rendered package: those that its bundles hold, what follows from them, the scripts, and the
 * manifests that the installer takes.
 */
export function exportFiles({ generated, kept }: Pick<Plan, "generated" | "kept">): ExportedFile[] {
  const bundled = generated.filter(isBundle).flatMap(carried);
  const files = new Map(bundled.map(({ path, text }) => [path, text]));
  const own = new Set(bundled.map(({ path }) => cloudOfPath(path)?.name));
  const beside = inspectors.flatMap((inspector) =>
    own.has(inspector.name) ? [...(inspector.derivedFiles?.(files) ?? [])] : [],
  );
  return [
    ...bundled,
    ...beside.map(([path, text]) => exported({ path, text })),
    ...generated
      .filter((file) => !isBundle(file))
      .map((file) => exported({ path: manifestPath(file), text: file.text })),
    ...kept
      .filter((item) => isConfigObject(item, "Authentication"))
      // The installer reads this name and no other.
      .map((item) => exported({ path: authenticationPath, text: textOf(item) })),
  ];
}

// An operator's namespace is not there yet when a cluster is installed, and the installer waits for every manifest.
function manifestPath({ path, object }: GeneratedFile): string {
  const maker = valueAt(object, ["metadata", "annotations", generatedBy]);
  const isOperators = typeof maker === "string" && maker.startsWith("configure-operators/");
  return isOperators ? path.replace(/^manifests\//, "operators/") : path;
}

function isBundle({ object }: GeneratedFile): boolean {
  return object["kind"] === "ConfigMap";
}

// What is the whole cluster's goes beside the directories of its parts.
function carried({ path, object }: GeneratedFile): ExportedFile[] {
  const data = object["data"] as ValueMap;
  const directory = Object.hasOwn(data, clusterFile) ? posix.dirname(path) : path.replace(/\.yaml$/, "");
  return Object.entries(data).map(([key, text]) => {
    if (!isFileName(key) || typeof text !== "string") throw new Error(`${path} carries what is no file: ${key}`);
    return exported({ path: `${directory}/${key}`, text });
  });
}

function exported({ path, text }: { path: string; text: string }): ExportedFile {
  if (!isExportPath(path)) throw new Error(`no export may hold the file ${path}`);
  return { path, text, mode: isCommand(path) ? 0o755 : 0o644 };
}

// What the scripts read does nothing by itself.
function isCommand(path: string): boolean {
  return path.endsWith(".sh") && !posix.basename(path).startsWith("lib-");
}

function isFileName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(name);
}

/** The directories that an export is made of. */
export const exportTops = [...clouds.map(({ name }) => name), "manifests", "operators"];

/** Says whether a path is one that an export can have: no step of it leads up, is hidden, or needs a quote anywhere. */
export function isExportPath(path: string): boolean {
  const [top = "", ...below] = path.split("/");
  return exportTops.includes(top) && below.length > 0 && below.every(isFileName);
}

// A file with this object alone keeps every byte; of several, the object's own lines are taken.
function textOf(item: Item): string {
  if (documents(item.source).length === 1) return item.source.text;
  return manifestOf(item);
}
