import { printable } from "../core/text.ts";
import type { ActionChange, Part, Place } from "./action-changes.ts";
import type { IdentityReport } from "./report.ts";

/** What became of an identity, a line each: "+" is more, "-" is less, "~" a place that moved. Texts of the input are printable. */
export function changeLines(one: IdentityReport): string[] {
  const { actions, denials, limits, serviceAccounts, trust, boundary, tokenPath, movedSecret } = one;
  return [
    ...(movedSecret === undefined
      ? []
      : [one.change === "new" ? `~ its Secret was ${movedSecret}` : `~ its Secret is ${movedSecret} now`]),
    ...serviceAccounts.removed.map((account) => `- ${account} may become it`),
    ...serviceAccounts.added.map((account) => `+ ${account} may become it`),
    ...trust.removed.map((way) => `- ${way}`),
    ...trust.added.map((way) => `+ ${way}`),
    ...(boundary === undefined ? [] : [`~ boundary: ${boundary.old || "none"} -> ${boundary.new || "none"}`]),
    ...(tokenPath === undefined
      ? []
      : [`~ token: ${tokenPath.old || "left to the cluster"} -> ${tokenPath.new || "left to the cluster"}`]),
    ...actions.flatMap((change) => actionLines(change, allowances)),
    ...denials.flatMap((change) => actionLines(change, effective)),
    ...limits.flatMap((change) => actionLines(change, limiting)),
  ].map(printable);
}

/** How a change is told: what stands before its action, what is said of it always, and of the parts of other statements. */
interface Words {
  readonly more: string;
  readonly less: string;
  readonly had: string;
  readonly keeps: string;
  readonly noteMore?: string;
  readonly noteLess?: string;
}

const allowances: Words = { more: "+ ", less: "- ", had: "had", keeps: "keeps" };

// What is denied more is allowed less.
const denying = { had: "denied before:", keeps: "still denied:" };
const effective: Words = { ...denying, more: "- denied now: ", less: "+ no longer denied: " };
const limiting: Words = {
  ...denying,
  more: "~ denied now: ",
  less: "~ no longer denied: ",
  noteMore: "limits what is new",
  noteLess: "limited what goes",
};

function actionLines(change: ActionChange, words: Words): string[] {
  const { action, less, more, had, keeps } = change;
  const said = changeNotes(change);
  return [
    ...less.map((place) =>
      line(`${words.less}${action}`, place, [words.noteLess, ...said, partWords(words.keeps, keeps)]),
    ),
    ...more.map((place) => line(`${words.more}${action}`, place, [words.noteMore, ...said, partWords(words.had, had)])),
  ];
}

function line(start: string, place: Place, notes: readonly (string | undefined)[]): string {
  const said = notes.filter((note) => note !== undefined && note !== "");
  return `${start}${placeWords(place)}${said.length === 0 ? "" : `  # ${said.join("; ")}`}`;
}

// What it is now, and what it was.
function changeNotes({ resources, condition, old, new: now }: ActionChange): string[] {
  const texts = (all: readonly Place[], field: "resource" | "condition") => [...new Set(all.map((one) => one[field]))];
  const [where, whereNow] = [texts(old, "resource"), texts(now, "resource")];
  const [when, whenNow] = [old, now].map((all) =>
    texts(all, "condition")
      .map((one) => one || "always")
      .join(", or "),
  );
  const conditions = {
    none: [],
    added: [`condition added: ${whenNow}`],
    removed: [`condition removed: ${when}`],
    changed: [`condition changed from ${when} to ${whenNow}`],
  } as const;
  return [
    ...(resources === "none" ? [] : [`${resourceWords[resources]} from ${where.join(", ")} to ${whereNow.join(", ")}`]),
    ...conditions[condition],
  ];
}

function partWords(verb: string, parts: readonly Part[]): string {
  const texts = parts.map(({ action, within, ...place }) => {
    const whole = `${action}${placeWords({ ...place, undecided: "" })}`;
    return within ? whole : `what ${whole} has of it`;
  });
  return parts.length === 0 ? "" : `${verb} ${texts.join(", ")}`;
}

const resourceWords = {
  widened: "resources widened",
  narrowed: "resources narrowed",
  both: "resources changed",
} as const;

function placeWords({ resource, condition, undecided }: Place): string {
  return [
    resource === "*" ? "" : ` on ${resource}`,
    condition === "" ? "" : ` when ${condition}`,
    undecided === "" ? "" : ` (cannot be decided: ${undecided})`,
  ].join("");
}

/** The heading of an identity: its change, its cloud, its names. */
export function headline(one: IdentityReport): string {
  const { cloud, identity, request } = one;
  return printable(`${outcome(one)}: ${cloud} ${identity}${request === "" ? "" : ` (${request})`}`);
}

const outcomes = ["new", "gone", "broadened", "narrowed", "both", "moved"] as const;

function outcome({ change, verdict }: IdentityReport): (typeof outcomes)[number] | "none" {
  if (change !== "changed") return change;
  return verdict === "none" ? "moved" : verdict;
}

/** How many identities became what. */
export function counts(identities: readonly IdentityReport[]): string {
  const all = identities.map(outcome);
  const words = outcomes.map((one) => ({ one, count: all.filter((each) => each === one).length }));
  return [
    ...words.filter(({ count }) => count > 0).map(({ one, count }) => `${count} ${one}`),
    `${all.filter((one) => one === "none").length} as before`,
  ].join(", ");
}
