import type { ValueMap } from "../../core/resource.ts";
import { printable, withoutSecret } from "../../core/text.ts";
import type { RenderedIdentity, Trust } from "../../permissions/identity.ts";
import { type Permission, permissionsOf } from "./explained.ts";

/** The identities for a program; schemas/explain.schema.json describes them. */
export function explainJson(identities: readonly RenderedIdentity[]): ValueMap {
  const values = {
    identities: identities.map((identity) => ({
      secret: identity.key ?? "",
      role: identity.id ?? "",
      permissionsBoundary: identity.boundary ?? null,
      maxSessionDuration: identity.maxSessionDuration ?? null,
      trusts: identity.trusts.map(({ issuer, audiences, ...rest }) => ({
        ...rest,
        issuer: issuer ?? null,
        audiences: audiences ?? null,
      })),
      permissions: permissionsOf(identity).map((each) => ({
        ...each,
        actions: each.actions.map((action) => ({ ...action })),
      })),
      managedPolicies: identity.managedPolicies,
    })),
  };
  return JSON.parse(JSON.stringify(values), (_, value) => (typeof value === "string" ? withoutSecret(value) : value));
}

/** The identities as plain text for readers. */
export function explainText(identities: readonly RenderedIdentity[]): string[] {
  return identities.flatMap((identity, index) => [
    ...(index === 0 ? [] : [""]),
    printable(withoutSecret(identity.key ?? "")),
    field("role", identity.id ?? ""),
    field("boundary", identity.boundary ?? "none"),
    ...(identity.maxSessionDuration === undefined
      ? []
      : [field("session", `at most ${identity.maxSessionDuration} s`)]),
    ...identity.trusts.flatMap((trust) => labeled(trust.effect === "Deny" ? "not for" : "for", trustLines(trust))),
    ...permissionsOf(identity).flatMap((each) =>
      labeled(each.effect === "Deny" ? "may not" : "may", permissionLines(each)),
    ),
    ...identity.managedPolicies.map((arn) => field("may, by", `the managed policy ${arn}`)),
  ]);
}

const width = 10;

function field(label: string, text: string): string {
  return `  ${label.padEnd(width)}${printable(withoutSecret(text))}`;
}

function labeled(label: string, lines: readonly string[]): string[] {
  return lines.map((text, index) => field(index === 0 ? label : "", text));
}

function trustLines({ subjects, issuer, audiences, conditions, unread }: Trust): string[] {
  const who = subjects.length === 0 ? ["any subject not excluded here"] : subjects;
  return [
    ...who,
    ...(issuer === undefined ? [] : [`by tokens of ${issuer}`]),
    ...(audiences === undefined
      ? []
      : [audiences.length === 0 ? "for no audience" : `for the audience ${audiences.join(" or ")}`]),
    ...conditions.map((condition) => `when ${condition}`),
    ...(unread === undefined ? [] : [`cannot be read: ${unread}`]),
  ];
}

function permissionLines({ actions, resources, conditions, unread }: Permission): string[] {
  return [
    ...actions.map(({ service, names }) => (service === "" ? names.join(", ") : `${service}: ${names.join(", ")}`)),
    ...resources.map((resource) => `on ${resource}`),
    ...conditions.map((condition) => `when ${condition}`),
    ...(unread === undefined ? [] : [`cannot be read: ${unread}`]),
  ];
}

/** The identities as a page: a section for each. */
export function explainMarkdown(identities: readonly RenderedIdentity[]): string[] {
  return ["# Identities", ...identities.flatMap((identity) => ["", ...section(identity)])];
}

function section(renderedIdentity: RenderedIdentity): string[] {
  const session =
    renderedIdentity.maxSessionDuration === undefined
      ? []
      : [`- Session: at most ${renderedIdentity.maxSessionDuration} s`];
  return [
    `## ${code(renderedIdentity.key ?? "")}`,
    "",
    `- Role: ${code(renderedIdentity.id ?? "")}`,
    `- Permissions boundary: ${renderedIdentity.boundary === undefined ? "none" : code(renderedIdentity.boundary)}`,
    ...session,
    "",
    "### Who can assume it",
    "",
    "| effect | subject | issuer | audience | when |",
    "| --- | --- | --- | --- | --- |",
    ...renderedIdentity.trusts.map(trustRow),
    "",
    "### What it allows",
    "",
    "| effect | actions | on | when |",
    "| --- | --- | --- | --- |",
    ...permissionsOf(renderedIdentity).map(permissionRow),
    ...renderedIdentity.managedPolicies.map((arn) => row(["Allow", `the managed policy ${code(arn)}`, "", ""])),
  ];
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
    names.map((name) => (service === "" ? name : `${service}:${name}`)),
  );
  return row([effect, codes(all), codes(resources), when(conditions, unread)]);
}

function when(conditions: readonly string[], unread: string | undefined): string {
  return [codes(conditions), ...(unread === undefined ? [] : [`cannot be read: ${code(unread)}`])]
    .filter(Boolean)
    .join("<br>");
}

function codes(texts: readonly string[]): string {
  return texts.map(code).join("<br>");
}

// Marks a text as code that cannot be closed early: the fence is longer than any run of backticks in the text.
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${fence}${space}${printable(withoutSecret(text)).replaceAll("|", "\\|")}${space}${fence}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
