import type { Resource } from "../core/resource.ts";
import { secretTexts } from "../core/secret-texts.ts";
import { compareText } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { RoleDefinitions } from "../permissions/terms.ts";
import { isCredentialsRequest, providerSpecOf } from "../requests/credentials-request.ts";
import { rules } from "../rules/all.ts";
import type { Rule } from "../rules/rule.ts";
import { awsInspector } from "./aws/inspector.ts";
import { azureInspector } from "./azure/inspector.ts";
import { gcpInspector } from "./gcp/inspector.ts";
import type { Inspector } from "./inspector.ts";
import { bundlesAmong, type RenderedBundle, type RenderedCluster } from "./rendered.ts";

/** Every cloud, for commands and validators, sorted by name. */
export const inspectors: readonly Inspector[] = [awsInspector, azureInspector, gcpInspector];

/** The cloud of a cluster. */
export function inspectorFor({ platform }: Identity): Inspector {
  const inspector = inspectors.find(({ name }) => name === platform.name);
  if (inspector === undefined) throw new Error(`unknown platform: ${platform.name}`);
  return inspector;
}

/**
 * The clouds of objects without a ClusterIdentity: the cloud that was rendered for, then those of the requests, as far as
 * they are known. Empty if nothing is for a cloud.
 */
export function inspectorsAmong(items: readonly Resource[]): readonly Inspector[] {
  const kinds = new Set(items.filter(isCredentialsRequest).map((item) => providerSpecOf(item.value())?.["kind"]));
  const rendered = readRendered(bundlesAmong(items))?.inspector;
  const requested = inspectors.filter((inspector) => kinds.has(inspector.providerKind) && inspector !== rendered);
  return rendered === undefined ? requested : [rendered, ...requested];
}

/** The clouds whose components read such Secrets as there are among objects; every cloud if there are none. */
export function inspectorsOfSecrets(items: readonly Resource[]): readonly Inspector[] {
  const secrets = items.filter(({ kind, apiVersion }) => kind === "Secret" && apiVersion === "v1");
  const keys = new Set(secrets.flatMap((item) => [...secretTexts(item.value()).keys()]));
  const found = inspectors.filter(({ secret }) =>
    keys.has(secret.file === undefined ? secret.tokenKey : secret.file.key),
  );
  return found.length === 0 ? inspectors : found;
}

/** The rules for clusters of some clouds, sorted by code. */
export function rulesFor(...clouds: readonly Inspector[]): readonly Rule[] {
  return [...rules, ...clouds.flatMap((cloud) => cloud.rules)].sort((a, b) => compareText(a.code, b.code));
}

/**
 * Finds the definitions of a cloud's roles, by the title of the cloud.
 *
 * @param given definitions that take precedence over those that come with the program, by the title of the cloud.
 */
export function roleDefinitionsOf(
  given: ReadonlyMap<string, RoleDefinitions> = new Map(),
): (title: string) => RoleDefinitions | undefined {
  const known = new Map<string, RoleDefinitions | undefined>();
  return (title) => {
    const roles = inspectors.find((inspector) => inspector.title === title)?.features.roles;
    if (!known.has(title))
      known.set(title, roles === undefined ? undefined : new Map([...roles.known(), ...(given.get(title) ?? [])]));
    return known.get(title);
  };
}

/** Reads what was rendered for any cloud; undefined if nothing was. */
export function readRendered(
  bundles: readonly RenderedBundle[],
): { readonly inspector: Inspector; readonly cluster: RenderedCluster } | undefined {
  for (const inspector of inspectors) {
    const cluster = inspector.read(bundles.filter(({ directory }) => isBelow(directory, inspector.name)));
    if (cluster !== undefined) return { inspector, cluster };
  }
  return undefined;
}

// The directory is relative to a package or an export, or to a directory above it.
function isBelow(directory: string, cloud: string): boolean {
  return directory.split("/").includes(cloud);
}
