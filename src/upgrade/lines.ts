import { printable } from "../core/text.ts";
import { namedAction } from "../permissions/named-action.ts";
import type { ActionChange, Extent, Part } from "./action-changes.ts";
import type { ChangedRole, IdentityReport, UsedDefinition } from "./report.ts";

/** The changes of an identity, one a line: "+" is more, "-" is less, "~" is moved. Text from the input is made printable. */
export function changeLines(report: IdentityReport): string[] {
  const { actions, denials, limits, serviceAccounts, trust, boundary, tokenPath, email, audience, movedSecret } =
    report;
  return [
    ...(movedSecret === undefined
      ? []
      : [report.change === "new" ? `~ its Secret was ${movedSecret}` : `~ its Secret is now ${movedSecret}`]),
    ...serviceAccounts.removed.map((account) => `- ${account} can use it`),
    ...serviceAccounts.added.map((account) => `+ ${account} can use it`),
    ...trust.removed.map((way) => `- ${way}`),
    ...trust.added.map((way) => `+ ${way}`),
    ...(boundary === undefined ? [] : [`~ boundary: ${boundary.old || "none"} -> ${boundary.new || "none"}`]),
    ...(tokenPath === undefined
      ? []
      : [`~ token: ${tokenPath.old || "the cluster's default"} -> ${tokenPath.new || "the cluster's default"}`]),
    ...(email === undefined ? [] : [`~ service account: ${email.old} -> ${email.new}`]),
    ...(audience === undefined ? [] : [`~ audience: ${audience.old} -> ${audience.new}`]),
    ...actions.flatMap((change) => (isInRole(change) ? [] : actionLines(change, allowances))),
    ...roleLines(report),
    ...denials.flatMap((change) => actionLines(change, effective)),
    ...limits.flatMap((change) => actionLines(change, limiting)),
  ].map(printable);
}

// A role has a line for all of its permissions. An undecided role is an action.
function isInRole({ roles = [] }: ActionChange): boolean {
  return roles.length > 0;
}

function roleLines({ actions, roles }: IdentityReport): string[] {
  if (roles === undefined) return [];
  const { added, removed, fromRoles, intoRoles } = roles;
  const known = (all: readonly ChangedRole[]) => all.filter(({ permissions }) => permissions !== null);
  return [
    ...known(removed).map((role) => roleLine(role, "-", "removed", "NEW", actions)),
    ...known(added).map((role) => roleLine(role, "+", "added", "OLD", actions)),
    ...(intoRoles.length === 0 ? [] : [`~ through a role now, and by name in OLD: ${told(intoRoles, ", ")}`]),
    ...(fromRoles.length === 0 ? [] : [`~ by name now, and through a role in OLD: ${told(fromRoles, ", ")}`]),
  ];
}

function roleLine(
  { role, resources = [], permissions, changed }: ChangedRole,
  sign: string,
  kind: "added" | "removed",
  other: string,
  actions: readonly ActionChange[],
): string {
  const all = permissions === 1 ? "its only permission" : `all of its ${permissions} permissions`;
  const where = resources.length === 0 ? "" : ` on ${told(resources, ", ")}`;
  if (changed === 0) return `~ role ${role} ${kind}${where}  # ${other} allows ${all}`;
  const names = actions
    .filter((action) => action.kind === kind && action.roles?.includes(role) === true)
    .map(({ action }) => namedAction(action)?.name ?? action);
  const which = names.length === changed && changed <= maxInLine ? `: ${names.join(", ")}` : "";
  const part = changed === permissions ? all : `${changed} of its ${permissions} permissions`;
  // The other side may allow a part of what a wildcard contains.
  const fully = names.some((name) => name.includes("*")) ? "fully " : "";
  return `${sign} role ${role}${where}  # ${other} does not ${fully}allow ${part}${which}`;
}

/** Where the definitions of roles are from, for people: a line for each source. */
export function definitionLines(definitions: readonly UsedDefinition[] = []): string[] {
  const rolesOf = (is: (one: UsedDefinition) => boolean) =>
    definitions
      .filter(is)
      .map(({ role }) => role)
      .join(", ");
  const dates = [...new Set(definitions.flatMap(({ date }) => date ?? []))];
  const files = [...new Set(definitions.flatMap(({ file }) => file ?? []))];
  const unknown = rolesOf(({ date, file }) => date === undefined && file === undefined);
  return [
    ...dates.map((date) => `Role definitions of ${date}: ${rolesOf((one) => one.date === date)}.`),
    ...files.map((file) => `Role definitions in ${file}: ${rolesOf((one) => one.file === file)}.`),
    ...(unknown === ""
      ? []
      : [`Unknown role definitions: ${unknown}. "ccf diff-permissions --role-definitions DIR" reads them from files.`]),
  ].map((text) => printable(beginning(text, longestStep)));
}

/** The most lines of one kind for one identity. */
const maxLines = 500;

/** Lines for people: only the first if there are too many, and how many follow. */
export function firstOf(lines: readonly string[]): string[] {
  if (lines.length <= maxLines) return [...lines];
  return [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more; "-o json" shows all`];
}

/** The longest text for people, in characters; resources and conditions of a release are shorter. */
const longestText = 300;

/** A step names several actions. */
const longestStep = 2048;

/** A text for people: only its beginning and its length if it is too long. */
function beginning(text: string, longest = longestText): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}… (${text.length} characters)`;
}

/** The most texts in one line. */
const maxInLine = 10;

/** The steps of all identities for one moment of the upgrade, for people. */
export function stepLines(identities: readonly IdentityReport[], when: keyof IdentityReport["steps"]): string[] {
  return identities.flatMap(({ steps }) =>
    firstOf(steps[when].map(({ text }) => printable(beginning(text, longestStep)))),
  );
}

function told(texts: readonly string[], between: string): string {
  const more = texts.length - maxInLine;
  return [...texts.slice(0, maxInLine), ...(more > 0 ? [`${more} more`] : [])].join(between);
}

/** How a change is worded: the text before its action, its fixed notes, and the notes on overlapping statements. */
interface Words {
  readonly more: string;
  readonly less: string;
  readonly allowedBefore: string;
  readonly stillAllowed: string;
  readonly noteMore?: string;
  readonly noteLess?: string;
}

const allowances: Words = { more: "+ ", less: "- ", allowedBefore: "had", stillAllowed: "keeps" };

// More denied is less allowed.
const denying = { allowedBefore: "denied before:", stillAllowed: "still denied:" };
const effective: Words = { ...denying, more: "- denied now: ", less: "+ no longer denied: " };
const limiting: Words = {
  ...denying,
  more: "~ denied now: ",
  less: "~ no longer denied: ",
  noteMore: "limits what is new",
  noteLess: "limited what is removed",
};

function actionLines(change: ActionChange, words: Words): string[] {
  const { action, less, more, allowedBefore, stillAllowed } = change;
  const said = changeNotes(change);
  return [
    ...less.map((location) =>
      line(`${words.less}${action}`, location, [words.noteLess, ...said, partWords(words.stillAllowed, stillAllowed)]),
    ),
    ...more.map((location) =>
      line(`${words.more}${action}`, location, [
        words.noteMore,
        ...said,
        partWords(words.allowedBefore, allowedBefore),
      ]),
    ),
  ];
}

function line(start: string, location: Extent, notes: readonly (string | undefined)[]): string {
  const said = notes.filter((note) => note !== undefined && note !== "");
  return `${start}${extentText(location)}${said.length === 0 ? "" : `  # ${said.join("; ")}`}`;
}

// The values after and before.
function changeNotes({ resources, condition, old, new: now }: ActionChange): string[] {
  const texts = (all: readonly Extent[], field: "resource" | "condition") => [
    ...new Set(all.map((extent) => extent[field])),
  ];
  const [where, whereNow] = [texts(old, "resource"), texts(now, "resource")];
  const [when, whenNow] = [old, now].map((all) =>
    told(
      texts(all, "condition").map((text) => beginning(text) || "always"),
      ", or ",
    ),
  );
  const conditions = {
    none: [],
    added: [`condition added: ${whenNow}`],
    removed: [`condition removed: ${when}`],
    changed: [`condition changed from ${when} to ${whenNow}`],
  } as const;
  return [
    ...(resources === "none"
      ? []
      : [
          `${resourceWords[resources]} from ${told(
            where.map((text) => beginning(text)),
            ", ",
          )} to ${told(
            whereNow.map((text) => beginning(text)),
            ", ",
          )}`,
        ]),
    ...conditions[condition],
  ];
}

function partWords(verb: string, parts: readonly Part[]): string {
  const texts = parts.map(({ action, within, ...place }) => {
    const whole = `${action}${extentText({ ...place, undecided: "" })}`;
    return within ? whole : `the part in ${whole}`;
  });
  return parts.length === 0 ? "" : `${verb} ${told(texts, ", ")}`;
}

const resourceWords = {
  widened: "resources widened",
  narrowed: "resources narrowed",
  both: "resources changed",
} as const;

function extentText({ resource, condition, undecided }: Extent): string {
  return [
    resource === "*" ? "" : ` on ${beginning(resource)}`,
    condition === "" ? "" : ` when ${beginning(condition)}`,
    undecided === "" ? "" : ` (undecided: ${beginning(undecided)})`,
  ].join("");
}

/** The heading of an identity: its change, its cloud, its names. */
export function headline(report: IdentityReport): string {
  const { cloud, identity, request } = report;
  return printable(`${outcome(report)}: ${cloud} ${identity}${request === "" ? "" : ` (${request})`}`);
}

const outcomes = ["new", "gone", "broadened", "narrowed", "both", "moved"] as const;

function outcome({ change, verdict }: IdentityReport): (typeof outcomes)[number] | "none" {
  if (change !== "changed") return change;
  return verdict === "none" ? "moved" : verdict;
}

/** The number of identities by outcome. */
export function counts(identities: readonly IdentityReport[]): string {
  const all = identities.map(outcome);
  const words = outcomes.map((outcome) => ({ one: outcome, count: all.filter((each) => each === outcome).length }));
  return [
    ...words.filter(({ count }) => count > 0).map(({ one, count }) => `${count} ${one}`),
    `${all.filter((text) => text === "none").length} unchanged`,
  ].join(", ");
}
