import { compareText } from "../core/text.ts";
import type { ClusterPart, IdentityPart, OwnName } from "./page.ts";

/*
 * Clusters of a fleet differ in their accounts, prefixes, regions, and issuers, and in names that contain these. Here they are
 * replaced by marks, so that what is the same otherwise becomes equal.
 */

/** Private-use characters (Unicode Standard, section 23.5) around the name of what was replaced. */
const [begin, end] = ["\ue000", "\ue001"];
const marks = /\ue000([^\ue000\ue001]*)\ue001/g;

/** The texts that only one cluster has, with what they are. */
export function namesOfCluster({ account, region, issuer, previousIssuers, own }: ClusterPart): OwnName[] {
  const of = (name: string, values: readonly (string | undefined)[]) =>
    values.flatMap((value) => (value === undefined ? [] : [{ name, value: value.replace(/^https:\/\//, "") }]));
  return [
    ...of("issuer", [issuer]),
    ...of("previous issuer", previousIssuers),
    ...own,
    ...of("account", [account]),
    ...of("region", [region]),
  ];
}

/** The texts that only one identity of a cluster has: the name in its ID first. */
export function namesOfIdentity({ id, assigned, own }: IdentityPart, noun: string): OwnName[] {
  const name = id.includes("@") ? id.slice(0, id.indexOf("@")) : id.slice(id.lastIndexOf("/") + 1);
  return [
    { name: nameIn(noun), value: name },
    ...(assigned?.id === undefined ? [] : [{ name: assigned.noun, value: assigned.id }]),
    ...own,
  ];
}

/** What the name in the ID of an identity is called. */
export function nameIn(noun: string): string {
  return `${noun} name`;
}

/** Replaces each of the names in a text with its mark. */
export type Marking = (text: string) => string;

/** A name is replaced where it is a whole word: "demo" in "demo-oidc", not in "demonstration". Of two names, the longer one. */
export function markingOf(names: readonly OwnName[]): Marking {
  const byValue = new Map<string, string>();
  for (const { name, value } of names) if (value !== "" && !byValue.has(value)) byValue.set(value, name);
  const values = [...byValue.keys()].sort((a, b) => b.length - a.length || compareText(a, b)).map(quoted);
  const any = values.length === 0 ? /$^/g : new RegExp(`(?<![A-Za-z0-9])(?:${values.join("|")})(?![A-Za-z0-9])`, "g");
  // A mark without a name stands for the character itself.
  return (text) => text.replaceAll(begin, begin + end).replace(any, (value) => begin + byValue.get(value) + end);
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Marks only what is in double quotes: in a sentence, a word can have the name of a cluster by accident. */
export function markQuoted(text: string, mark: Marking): string {
  return text.replace(/"[^"]*"/g, mark);
}

/** Applies a function to every text in a value. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  return mapped(value, change) as T;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => mapped(one, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one, change)]));
}

/**
 * What a reader sees in place of marks: what the name stands for if that is the same everywhere, otherwise the name in braces.
 *
 * @param resolve undefined if a name does not stand for the same everywhere.
 */
export function withoutMarks<T>(value: T, resolve: (name: string) => string | undefined): T {
  return mapTexts(value, (text) =>
    text.includes(begin)
      ? text.replace(marks, (_, name: string) => (name === "" ? begin : (resolve(name) ?? `{${name}}`)))
      : text,
  );
}
