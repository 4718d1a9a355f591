import { cloudOfPath, clouds } from "../../clouds/index.ts";
import { applierIn } from "../../clouds/rendered.ts";
import { type TerraformOptions, terraformFiles } from "../../clouds/terraform-files.ts";
import { terraformMappings } from "../../clouds/terraform-mappings.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { alternatives } from "../../core/words.ts";
import type { ExportedFile } from "../package/export-files.ts";

/** Adds the module for Terraform to the files of an export. */
export function withTerraform(
  files: readonly ExportedFile[],
  options: TerraformOptions,
): { files: readonly ExportedFile[]; findings: readonly Finding[] } {
  const [cloud] = files.flatMap(({ path }) => cloudOfPath(path) ?? []);
  const mapping = terraformMappings[cloud?.name ?? ""];
  if (mapping === undefined) {
    const supported = clouds.filter(({ name }) => terraformMappings[name] !== undefined).map(({ title }) => title);
    const found = cloud === undefined ? "contains nothing for a cloud" : `is for ${cloud.title}`;
    const message = `"--format terraform" requires a package for ${alternatives(supported)}, but this package ${found}. Export without "--format terraform".`;
    return { files, findings: [finding("error", "terraform-unsupported", message)] };
  }
  const byPath = new Map(files.map(({ path, text }) => [path, text]));
  const made = terraformFiles(mapping(byPath), options);
  const added = [...made.files].map(([path, text]) => ({ path, text }));
  return { files: [...files, ...added], findings: [...made.findings, ...otherApplier(applierIn(byPath))] };
}

function otherApplier(applier: string): Finding[] {
  if (applier === "Terraform") return [];
  const message =
    '"spec.applier" is "Ccf", so "ccf apply" and Terraform would undo each other\'s changes. Set "spec.applier: Terraform", and render.';
  return [finding("warning", "applier-differs", message)];
}
