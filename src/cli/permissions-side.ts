import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { awsRequestIdentity } from "../aws/request-identity.ts";
import { awsRoleIdentity } from "../aws/role-identity.ts";
import { azureRequestIdentity } from "../azure/request-identity.ts";
import type { Finding } from "../core/finding.ts";
import { generatedBy, isMap, type Resource, type Value, valueAt } from "../core/resource.ts";
import { compareText, quote } from "../core/text.ts";
import { gcpRequestIdentity } from "../gcp/request-identity.ts";
import type { CloudIdentity } from "../permissions/identity.ts";
import { isCredentialsRequest } from "../requests/credentials-request.ts";
import type { ReleaseRules } from "../requests/gates.ts";
import { selectRequests } from "../requests/select.ts";
import { UsageError } from "./errors.ts";
import { readPackage } from "./package-files.ts";

/** One side of a comparison, and what was said about it. */
export interface Side {
  readonly identities: readonly CloudIdentity[];
  readonly findings: readonly Finding[];
}

const clouds = [
  ["AWSProviderSpec", awsRequestIdentity],
  ["AzureProviderSpec", azureRequestIdentity],
  ["GCPProviderSpec", gcpRequestIdentity],
] as const;

/** The identities that requests ask for, of whatever cloud, as far as the rules let them count. */
export function requestedIdentities(items: readonly Resource[], rules: ReleaseRules): Side {
  const identities: CloudIdentity[] = [];
  const findings: Finding[] = [];
  for (const [kind, read] of clouds) {
    const { requests, findings: said } = selectRequests(items, rules, kind);
    identities.push(...requests.map(read));
    findings.push(...said.filter(({ code }) => code !== "skipped-other-cloud"));
  }
  return { identities, findings };
}

/** The identities whose roles were rendered: what their carriers hold. */
export function renderedIdentities(items: readonly Resource[]): CloudIdentity[] {
  return items.flatMap((item) => {
    if (item.kind !== "ConfigMap" || !item.annotations.has(generatedBy)) return [];
    const data = valueAt(item.value(), ["data"]);
    if (!isMap(data)) return [];
    return awsRoleIdentity((name) => parse(data[name]), Object.keys(data)) ?? [];
  });
}

function parse(text: Value | undefined): Value | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}

/** Reads one side: an export, a rendered package, or a directory of requests. */
export function readSide(path: string, rules: ReleaseRules): Side {
  const roles = exportedRoles(path);
  if (roles !== undefined) return { identities: roles, findings: [] };
  const { files } = readPackage(path);
  const items = files.flatMap((file) => file.items);
  const rendered = renderedIdentities(items);
  if (rendered.length > 0) return { identities: rendered, findings: [] };
  if (items.some(isCredentialsRequest)) return requestedIdentities(items, rules);
  throw new UsageError(`${quote(path)} holds neither CredentialsRequests nor a rendered package nor an export`);
}

// An export has its roles as directories of plain files.
function exportedRoles(path: string): CloudIdentity[] | undefined {
  if (statSync(join(path, "SHA256SUMS"), { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const roles = join(path, "aws", "roles");
  if (statSync(roles, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(roles, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .sort((a, b) => compareText(a.name, b.name))
    .flatMap(({ name }) => {
      const names = readdirSync(join(roles, name));
      const file = (one: string) =>
        names.includes(one) ? parse(readFileSync(join(roles, name, one), "utf8")) : undefined;
      return awsRoleIdentity(file, names) ?? [];
    });
}
