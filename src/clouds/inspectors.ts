import { compareText } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { rules } from "../rules/all.ts";
import type { Rule } from "../rules/rule.ts";
import { awsInspector } from "./aws/inspector.ts";
import { azureInspector } from "./azure/inspector.ts";
import { gcpInspector } from "./gcp/inspector.ts";
import type { Inspector } from "./inspector.ts";
import type { RenderedBundle, RenderedCluster } from "./rendered.ts";

/** Every cloud, for commands and validators, sorted by name. */
export const inspectors: readonly Inspector[] = [awsInspector, azureInspector, gcpInspector];

/** The cloud of a cluster; without a ClusterIdentity, AWS: the first cloud that anything is rendered for. */
export function inspectorFor(identity: Identity | undefined): Inspector {
  return inspectors.find(({ name }) => name === identity?.platform.name) ?? awsInspector;
}

/** The rules for clusters of some clouds, sorted by code. */
export function rulesFor(...clouds: readonly Inspector[]): readonly Rule[] {
  return [...rules, ...clouds.flatMap((cloud) => cloud.rules)].sort((a, b) => compareText(a.code, b.code));
}

/** Reads what was rendered for any cloud; undefined if nothing was. */
export function readRendered(
  bundles: readonly RenderedBundle[],
): { readonly inspector: Inspector; readonly cluster: RenderedCluster } | undefined {
  for (const inspector of inspectors) {
    const cluster = inspector.read?.(bundles);
    if (cluster !== undefined) return { inspector, cluster };
  }
  return undefined;
}
