import { allByKey } from "../../core/resource.ts";
import { capitalized, printable, withoutSecret } from "../../core/text.ts";
import { plural } from "../../core/words.ts";
import { wrapped } from "../../core/wrapped.ts";
import type { Statement } from "../../page/page.ts";
import type { RenderedIdentity, Trust } from "../../permissions/identity.ts";
import { reachLine } from "../../permissions/reach.ts";
import {
  assignedId,
  divided,
  type Explained,
  escalationOf,
  notAssigned,
  statementsOf,
  workloadsTitle,
} from "./explained.ts";

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
  const { noun, assigned } = explained;
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
  const { ways, open } = escalationOf(identity, explained);
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
