import { printable } from "../core/text.ts";
import { counted } from "../core/words.ts";
import { wrappedWords } from "../core/wrapped.ts";
import { namedAction } from "../permissions/permissions.ts";
import type { ActionChange, Extent, Part } from "./action-changes.ts";
import type { ChangedRole, DescribedChange, DescribedIdentity, UsedDefinition } from "./described-diff.ts";

/** The changes of an identity, one a line: "+" is more, "-" is less, "~" is moved. Text from the input is made printable. */
export function changeLines(described: DescribedIdentity): string[] {
  const { actions, denials, limits, trust, boundary, tokenPath, email, audience, movedSecret } = described;
  const { changes = [], following = [] } = described;
  // A change of a file says more about the same service account.
  const isSaid = (account: string) => changes.some(({ text }) => text.includes(account));
  const [removed, added] = [described.serviceAccounts.removed, described.serviceAccounts.added].map((all) =>
    all.filter((account) => !isSaid(account)),
  );
  return [
    ...gateLines(described),
    ...(movedSecret === undefined
      ? []
      : [described.change === "new" ? `~ its Secret was ${movedSecret}` : `~ its Secret is now ${movedSecret}`]),
    ...(removed ?? []).map((account) => `- ${account} can use it`),
    ...(added ?? []).map((account) => `+ ${account} can use it`),
    ...trust.removed.map((way) => `- ${way}`),
    ...trust.added.map((way) => `+ ${way}`),
    ...(boundary === undefined ? [] : [`~ boundary: ${boundary.old || "none"} -> ${boundary.new || "none"}`]),
    ...(tokenPath === undefined
      ? []
      : [`~ token: ${tokenPath.old || "the cluster's default"} -> ${tokenPath.new || "the cluster's default"}`]),
    ...(email === undefined ? [] : [`~ service account: ${email.old} -> ${email.new}`]),
    ...(audience === undefined ? [] : [`~ audience: ${audience.old} -> ${audience.new}`]),
    ...actions.flatMap((change) => (isInRole(change) ? [] : actionLines(change, allowances))),
    ...roleLines(described),
    ...denials.flatMap((change) => actionLines(change, effective)),
    ...limits.flatMap((change) => actionLines(change, limiting)),
    ...changes.map(valueLine),
    ...following,
  ].map(printable);
}

/** The line about a value that differs, with the number of those that follow. */
export function valueLine({ text, follows }: DescribedChange): string {
  return follows.length === 0
    ? text
    : `${text}  # and ${counted(follows.length, "value")} that ${follows.length === 1 ? "follows" : "follow"}`;
}

function gateLines({ unknownGates = [], change }: DescribedIdentity): string[] {
  if (unknownGates.length === 0) return [];
  const gates = `${unknownGates.length === 1 ? "the feature gate" : "the feature gates"} ${unknownGates.join(", ")}`;
  const rest = change === "none" ? "" : "; if it does:";
  return [`? depends on ${gates}: it is unknown whether the release has its request${rest}`];
}

// A role has a line for all of its permissions. An undecided role is an action.
function isInRole({ roles = [] }: ActionChange): boolean {
  return roles.length > 0;
}

function roleLines({ actions, roles }: DescribedIdentity): string[] {
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
  { role, resources = [], permissions, changed, undecided = 0 }: ChangedRole,
  sign: string,
  kind: "added" | "removed",
  other: string,
  actions: readonly ActionChange[],
): string {
  const where = resources.length === 0 ? "" : ` on ${told(resources, ", ")}`;
  const mine = actions.filter(({ roles = [] }) => roles.includes(role)).flatMap(changedParts(kind));
  const isDecided = ({ extent }: ChangedPart) => extent.undecided === "";
  const notes = [
    ...(changed === 0 && undecided > 0
      ? []
      : [allowance(changed, permissions, other, mine.filter(isDecided), resources)]),
    ...(undecided === 0
      ? []
      : [openAllowance(undecided, permissions, other, mine.find((part) => !isDecided(part))?.extent.undecided)]),
  ];
  const isMoved = changed === 0 && undecided === 0;
  return `${isMoved ? `~ role ${role} ${kind}` : `${sign} role ${role}`}${where}  # ${notes.join("; ")}`;
}

/** A permission of a role, and where it changes. */
interface ChangedPart {
  readonly name: string;
  readonly extent: Extent;
}

function changedParts(kind: "added" | "removed") {
  return ({ action, more, less }: ActionChange): ChangedPart[] =>
    (kind === "added" ? more : less).map((extent) => ({ name: namedAction(action)?.name ?? action, extent }));
}

// How much of a role the other side allows. Of a permission with a wildcard, or on one of several resources, it may allow a part.
function allowance(
  changed: number | null,
  permissions: number | null,
  other: string,
  parts: readonly ChangedPart[],
  resources: readonly string[],
): string {
  const isOne = permissions === 1;
  if (changed === 0)
    return `${other} allows ${isOne ? "its only permission" : `all of its ${permissions} permissions`}`;
  const names = [...new Set(parts.map(({ name }) => name))];
  const isPartly =
    names.some((name) => name.includes("*")) ||
    (resources.length > 1 && parts.length < names.length * resources.length);
  const fully = isPartly ? "fully " : "";
  const which = names.length === changed && changed <= maxInLine ? `: ${names.join(", ")}` : "";
  if (isOne) return `${other} does not ${fully}allow its only permission${which}`;
  if (changed !== permissions)
    return `${other} does not ${fully}allow ${changed} of its ${permissions} permissions${which}`;
  const none = isPartly ? `does not fully allow any of` : `allows none of`;
  return `${other} ${none} its ${permissions} permissions${which}`;
}

function openAllowance(undecided: number, permissions: number | null, other: string, why = "unknown"): string {
  const which = permissions === 1 ? "its only permission" : `${undecided} of its ${permissions} permissions`;
  return `undecided whether ${other} allows ${which}: ${beginning(why)}`;
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
      : [`Unknown role definitions: ${unknown}. "ccf diff --role-definitions DIR" reads them from files.`]),
  ].map((text) => printable(beginning(text, longestStep)));
}

/** The most lines of one kind for one identity. */
const maxLines = 500;

/** Lines for people: only the first if there are too many, and how many follow. */
export function firstOf(lines: readonly string[]): string[] {
  if (lines.length <= maxLines) return [...lines];
  return [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more; "-o json" shows all`];
}

/** How wide a line with several names is, in characters. */
const width = 120;

/**
 * Lines for a terminal, in which permissions that are more or less in the same way share lines: `+ permissions a, b on SCOPE`. A line
 * with a note stays as it is.
 */
export function compacted(lines: readonly string[]): string[] {
  const groups: { start: string; end: string; names: string[] }[] = [];
  for (const line of lines) {
    const [, sign, noun = "", name = line, end = ""] =
      /^([+-]) (permission |[^"#]*\[\]: )?([\w.:/*-]+|"[^"]*")( on [^#]+)?$/.exec(line) ?? [];
    const start = sign === undefined ? "" : `${sign} ${noun}`;
    const last = groups.at(-1);
    if (sign !== undefined && last?.start === start && last.end === end) last.names.push(name);
    else groups.push({ start, end, names: [name] });
  }
  return groups.flatMap(({ start, end, names }) => {
    if (names.length === 1) return names.map((name) => `${start}${name}${end}`);
    const first = start.replace(/permission $/, "permissions ");
    // The commas at the ends of lines are not part of the width.
    const texts = wrappedWords(
      names.map((name) => `${name},`),
      width + 1,
      first,
      " ".repeat(first.length),
    );
    const last = texts.pop()?.slice(0, -1) ?? "";
    return [...texts, `${last}${end}`];
  });
}

/** The longest text for people, in characters; resources and conditions of a release are shorter. */
const longestText = 300;

/** A step names several actions. */
const longestStep = 2048;

/** A text for people: only its beginning and its length if it is too long. */
export function beginning(text: string, longest = longestText): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}… (${text.length} characters)`;
}

/** The most texts in one line. */
const maxInLine = 10;

/** The steps of all identities for one moment of the upgrade, for people. */
export function stepLines(identities: readonly DescribedIdentity[], when: keyof DescribedIdentity["steps"]): string[] {
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
    undecided: [],
    added: [`condition added: ${whenNow}`],
    removed: [`condition removed: ${when}`],
    changed: [`condition changed from ${when} to ${whenNow}`],
  } as const;
  return [
    ...(resources === "none" || resources === "undecided"
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
