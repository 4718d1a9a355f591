import type { ValueMap } from "../../core/resource.ts";
import { allByKey } from "../../core/resource.ts";
import { capitalized, printable, withoutSecret } from "../../core/text.ts";
import { plural } from "../../core/words.ts";
import { wrapped } from "../../core/wrapped.ts";
import type { Statement } from "../../page/page.ts";
import { openReasons } from "../../page/services.ts";
import type { RenderedIdentity, Trust } from "../../permissions/identity.ts";
import { namedAction } from "../../permissions/permissions.ts";
import { type Reach, reachLine } from "../../permissions/reach.ts";
import { code, row } from "../terminal/table.ts";
import type { Escalations } from "./escalations.ts";
import { type Explained, type Permission, permissionsOf, statementsOf } from "./explained.ts";

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

function assignedId({ key = "" }: RenderedIdentity, { assigned }: Explained): string | undefined {
  return assigned?.ids.get(key);
}

/** The heading above the identities of workloads. */
const workloadsTitle = "Workloads";

const notAssigned = "not in the package yet";

/**
 * The identities for readers: for each, who can use it, what it allows, what limits it, and what it can reach beyond that. The tokens
 * that all of them accept are told once.
 *
 * @param width of a line, in columns.
 */
export function explainText(explained: Explained, width: number): string[] {
  const [components, workloads] = divided(explained.identities);
  const tokens = commonTokens(explained.identities);
  const linesOf = (some: readonly RenderedIdentity[]) =>
    some.flatMap((one) => ["", ...identityLines(one, explained, width, tokens)]);
  const first = tokens === undefined ? [] : ["", ...wrapped(safe(`All identities accept ${tokens}.`), width)];
  return [
    ...first,
    ...linesOf(components),
    ...(workloads.length > 0 ? ["", `${workloadsTitle}:`] : []),
    ...linesOf(workloads),
  ].slice(1);
}

/** The lines of an identity below its name, each with a label as in `kubectl describe`. */
function identityLines(
  identity: RenderedIdentity,
  explained: Explained,
  width: number,
  common: string | undefined,
): string[] {
  const { noun, assigned, escalations } = explained;
  const key = identity.key ?? "";
  const { boundary, maxSessionDuration, managedPolicies } = identity;
  const column = Math.max(minColumn, noun.length + 4, (assigned?.noun.length ?? 0) + 4);
  const labeled = (label: string, texts: readonly string[]) =>
    texts.flatMap((text, index) =>
      wrapped(safe(text), width, `  ${index === 0 ? `${label}:` : ""}`.padEnd(column), " ".repeat(column + 2)),
    );
  const statements = statementsOf(identity, explained);
  const who = (effect: Trust["effect"]) =>
    trustLines(
      identity.trusts.filter((one) => one.effect === effect),
      common,
    );
  const what = (effect: Statement["effect"]) =>
    statements.filter((one) => one.effect === effect).flatMap(statementLines);
  const limits = [
    ...(maxSessionDuration === undefined ? [] : [`session of at most ${maxSessionDuration} seconds`]),
    ...(explained.boundaries === undefined
      ? []
      : [boundary === undefined ? "no permissions boundary" : `permissions boundary ${boundary}`]),
  ];
  const { ways = [], unknown = [] } = escalations.get(key) ?? {};
  const open = openReasons({ managedPolicies, unknown });
  const reach = explained.reach.get(key);
  return [
    safe(key),
    ...labeled(capitalized(noun), [identity.id ?? ""]),
    ...(assigned === undefined
      ? []
      : labeled(capitalized(assigned.noun), [assignedId(identity, explained) ?? notAssigned])),
    ...labeled("Who", who("Allow")),
    ...labeled("Except", who("Deny")),
    ...labeled("Allows", [
      ...what("Allow"),
      ...managedPolicies.map((arn) => `whatever the managed policy ${arn} allows`),
    ]),
    ...labeled("Denies", what("Deny")),
    ...labeled("Limits", limits.length === 0 ? [] : [limits.join(", ")]),
    ...labeled("Escalation", [
      ...ways.map(({ code, message }) => `${code}: ${message}`),
      ...(ways.length > 0 ? [] : [open.length === 0 ? "none known" : `undecided: ${open.join("; ")}`]),
    ]),
    ...labeled("Reach", [reach === undefined ? "none known beyond the cluster" : reachLine(reach)]),
  ];
}

/** The width of the labels, in columns, unless the cloud has a longer one. */
const minColumn = 14;

function safe(text: string): string {
  return printable(withoutSecret(text));
}

/** The tokens that each identity accepts, if there are several identities and they accept the same; otherwise undefined. */
function commonTokens(identities: readonly RenderedIdentity[]): string | undefined {
  const all = new Set(
    identities.flatMap(({ trusts }) =>
      trusts.length === 0 ? [""] : trusts.map((trust) => (trust.effect === "Allow" ? tokensOf(trust) : "")),
    ),
  );
  const [only = ""] = all;
  return identities.length > 1 && all.size === 1 && only !== "" ? only : undefined;
}

/** "" if nothing is known about the tokens. */
function tokensOf({ issuer, audiences }: Pick<Trust, "issuer" | "audiences">): string {
  const parts = [
    ...(issuer === undefined ? [] : [`of ${issuer}`]),
    ...(audiences === undefined
      ? []
      : [audiences.length === 0 ? "for no audience" : `for the audience ${audiences.join(" or ")}`]),
  ];
  return parts.length === 0 ? "" : `tokens ${parts.join(" ")}`;
}

// Subjects that accept the same tokens in the same way share a line: a cloud may have one statement for each of them.
function trustLines(trusts: readonly Trust[], common: string | undefined): string[] {
  const groups = allByKey(trusts, ({ subjects, ...rest }) => JSON.stringify([subjects.length === 0, rest]));
  return [...groups.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const { conditions, unread, ...rest } = first;
    const subjects = some.flatMap((one) => one.subjects);
    const tokens = tokensOf(rest);
    return [
      subjects.length === 0 ? "any subject not excluded here" : subjects.map(accountName).join(", "),
      ...(tokens === "" || tokens === common ? [] : [`with ${tokens}`]),
      ...conditions.map((condition) => `when ${condition}`),
      ...(unread === undefined ? [] : [`cannot be read: ${unread}`]),
    ];
  });
}

// As kubectl names an object in a namespace. A wildcard, and any other subject, stays as the policy has it.
function accountName(subject: string): string {
  return subject.replace(/^system:serviceaccount:([a-z\d-]+):([a-z\d.-]+)$/, "$1/$2");
}

function statementLines({ actions, resources, conditions, unread }: Statement): string[] {
  const where = [
    ...(resources.length === 0 ? [] : [`on ${resources.join(", ")}`]),
    ...conditions.map((condition) => `when ${condition}`),
  ];
  return [
    ...actions.map(({ service, kind, names }) => `${heading(service, kind, names)}: ${names.join(", ")}`),
    ...(where.length === 0 ? [] : [where.join(", ")]),
    ...(unread === undefined ? [] : [`cannot be read: ${unread}`]),
  ];
}

// A role that belongs to no service is its own.
function heading(service: string, kind: string, names: readonly string[]): string {
  if (kind === "action") return service;
  const noun = names.length === 1 ? kind : plural(kind);
  return names.includes(service) ? noun : `${service} ${noun}`;
}

/** The identities of components and operators, and those of workloads. */
function divided(
  identities: readonly RenderedIdentity[],
): readonly [components: readonly RenderedIdentity[], workloads: readonly RenderedIdentity[]] {
  return [
    identities.filter(({ isOfWorkload }) => !isOfWorkload),
    identities.filter(({ isOfWorkload }) => isOfWorkload),
  ];
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

function escalationItems({ key = "", managedPolicies }: RenderedIdentity, { escalations }: Explained): string[] {
  const { ways = [], unknown = [] } = escalations.get(key) ?? {};
  if (ways.length > 0) return ways.map((one) => `- ${code(one.code)}: ${code(one.message)}`);
  const open = openReasons({ managedPolicies, unknown });
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
