import { compareText } from "../core/text.ts";
import type { FindingPart, IdentityPart } from "./page.ts";

/** What an identity can use of one service. */
export interface UsedService {
  readonly name: string;
  /** "4 actions", "1 role, 2 permissions". */
  readonly amount: string;
  /** Whether an action contains a wildcard. */
  readonly isWide: boolean;
}

/** The services that an identity can use, sorted by name. Denied actions are not part of it. */
export function servicesOf({ statements, managedPolicies }: IdentityPart): UsedService[] {
  const services = new Map<string, { isWide: boolean; readonly kinds: Map<string, Set<string>> }>();
  const add = (service: string, kind: string, names: readonly string[]) => {
    const used = services.get(service) ?? { isWide: false, kinds: new Map() };
    services.set(service, used);
    used.isWide ||= names.some(isWide);
    const known = used.kinds.get(kind) ?? new Set();
    used.kinds.set(kind, known);
    for (const name of names) known.add(name);
  };
  for (const { effect, actions } of statements) {
    if (effect === "Allow") for (const { service, kind, names } of actions) add(service, kind, names);
  }
  if (managedPolicies.length > 0) add("managed policies", "policy", managedPolicies);
  return [...services]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, { isWide, kinds }]) => ({
      name,
      isWide,
      amount: [...kinds]
        .sort(([a], [b]) => compareText(a, b))
        .map(([kind, names]) => amount(names.size, kind))
        .join(", "),
    }));
}

/** Whether the name of an action contains a wildcard. */
export function isWide(name: string): boolean {
  return /[*?]/.test(name);
}

/** A number and its noun: "1 role", "2 policies". */
export function amount(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** What a reader should look at, in words; "" if it is nothing. */
export interface Marks {
  readonly wildcard: string;
  readonly escalation: string;
  readonly reach: string;
}

/**
 * The marks of an identity. A managed policy may allow anything, and a permissions boundary may take anything away: the files contain
 * neither of them, so a mark is then open. What a request of the release reaches beyond the cluster is the same in every cluster, so
 * it is not marked.
 */
export function marksOf(identity: IdentityPart): Marks {
  const { escalations, trusts, isOfRelease } = identity;
  const isOpen = trusts.some(({ effect, subjects }) => effect === "Allow" && subjects.some(isWide));
  const isBroad = isOpen || servicesOf(identity).some((service) => service.isWide);
  const mayHaveMore = openReasons(identity).length > 0;
  const isSure = escalations.some(({ isUndecided }) => isUndecided !== true);
  const marked = (name: string, isThere: boolean, isSure: boolean) =>
    isThere && isSure ? name : isThere || mayHaveMore ? `${name}${perhaps}` : "";
  return {
    wildcard: marked("wildcard", isBroad, true),
    escalation: marked("can escalate", escalations.length > 0, isSure),
    reach: isOfRelease ? "" : reachMark(identity),
  };
}

function reachMark({ reach = [] }: IdentityPart): string {
  if (reach.length === 0) return "";
  return `beyond the cluster${reach.some(({ isUndecided }) => !isUndecided) ? "" : perhaps}`;
}

const perhaps = ", perhaps";

/** Why an identity may have permissions that the files do not contain: a clause for each reason. */
export function openReasons({
  managedPolicies,
  unknown = [],
}: Pick<IdentityPart, "managedPolicies" | "unknown">): readonly string[] {
  return [...(managedPolicies.length > 0 ? ["what its managed policies allow is not known"] : []), ...unknown];
}

/** How much an identity deserves a look: the higher, the earlier a reader sees it. */
export function riskOf(identity: IdentityPart, findings: readonly FindingPart[]): number {
  const { wildcard, escalation, reach } = marksOf(identity);
  const open = findings.filter(({ accepted }) => accepted === undefined);
  // Each weight is larger than the sum of those below it.
  const weighed = [
    open.some(({ severity }) => severity === "error"),
    isCertain(escalation),
    escalation !== "",
    isCertain(reach),
    reach !== "",
    isCertain(wildcard),
    wildcard !== "",
    open.length > 0,
  ];
  return weighed.reduce((sum, is) => 2 * sum + (is ? 1 : 0), 0);
}

function isCertain(mark: string): boolean {
  return mark !== "" && !mark.endsWith(perhaps);
}

/** Whether a shared identity is that of a workload. */
export function isOfWorkload({ identity }: { readonly identity: IdentityPart }): boolean {
  return identity.isOfWorkload === true;
}

/** How many identities have a mark: "7", or "0 to 7" if that is open for some. */
export function countOf(marks: readonly Marks[], mark: keyof Marks): string {
  return counted(marks.map((one) => one[mark]));
}

function counted(marks: readonly string[]): string {
  const all = marks.filter((text) => text !== "");
  return range(all.filter(isCertain).length, all.length);
}

/** How many identities reach beyond the cluster, marked or not: "7", or "0 to 7" if that is open for some. */
export function reachingOf(identities: readonly IdentityPart[]): string {
  return counted(identities.map(reachMark));
}

/** The service accounts that can use an identity, or the subjects that its trust names in other forms; sorted. */
export function subjectsOf({ trusts }: IdentityPart): string[] {
  const allowing = trusts.filter(({ effect }) => effect === "Allow");
  const names = allowing.flatMap(({ subjects }) => (subjects.length === 0 ? [anySubject] : subjects.map(accountOf)));
  return [...new Set(names)].sort(compareText);
}

/** Said of a trust that does not limit subjects in a known way. */
export const anySubject = "any subject not excluded";

/** `<namespace>/<name>` of a service account's subject; another subject as it is. */
export function accountOf(subject: string): string {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(subject) ?? [];
  return namespace === undefined || name === undefined ? subject : `${namespace}/${name}`;
}

/** The namespace of a key `<namespace>/<name>`. */
export function namespaceOf(key: string): string {
  return key.split("/", 1)[0] ?? "";
}

/** The name of a key `<namespace>/<name>`. */
export function nameOf(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}

/** A number of which only a range is known: "0 to 7"; "7" if it is known. */
export function range(least: number, most: number): string {
  return least === most ? String(least) : `${least} to ${most}`;
}
