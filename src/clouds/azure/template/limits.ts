import { type Finding, finding } from "../../../core/finding.ts";
import { compactJson } from "../../../core/json.ts";
import { quoteWhole } from "../../../core/text.ts";
import type { NestedDeployment } from "./nested-deployment.ts";

/** Limits of Azure Resource Manager (Azure documentation, "Azure subscription and service limits", "Template limits"). */
export const limits = { resources: 800, templateBytes: 4_000_000, resourceBytes: 1_000_000 } as const;

/** Reports a template that Azure Resource Manager would refuse because of its size. */
export function limitFindings(text: string, deployments: readonly NestedDeployment[]): Finding[] {
  return [
    ...exceeded("has", deployments.length, "nested deployments", limits.resources),
    ...exceeded("has", Buffer.byteLength(text), "bytes", limits.templateBytes),
    ...deployments.flatMap(({ name, resources, resource }) => [
      ...exceeded(
        `has, in the nested deployment ${quoteWhole(name)},`,
        resources.length,
        "resources",
        limits.resources,
      ),
      ...exceeded(
        `has, in the nested deployment ${quoteWhole(name)},`,
        Buffer.byteLength(compactJson(resource)),
        "bytes",
        limits.resourceBytes,
      ),
    ]),
  ];
}

function exceeded(has: string, count: number, noun: string, max: number): Finding[] {
  if (count <= max) return [];
  const message = `The ARM template ${has} ${count} ${noun}, but Azure Resource Manager allows at most ${max}. Export without "--arm-template", and apply the package with "ccf apply".`;
  return [finding("error", "template-too-large", message)];
}
