import { printable } from "../core/text.ts";
import type { ActionChange, Place } from "./action-changes.ts";
import type { IdentityReport } from "./report.ts";

/** What became of an identity, a line each: "+" is more, "-" is less, "~" a place that moved. Texts of the input are printable. */
export function changeLines(one: IdentityReport): string[] {
  const { actions, serviceAccounts, trust, boundary, tokenPath, movedSecret } = one;
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
    ...actions.flatMap(actionLines),
  ].map(printable);
}

function actionLines(change: ActionChange): string[] {
  const how = [
    ...(change.resources === "none" ? [] : [resourceWords[change.resources]]),
    ...(change.condition === "none" ? [] : [`condition ${change.condition}`]),
    ...(change.parts.length === 0 ? [] : [`${change.kind === "added" ? "had" : "keeps"} ${change.parts.join(", ")}`]),
  ].join(", ");
  const said = how === "" ? "" : `  # ${how}`;
  return [
    ...change.less.map((place) => `- ${change.action}${placeWords(place)}${said}`),
    ...change.more.map((place) => `+ ${change.action}${placeWords(place)}${said}`),
  ];
}

const resourceWords = {
  widened: "resources widened",
  narrowed: "resources narrowed",
  both: "other resources",
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
