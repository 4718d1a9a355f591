import { type Claim, prefixField } from "../../clouds/claims.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { generatedBy, type ValueMap } from "../../core/resource.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import { listed, plural } from "../../core/words.ts";
import { toResult } from "../../krm/results.ts";
import { sharedKey, signingKeyShared } from "../../rules/checks/other-clusters.ts";
import { type Claimant, claimantsIn, keyFinding } from "./claimant.ts";
import type { Place, Selection } from "./select-packages.ts";

/** What a comparison of clusters found. */
export interface ClusterComparison {
  /** The findings about a selected package. */
  of(place: Place): readonly Finding[];
  /** The finding about packages that are not selected and could not be compared, if there are any. */
  readonly unreadFindings: readonly Finding[];
}

/**
 * Compares the clusters of all packages that a command line finds, also those that a limit excludes. Of one package,
 * nothing is read. It keeps the claims of each package in memory, and nothing else of it.
 *
 * @param today the day on which acceptances are judged; undefined: they do not expire.
 */
export function compareClusters({ places, all }: Selection, today?: string): ClusterComparison {
  if (places.length === 0 || all.length < 2) return { of: () => [], unreadFindings: [] };
  const selected = new Set(places);
  const claimants: Claimant[] = [];
  const unreadFindings: Place[] = [];
  for (const place of all) {
    const some = claimantsIn(place, today);
    if (some !== undefined) claimants.push(...some);
    // A selected package fails by itself.
    else if (!selected.has(place)) unreadFindings.push(place);
  }
  // The order of the command line does not matter.
  claimants.sort((a, b) => compareText(a.file, b.file));
  const findingsByPlace = new Map<Place, Finding[]>();
  const of = (place: Place) => findingsByPlace.get(place) ?? [];
  const report = (place: Place, findings: readonly Finding[]) =>
    findingsByPlace.set(place, [...of(place), ...findings]);
  const groups = groupsOf(claimants);
  const sharedKeys = keyGroups(claimants);
  const keysShared = new Set(sharedKeys.map(([keyId]) => keyId));
  const isCovered = coverage();
  for (const one of claimants)
    if (selected.has(one.place)) report(one.place, conflicts(one, groups, isCovered, keysShared));
  for (const [keyId, sharing] of sharedKeys) {
    const mine = sharing.filter(({ place }) => selected.has(place));
    const target = mine.find(({ accepting }) => accepting === undefined) ?? mine[0];
    if (target !== undefined) report(target.place, [findingOfKey(keyId, target, sharing, today)]);
  }
  return { of, unreadFindings: notCompared(unreadFindings) };
}

/** What `-o json` contains of the findings, if a command has no findings of its own: nothing if there are none. */
export function comparedJson(findings: readonly Finding[]): ValueMap {
  return findings.length === 0 ? {} : { compared: findings.map(toResult) };
}

/** The clusters with the same claim, by what they claim; those with two members or more conflict. */
interface Groups {
  of(claim: Claim, claimant: Claimant): readonly Claimant[];
  claimsOf(claimant: Claimant): readonly Claim[];
}

function groupsOf(claimants: readonly Claimant[]): Groups {
  const byKey = new Map<string, Claimant[]>();
  for (const one of claimants) for (const claim of one.claims) add(byKey, keyOf(claim, one), one);
  // A name that the configuration of one cluster sets can be the computed name of another.
  const given = new Map<string, Set<string>>();
  const givenNames = new Set<string>();
  for (const one of claimants) {
    for (const secret of one.named) {
      given.set(one.platform, (given.get(one.platform) ?? new Set()).add(secret));
      for (const claim of one.namesOf(secret)) givenNames.add(keyOf(claim, one));
    }
  }
  const namesOf = (one: Claimant): Claim[] =>
    [...(given.get(one.platform) ?? [])].sort(compareText).flatMap((secret) => one.namesOf(secret));
  for (const one of claimants) {
    const keys = new Set(namesOf(one).map((claim) => keyOf(claim, one)));
    for (const key of keys) if (givenNames.has(key)) add(byKey, key, one);
  }
  return {
    of: (claim, one) => byKey.get(keyOf(claim, one)) ?? [],
    claimsOf: (one) => [...one.claims, ...namesOf(one)],
  };
}

// The two configurations of one package are one cluster.
function add(groups: Map<string, Claimant[]>, key: string, one: Claimant): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [one]);
  else if (group.at(-1)?.place !== one.place) group.push(one);
}

// An issuer is the same for every cloud, a role is not.
function keyOf({ noun, value, compared = value, within }: Claim, { platform }: Claimant): string {
  return JSON.stringify([noun, compared, within, within === "" ? "" : platform]);
}

function conflicts(
  one: Claimant,
  groups: Groups,
  isCovered: ReturnType<typeof coverage>,
  keysShared: ReadonlySet<string>,
): Finding[] {
  const claims = groups.claimsOf(one);
  const byNoun = new Map(one.claims.map((claim) => [claim.noun, claim]));
  const groupOf = (claim: Claim | undefined) => (claim === undefined ? [] : groups.of(claim, one));
  const shared = claims.filter((claim) => groupOf(claim).length > 1);
  // The claim that a finding must name, because the other one follows from it.
  const rootOf = (claim: Claim): Claim => {
    const sources = [claim.follows, byNoun.get(claim.derivedFrom ?? "")].filter((source) => source !== undefined);
    const source = sources.find((one) => isCovered(groupOf(claim), groupOf(one)));
    return source === undefined ? claim : rootOf(source);
  };
  // One finding for the names of all identities that are the same.
  const found = new Map<string, Conflict>();
  for (const claim of shared.filter((claim) => rootOf(claim) === claim)) {
    const others = othersOf(one, groupOf(claim));
    const key = JSON.stringify([claim.noun, claim.within, others]);
    const derived = one.claims.filter((each) => each !== claim && shared.includes(each) && rootOf(each) === claim);
    const before = found.get(key);
    if (before !== undefined) before.values.push(claim.value);
    else found.set(key, { claim, values: [claim.value], derived: derived.map(({ noun }) => noun), others });
  }
  const fields = [...new Set([...found.values()].map(({ claim }) => claim.field))];
  const sharesKey = one.accepting === undefined && one.keyIds.some((keyId) => keysShared.has(keyId));
  const all = sharesKey ? [...fields, keysField] : fields;
  return [...found.values()].map((conflict) => findingOfConflict(one, conflict, all));
}

const keysField = "spec.issuer.signingKeys";

interface Conflict {
  readonly claim: Claim;
  readonly values: string[];
  /** What is derived from it, and is therefore also the same. */
  readonly derived: readonly string[];
  /** The files of the other clusters. */
  readonly others: string;
}

/**
 * Whether all of a group are in the group with the value that theirs is derived from: a finding about the latter is enough.
 * Remembers the answers, because every member of a group asks.
 */
function coverage(): (group: readonly Claimant[], source: readonly Claimant[]) => boolean {
  const known = new Map<readonly Claimant[], Map<readonly Claimant[], boolean>>();
  return (group, source) => {
    if (source.length < group.length) return false;
    const answers = known.get(group) ?? new Map<readonly Claimant[], boolean>();
    known.set(group, answers);
    let answer = answers.get(source);
    if (answer === undefined) {
      const places = new Set(source.map(({ place }) => place));
      answer = group.every(({ place }) => places.has(place));
      answers.set(source, answer);
    }
    return answer;
  };
}

/** How many packages and names a message names. */
const maxNamed = 5;

function othersOf(one: Claimant, group: readonly Claimant[]): string {
  const first = group.slice(0, maxNamed + 1).filter(({ place }) => place !== one.place);
  const named = first.slice(0, maxNamed).map(({ file }) => quoteWhole(file));
  const more = group.length - 1 - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function findingOfConflict(
  { resource }: Claimant,
  { claim, values, derived, others }: Conflict,
  fields: readonly string[],
): Finding {
  const { noun, within, field, cure = `Set ${quote(field)} to another value` } = claim;
  const { effect = "Each cluster would replace what the other one uses." } = claim;
  const isOne = values.length === 1;
  const what = `the ${isOne ? noun : plural(noun)} ${listed(values.map(quoteWhole), maxNamed)}`;
  const place = within === "" ? "" : ` in ${within}`;
  const more = derived.length === 0 ? "" : `, and the ${listed(derived, maxNamed)} derived from it,`;
  const verb = isOne && more === "" ? "is" : "are";
  const fix =
    field === nameField
      ? cureOfName(derived.length > 0 || fields.includes(prefixField), fields)
      : `${cure} in one of the packages, or remove the copy.`;
  const message = `${what}${place}${more} ${verb} also in the package of ${others}. ${effect} ${fix}`;
  return finding("error", "cluster-not-unique", message, { resource, field });
}

const nameField = "metadata.name";

// "ccf set" does not set the name. What a copy was rendered with belongs to the other cluster, and a render would refuse to
// change one of these fields alone.
function cureOfName(isCopy: boolean, fields: readonly string[]): string {
  if (!isCopy) return `Edit one of the ClusterIdentities by hand, and set "${nameField}" to another value.`;
  const keys = fields.includes(keysField) ? ` "ccf create-key-pair --output-dir DIR" creates keys in a directory.` : "";
  return `Remove the package that is the copy. Or edit its ClusterIdentity by hand, to make it another cluster: set ${fields.map((one) => quote(one)).join(", ")} to values of its own, all at once.${keys} Then delete the files of the copy that contain the annotation "${generatedBy}" and, if there is one, the file that "ccf set-identities" wrote, and render it.`;
}

function keyGroups(claimants: readonly Claimant[]): [string, readonly Claimant[]][] {
  const groups = new Map<string, Claimant[]>();
  for (const one of claimants) for (const keyId of one.keyIds) add(groups, keyId, one);
  return [...groups].filter(([, group]) => group.length > 1).sort(([a], [b]) => compareText(a, b));
}

function findingOfKey(
  keyId: string,
  { accepting, resource }: Claimant,
  sharing: readonly Claimant[],
  today: string | undefined,
): Finding {
  const files = sharing.map(({ file }) => file);
  if (accepting !== undefined) return keyFinding(accepting, keyId, files, today);
  const violation = sharedKey(keyId, files, resource);
  return finding(signingKeyShared.severity, signingKeyShared.code, violation.message, violation);
}

function notCompared(unread: readonly Place[]): Finding[] {
  if (unread.length === 0) return [];
  const directories = unread.map(({ directory }) => directory).sort(compareText);
  const named = listed(directories.map(quoteWhole), maxNamed);
  const message = `It is unknown whether a selected package is a copy of ${named}, because the ClusterIdentity there is invalid or cannot be read. Run "ccf validate" for ${directories.length === 1 ? "it" : "each"}.`;
  return [finding("warning", "cluster-not-compared", message)];
}
