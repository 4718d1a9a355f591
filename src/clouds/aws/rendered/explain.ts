import type { JsonReading } from "../../../core/read-json.ts";
import { compareText } from "../../../core/text.ts";
import { type Clause, describeCondition } from "../../../permissions/condition.ts";
import type { Grant } from "../../../permissions/permissions.ts";
import { policyPermissions } from "../permissions/permissions.ts";
import { assumeAction } from "../tokens/trust-policy.ts";
import type { Provider, RenderedCluster, RenderedRole } from "./rendered.ts";

/** Whose tokens let somebody become a role: one statement of a trust policy, read. */
export interface Trust {
  readonly effect: "Allow" | "Deny";
  /** With `https://`; undefined where the statement names no provider. */
  readonly issuer: string | undefined;
  /** The subjects; none where the statement limits them by nothing that is known here. */
  readonly subjects: readonly string[];
  /** What the token must be for: what the statement says, else the provider's client IDs; undefined where nobody says it. */
  readonly audiences: readonly string[] | undefined;
  /** What else must hold, in words. */
  readonly conditions: readonly string[];
  /** The statement itself, where it has a form that is not known. */
  readonly unread?: string;
}

/** What a statement of a permissions policy says. */
export interface Permission {
  readonly effect: "Allow" | "Deny";
  /** Actions by service, sorted: `ec2` has `DescribeVolumes`. */
  readonly actions: readonly { readonly service: string; readonly names: readonly string[] }[];
  readonly resources: readonly string[];
  readonly conditions: readonly string[];
  readonly unread?: string;
}

/** An identity of the cluster, for whoever wants to know what it can do. */
export interface ExplainedIdentity {
  /** `<secret namespace>/<secret name>`. */
  readonly secret: string;
  readonly role: string;
  readonly permissionsBoundary: string | undefined;
  /** In seconds. */
  readonly maxSessionDuration: number | undefined;
  readonly trusts: readonly Trust[];
  readonly permissions: readonly Permission[];
  readonly managedPolicies: readonly string[];
}

/** Says of each role who may become it and what it may do, as its policies stand in their files. */
export function explain({ roles, providers }: RenderedCluster): ExplainedIdentity[] {
  return roles.map((role) => ({
    secret: role.key,
    role: role.arn,
    permissionsBoundary: role.permissionsBoundaryArn,
    maxSessionDuration: role.maxSessionDuration,
    trusts: trustsOf(role, providers),
    permissions: grantsOf(role.permissions).map(permission),
    managedPolicies: role.managedPolicyArns,
  }));
}

function grantsOf(document: JsonReading): readonly Grant[] {
  if ("value" in document) return policyPermissions(document.value);
  const open = { effect: "Allow", principals: [""], actions: ["*"], resources: ["*"], condition: [] } as const;
  return [{ ...open, undecided: `the document ${document.problem}` }];
}

function trustsOf({ trust }: RenderedRole, providers: readonly Provider[]): Trust[] {
  return grantsOf(trust).flatMap((grant) => grant.principals.map((principal) => trustOf(grant, principal, providers)));
}

const unread = (grant: Grant) => (grant.undecided === undefined ? {} : { unread: grant.undecided });

function trustOf(grant: Grant, principal: string, providers: readonly Provider[]): Trust {
  const url = /^Federated:arn:[a-z-]+:iam::\d+:oidc-provider\/(.+)$/.exec(principal)?.[1];
  const host = url?.toLowerCase() ?? "";
  const isEqual = ({ operator, key }: Clause, name: string) => operator === "StringEquals" && key === `${host}:${name}`;
  const named = (name: string) => grant.condition.find((clause) => isEqual(clause, name))?.values;
  const calls = grant.actions.some((action) => action.toLowerCase() !== assumeAction.toLowerCase());
  const rest = grant.condition.filter((clause) => !isEqual(clause, "sub") && !isEqual(clause, "aud"));
  return {
    effect: grant.effect,
    issuer: url === undefined ? undefined : `https://${url}`,
    subjects: named("sub") ?? [],
    audiences: named("aud") ?? providers.find((one) => one.url === url)?.clientIds,
    conditions: [
      ...(url === undefined && principal !== "" ? [`whoever asks is ${principal}`] : []),
      ...rest.map((clause) => describeCondition([clause])),
      ...(calls ? [`by ${[...grant.actions].join(", ")}`] : []),
    ],
    ...unread(grant),
  };
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
    ...unread(grant),
  };
}
