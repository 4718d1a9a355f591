import { compareText } from "../../core/text.ts";
import { describeCondition } from "../../permissions/condition.ts";
import type { RenderedIdentity } from "../../permissions/identity.ts";
import type { Grant } from "../../permissions/permissions.ts";

/** A statement of a permissions policy. */
export interface Permission {
  readonly effect: "Allow" | "Deny";
  /** Actions by service, sorted: `ec2` has `DescribeVolumes`. */
  readonly actions: readonly { readonly service: string; readonly names: readonly string[] }[];
  readonly resources: readonly string[];
  readonly conditions: readonly string[];
  readonly unread?: string;
}

/** The permissions of a rendered identity, statement by statement. */
export function permissionsOf({ permissions }: RenderedIdentity): Permission[] {
  return permissions.map(permission);
}

function permission(grant: Grant): Permission {
  const services = new Map<string, string[]>();
  for (const action of grant.actions) {
    const [service = "", ...name] = action.split(":");
    const known = name.length === 0 ? "" : service;
    services.set(known, [...(services.get(known) ?? []), name.length === 0 ? service : name.join(":")]);
  }
  const sorted = [...services].sort(([a], [b]) => compareText(a, b));
  return {
    effect: grant.effect,
    actions: sorted.map(([service, names]) => ({ service, names: [...new Set(names)].sort(compareText) })),
    resources: grant.resources,
    conditions: grant.condition.map((clause) => describeCondition([clause])),
    ...(grant.undecided === undefined ? {} : { unread: grant.undecided }),
  };
}
