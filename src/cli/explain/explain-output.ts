import type { ValueMap } from "../../core/resource.ts";
import { printable, withoutSecret } from "../../core/text.ts";
import type { RenderedIdentity, Trust } from "../../permissions/identity.ts";
import { type Permission, permissionsOf } from "./explained.ts";

/** The identities for a program; schemas/explain.schema.json describes them. */
export function explainJson(identities: readonly RenderedIdentity[]): ValueMap {
  const values = {
    identities: identities.map((one) => ({
      secret: one.key ?? "",
      role: one.id ?? "",
      permissionsBoundary: one.boundary ?? null,
      maxSessionDuration: one.maxSessionDuration ?? null,
      trusts: one.trusts.map(({ issuer, audiences, ...rest }) => ({
        ...rest,
        issuer: issuer ?? null,
        audiences: audiences ?? null,
      })),
      permissions: permissionsOf(one).map((each) => ({
        ...each,
        actions: each.actions.map((action) => ({ ...action })),
      })),
      managedPolicies: one.managedPolicies,
    })),
  };
  return JSON.parse(JSON.stringify(values), (_, one) => (typeof one === "string" ? withoutSecret(one) : one));
}

/** The identities for people, in plain lines. */
export function explainText(identities: readonly RenderedIdentity[]): string[] {
  return identities.flatMap((one, place) => [
    ...(place === 0 ? [] : [""]),
    printable(withoutSecret(one.key ?? "")),
    field("role", one.id ?? ""),
    field("boundary", one.boundary ?? "none"),
    ...(one.maxSessionDuration === undefined ? [] : [field("session", `at most ${one.maxSessionDuration} s`)]),
    ...one.trusts.flatMap((trust) => labelled(trust.effect === "Deny" ? "not for" : "for", trustLines(trust))),
    ...permissionsOf(one).flatMap((each) =>
      labelled(each.effect === "Deny" ? "may not" : "may", permissionLines(each)),
    ),
    ...one.managedPolicies.map((arn) => field("may, by", `the managed policy ${arn}`)),
  ]);
}

const width = 10;

function field(label: string, text: string): string {
  return `  ${label.padEnd(width)}${printable(withoutSecret(text))}`;
}

function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((text, place) => field(place === 0 ? label : "", text));
}

function trustLines({ subjects, issuer, audiences, conditions, unread }: Trust): string[] {
  const who = subjects.length === 0 ? ["anybody whom this does not exclude"] : subjects;
  return [
    ...who,
    ...(issuer === undefined ? [] : [`by tokens of ${issuer}`]),
    ...(audiences === undefined
      ? []
      : [`for the audience ${audiences.length === 0 ? "of nobody" : audiences.join(" or ")}`]),
    ...conditions.map((one) => `when ${one}`),
    ...(unread === undefined ? [] : [`cannot be read: ${unread}`]),
  ];
}

function permissionLines({ actions, resources, conditions, unread }: Permission): string[] {
  return [
    ...actions.map(({ service, names }) => (service === "" ? names.join(", ") : `${service}: ${names.join(", ")}`)),
    ...resources.map((one) => `on ${one}`),
    ...conditions.map((one) => `when ${one}`),
    ...(unread === undefined ? [] : [`cannot be read: ${unread}`]),
  ];
}

/** The identities as a page: a section for each. */
export function explainMarkdown(identities: readonly RenderedIdentity[]): string[] {
  return ["# Identities", ...identities.flatMap((one) => ["", ...section(one)])];
}

function section(one: RenderedIdentity): string[] {
  const session = one.maxSessionDuration === undefined ? [] : [`- Session: at most ${one.maxSessionDuration} s`];
  return [
    `## ${code(one.key ?? "")}`,
    "",
    `- Role: ${code(one.id ?? "")}`,
    `- Permissions boundary: ${one.boundary === undefined ? "none" : code(one.boundary)}`,
    ...session,
    "",
    "### Who may become it",
    "",
    "| effect | subject | issuer | audience | when |",
    "| --- | --- | --- | --- | --- |",
    ...one.trusts.map(trustRow),
    "",
    "### What it may do",
    "",
    "| effect | actions | on | when |",
    "| --- | --- | --- | --- |",
    ...permissionsOf(one).map(permissionRow),
    ...one.managedPolicies.map((arn) => row(["Allow", `the managed policy ${code(arn)}`, "", ""])),
  ];
}

function trustRow({ effect, subjects, issuer, audiences, conditions, unread }: Trust): string {
  const who = subjects.length === 0 ? "anybody whom this does not exclude" : codes(subjects);
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

// A text as code that no character of it gets out of: a fence is longer than any run of backticks in it.
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${fence}${space}${printable(withoutSecret(text)).replaceAll("|", "\\|")}${space}${fence}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
