import { type Finding, finding } from "../core/finding.ts";
import { isMap, type Value, type ValueMap } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { type Budget, manySteps, TooComplex } from "../permissions/automaton.ts";
import { type Glob, intersects, isCovered } from "../permissions/glob.ts";
import type { SelectedRequest } from "../requests/select.ts";

/** What a cloud knows about the identities of a team's own workloads. */
export interface WorkloadRenderer {
  /** The `spec.providerSpec` of a request that asks for what a section of a WorkloadIdentity asks for. */
  providerSpec(section: ValueMap): ValueMap;
  /** The fields of a section, by the fields of the `spec.providerSpec` that contain them. */
  readonly fields: Readonly<Record<string, string>>;
  /** The fields in the overrides of its platform that also count for a WorkloadIdentity: those that only name something. */
  readonly names: readonly string[];
  /** What a section asks for that its guard rails do not allow. */
  outside(section: ValueMap, rails: ValueMap): readonly Outside[];
  /** The label that a pod must have before the webhook of the cloud mutates it. */
  readonly podLabel?: { readonly name: string; readonly value: string };
}

/** Something that guard rails do not allow. */
export interface Outside {
  /** In the section: `statements[0].action[1]`. */
  readonly field: string;
  /** What it is: `the action`. */
  readonly what: string;
  /** As written. */
  readonly name: string;
  /** The guard rail that does not allow it, and why: a clause. */
  readonly why: string;
}

/** The guard rails for one kind of names. */
export interface Rail {
  /** The path of the list in the guard rails of the cloud: `spec.workloads.aws.allowedActions`. */
  readonly field: string;
  /** Undefined if nothing limits these names. */
  readonly allowed: readonly Glob[] | undefined;
  readonly denied?: { readonly field: string; readonly names: readonly Glob[] };
  readonly ignoresCase: boolean;
}

/**
 * Why guard rails do not allow a name, or a set of names; undefined if they allow all of it. What cannot be decided is not
 * allowed. A denial wins.
 */
function refusal(name: Glob, { field, allowed, denied, ignoresCase }: Rail): string | undefined {
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  const budget: Budget = { steps: manySteps };
  try {
    const refusing = denied?.names.find((one) => intersects(fold(name), fold(one), budget));
    if (denied !== undefined && refusing !== undefined) return `"${denied.field}" contains ${quote(refusing)}`;
    if (allowed === undefined || isCovered([fold(name)], allowed.map(fold), budget)) return undefined;
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return `it cannot be decided whether "${field}" contains all of it`;
  }
  return allowed.length === 0
    ? `"${field}" is empty or not stated, so it allows nothing`
    : `"${field}" does not contain all of it`;
}

/**
 * The guard rail for one kind of names in a cloud with several lists: if one of them is stated, each of the others allows nothing unless
 * it is stated, too.
 *
 * @param lists the fields of all lists. @param base the path of the guard rails of the cloud.
 */
export function railAmong<List extends string>(
  rails: ValueMap,
  list: List,
  lists: readonly List[],
  { base, ignoresCase }: { readonly base: string; readonly ignoresCase: boolean },
): Rail {
  const isLimited = lists.some((one) => rails[one] !== undefined);
  return { field: `${base}.${list}`, allowed: textsIn(rails, list) ?? (isLimited ? [] : undefined), ignoresCase };
}

/** A name that its guard rail does not allow. @param field where it is. @param what it is: `the action`. */
export function nameOutside(name: string, field: string, what: string, rail: Rail): Outside[] {
  const why = refusal(name, rail);
  return why === undefined ? [] : [{ field, what, name, why }];
}

/** The names in a list that their guard rail does not allow. @param within the path of the mapping with the list, with a dot; "" for a section. */
export function namesOutside(values: ValueMap, list: string, what: string, rail: Rail, within = ""): Outside[] {
  return (textsIn(values, list) ?? []).flatMap((name, at) => nameOutside(name, `${within}${list}[${at}]`, what, rail));
}

/** The texts of a list in a section or in guard rails, which follow their schema; undefined if it is missing. */
export function textsIn(values: ValueMap, field: string): readonly string[] | undefined {
  return values[field] as readonly string[] | undefined;
}

/** The mappings of a list in a section. */
export function mapsIn(values: ValueMap, field: string): readonly ValueMap[] {
  return ((values[field] ?? []) as readonly Value[]).filter(isMap);
}

/** The finding about tokens of a workload that the cluster's provider refuses. @param audience undefined if it accepts them. */
export function audienceFindings(audience: string | undefined, { resource }: SelectedRequest): Finding[] {
  if (audience === undefined) return [];
  const message = `the tokens of its pods have the audience ${quote(audience)}, which the cluster's provider does not accept. Add it to "spec.issuer.audiences" in the ClusterIdentity, after the audiences that are there.`;
  return [finding("error", "workload-audience", message, { resource, field: "spec.delivery" })];
}

/** A finding about a request that was made of a WorkloadIdentity, in the terms of the WorkloadIdentity. */
export function inTermsOfWorkload(found: Finding, section: string, fields: WorkloadRenderer["fields"]): Finding {
  const pairs = [
    ...Object.entries(fields).map(([from, to]) => [`spec.providerSpec.${from}`, `spec.${section}.${to}`] as const),
    ["spec.providerSpec", `spec.${section}`] as const,
    ["spec.serviceAccountNames", "spec.serviceAccounts"] as const,
    ["spec.secretRef", "metadata"] as const,
  ];
  const said = (text: string) => pairs.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  return { ...found, message: said(found.message), ...(found.field === undefined ? {} : { field: said(found.field) }) };
}
