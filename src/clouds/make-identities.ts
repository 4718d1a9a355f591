import { type Finding, finding } from "../core/finding.ts";
import { describe, type Resource, refOf } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { baseNameOf } from "../requests/base-name.ts";
import type { SelectedRequest } from "../requests/select.ts";
import { unmatchedOverrides } from "../requests/unmatched-overrides.ts";
import type { ComponentIdentity, Scope } from "./cloud.ts";

/** What one cloud makes of the requests of a scope, one after the other. */
export interface Maker {
  /** The path of an identity's bundle ConfigMap. */
  bundlePath(baseName: string): string;
  /** The identity of a request of the function at hand; undefined where a finding says why there is none. */
  make(request: SelectedRequest): {
    readonly made: ComponentIdentity | undefined;
    readonly findings: readonly Finding[];
  };
  /** What is wrong where another function makes this request's identity: of that, only the names count. */
  reserve(request: SelectedRequest): readonly Finding[];
}

/** Makes the identities of a scope: without those that an override skips, and no two of them with one file. */
export function makeIdentities(
  { overrides, resource }: Identity,
  { selected, isOwn }: Scope,
  maker: Maker,
): { made: readonly ComponentIdentity[]; findings: readonly Finding[] } {
  const made: ComponentIdentity[] = [];
  const findings = unmatchedOverrides(resource, "spec.overrides", overrides, selected);
  const files: Files = new Map();
  for (const request of selected) {
    const own = isOwn(request);
    if (overrides[request.secretKey ?? ""]?.skip === true) {
      const message = "was left out: the config's override says so.";
      if (own) findings.push(finding("info", "skipped-override", message, { resource: request.resource }));
      continue;
    }
    const result = own ? maker.make(request) : { made: undefined, findings: maker.reserve(request) };
    findings.push(...result.findings);
    if (result.made !== undefined) made.push(result.made);
    if (own ? result.made !== undefined : request.secretKey !== undefined)
      findings.push(...fileCollision(request, own, files, maker));
  }
  return { made, findings };
}

type Files = Map<string, { readonly resource: Resource; readonly own: boolean }>;

// Two files of one function are told apart where its objects come together.
function fileCollision(
  { resource, secretKey = "" }: SelectedRequest,
  own: boolean,
  files: Files,
  { bundlePath }: Maker,
): Finding[] {
  const name = baseNameOf(secretKey);
  const other = files.get(name);
  files.set(name, { resource, own });
  if (other === undefined || other.own === own) return [];
  const message = `${describe(refOf(other.resource))} and ${describe(refOf(resource))} both make the file ${quote(bundlePath(name))}; rename one of their Secrets.`;
  return [finding("error", "path-collision", message, { resource })];
}
