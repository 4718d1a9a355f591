import type { ValueMap } from "../../core/resource.ts";
import { capitalized, withoutSecret } from "../../core/text.ts";
import type { RenderedIdentity, Trust } from "../../permissions/identity.ts";
import { namedAction } from "../../permissions/permissions.ts";
import type { Reach } from "../../permissions/reach.ts";
import { code, row } from "../terminal/table.ts";
import type { Escalations } from "./escalations.ts";
import {
  assignedId,
  divided,
  type Explained,
  escalationOf,
  notAssigned,
  type Permission,
  permissionsOf,
  workloadsTitle,
} from "./explained.ts";

/** The identities for a program; schemas/explain.schema.json describes them. */
export function explainJson(explained: Explained): ValueMap {
  const values = {
    identities: explained.identities.map((identity) => ({
      secret: identity.key ?? "",
      ...(identity.isOfWorkload ? { workload: true } : {}),
      kind: explained.noun,
      id: identity.id ?? "",
      ...(explained.assigned === undefined ? {} : { assignedId: assignedId(identity, explained) ?? null }),
      permissionsBoundary: identity.boundary ?? null,
      maxSessionDuration: identity.maxSessionDuration ?? null,
      trusts: identity.trusts.map(({ issuer, audiences, ...rest }) => ({
        ...rest,
        issuer: issuer ?? null,
        audiences: audiences ?? null,
      })),
      permissions: permissionsOf(identity, explained).map((each) => ({
        ...each,
        actions: each.actions.map((action) => ({ ...action })),
      })),
      managedPolicies: identity.managedPolicies,
      reach: reachJson(explained.reach.get(identity.key ?? "")),
      escalation: escalationJson(explained.escalations.get(identity.key ?? "")),
    })),
  };
  return JSON.parse(JSON.stringify(values), (_, value) => (typeof value === "string" ? withoutSecret(value) : value));
}

// The identity is already named, and the lists say what it may change.
function reachJson(reach: Reach | undefined): Omit<Reach, "identity" | "secret" | "mayChange"> | null {
  if (reach === undefined) return null;
  const { identity: _, secret: __, mayChange: ___, ...rest } = reach;
  return rest;
}

function escalationJson({ ways, unknown }: Escalations = { ways: [], unknown: [] }): ValueMap {
  return {
    ways: ways.map(({ code, message, isUndecided }) => ({
      ...{ code, message },
      ...(isUndecided === true ? { undecided: true } : {}),
    })),
    unknown: [...unknown],
  };
}

/** The identities as a page: a section for each. @param directory among others, the directory that they are in. */
export function explainMarkdown(explained: Explained, directory?: string): string[] {
  const title = directory === undefined ? "# Identities" : `# Identities of ${code(directory)}`;
  const [components, workloads] = divided(explained.identities);
  const sections = (some: readonly RenderedIdentity[]) => some.flatMap((one) => ["", ...section(one, explained)]);
  return [
    title,
    ...sections(components),
    ...(workloads.length > 0 ? ["", `# ${workloadsTitle}`] : []),
    ...sections(workloads),
  ];
}

function section(renderedIdentity: RenderedIdentity, explained: Explained): string[] {
  const { noun, boundaries, assigned } = explained;
  const id = assignedId(renderedIdentity, explained);
  const boundary = renderedIdentity.boundary === undefined ? "none" : code(renderedIdentity.boundary);
  const session =
    renderedIdentity.maxSessionDuration === undefined
      ? []
      : [`- Session: at most ${renderedIdentity.maxSessionDuration} s`];
  return [
    `## ${code(renderedIdentity.key ?? "")}`,
    "",
    `- ${capitalized(noun)}: ${code(renderedIdentity.id ?? "")}`,
    ...(assigned === undefined
      ? []
      : [`- ${capitalized(assigned.noun)}: ${id === undefined ? notAssigned : code(id)}`]),
    ...(boundaries !== undefined ? [`- ${boundaries.term}: ${boundary}`] : []),
    ...session,
    "",
    "### Who can use it",
    "",
    "| effect | subject | issuer | audience | when |",
    "| --- | --- | --- | --- | --- |",
    ...renderedIdentity.trusts.map(trustRow),
    "",
    "### What it allows",
    "",
    "| effect | actions | on | when |",
    "| --- | --- | --- | --- |",
    ...permissionsOf(renderedIdentity, explained).map(permissionRow),
    ...renderedIdentity.managedPolicies.map((arn) => row(["Allow", `the managed policy ${code(arn)}`, "", ""])),
    "",
    "### Ways of escalation",
    "",
    ...escalationItems(renderedIdentity, explained),
  ];
}

function escalationItems(identity: RenderedIdentity, explained: Explained): string[] {
  const { ways, open } = escalationOf(identity, explained);
  if (ways.length > 0) return ways.map((one) => `- ${code(one.code)}: ${code(one.message)}`);
  return [open.length === 0 ? "None known." : `Undecided: ${code(open.join("; "))}.`];
}

function trustRow({ effect, subjects, issuer, audiences, conditions, unread }: Trust): string {
  const who = subjects.length === 0 ? "any subject not excluded here" : codes(subjects);
  return row([
    effect,
    who,
    codes(issuer === undefined ? [] : [issuer]),
    codes(audiences ?? []),
    when(conditions, unread),
  ]);
}

function permissionRow({ effect, actions, resources, conditions, unread }: Permission): string {
  const all = actions.flatMap(({ service, names }) =>
    names.map((name) => (service === "" || isNamed(service) ? name : `${service}:${name}`)),
  );
  return row([effect, codes(all), codes(resources), when(conditions, unread)]);
}

// The name of a role or a permission says by itself what it is.
function isNamed(kind: string): boolean {
  return namedAction(`${kind} `) !== undefined;
}

function when(conditions: readonly string[], unread: string | undefined): string {
  return [codes(conditions), ...(unread === undefined ? [] : [`cannot be read: ${code(unread)}`])]
    .filter(Boolean)
    .join("<br>");
}

function codes(texts: readonly string[]): string {
  return texts.map(code).join("<br>");
}
