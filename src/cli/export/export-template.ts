import { cloudOfPath } from "../../clouds/index.ts";
import type { Template } from "../../clouds/inspector.ts";
import { inspectors } from "../../clouds/inspectors.ts";
import { type Finding, finding } from "../../core/finding.ts";
import type { ExportedFile } from "./export-files.ts";

/**
 * Adds the template for the cloud's own deployment service to the files of an export. If the cloud of the package has none,
 * that is an error.
 *
 * @param flag the flag that asks for the template.
 */
export function withTemplate(
  files: readonly ExportedFile[],
  flag: string,
): { files: readonly ExportedFile[]; template: Template | undefined; findings: readonly Finding[] } {
  const [cloud] = files.flatMap(({ path }) => cloudOfPath(path) ?? []);
  const inspector = inspectors.find(({ name }) => name === cloud?.name);
  const template = inspector?.features.template?.(new Map(files.map(({ path, text }) => [path, text])));
  if (template !== undefined) {
    const { path, text, findings } = template;
    return { files: [...files, { path, text, mode: 0o644 }], template, findings };
  }
  const supported = inspectors.filter((other) => other.features.template !== undefined).map(({ title }) => title);
  const found = cloud === undefined ? "contains nothing for a cloud" : `is for ${cloud.title}`;
  const message = `"${flag}" requires a package for ${supported.join(" or ")}, but this package ${found}. Export without "${flag}".`;
  return { files, template, findings: [finding("error", "template-unsupported", message)] };
}
