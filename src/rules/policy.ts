import { type Finding, finding, findingsOf } from "../core/finding.ts";
import { entryOf, type Resource } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { schemaFindings } from "../core/validation.ts";
import { didYouMean } from "../core/words.ts";
import type { AcceptedFinding, ReviewPolicy, ReviewPolicySpec } from "../generated/review-policy.ts";
import { reviewPolicyWords, validateReviewPolicy } from "../generated/validate-review-policy.js";
import { matches } from "../permissions/glob.ts";
import { acceptedFinding, isExpired, isReadable, namesOf } from "./accept-in-config.ts";
import type { Facts, Rule, Violation } from "./rule.ts";

/** The kind of the object with the policy of a company. */
export const policyKind = "ReviewPolicy";

/** The policy of a company, valid. */
export interface Policy {
  readonly spec: ReviewPolicySpec;
  /** The file and the line of a field, for messages: "review-policy.yaml:7". */
  where(field: string): string;
}

/** How the findings of a package are judged, besides what the package says. */
export interface Review {
  readonly policy?: Policy | undefined;
  /** Acceptances in packages do not count. */
  readonly ignoresAccept?: boolean;
}

/** What a policy demands of the packages for one cloud. */
export interface Requirement {
  /** The field of the policy that states it. */
  readonly field: string;
  readonly code: "policy-required" | "policy-forbidden";
  /** A message ends with a period. What is undecided is a finding, too. */
  check(facts: Facts): readonly Violation[];
}

/** The codes of findings about requirements, which only the policy itself can accept. */
const requirementCodes = ["policy-forbidden", "policy-required", "policy-undecided"];

/**
 * Checks a ReviewPolicy.
 *
 * @param codes of all rules.
 */
export function readPolicy(resource: Resource, codes: readonly string[], where: Policy["where"]): Policy | Finding[] {
  const findings = findingsOf(() => problemsOf(resource, codes));
  return findings.length > 0 ? findings : { spec: (resource.value() as unknown as ReviewPolicy).spec, where };
}

const fieldCodes = { unknown: "policy-invalid", missing: "policy-invalid", invalid: "policy-invalid" } as const;

function problemsOf(resource: Resource, codes: readonly string[]): Finding[] {
  const value = resource.value();
  if (!validateReviewPolicy(value))
    return schemaFindings(validateReviewPolicy.errors ?? [], value, { resource }, fieldCodes, reviewPolicyWords());
  const { severities = {}, accept = {}, accepted = [] } = value.spec;
  const unknownRule = (code: string, field: string, known: readonly string[]) =>
    known.includes(code)
      ? []
      : [
          finding("error", "policy-invalid", `unknown rule ${quote(code)}${didYouMean(code, known)}.`, {
            resource,
            field,
          }),
        ];
  return [
    ...Object.keys(severities).flatMap((code) => unknownRule(code, `spec.severities.${code}`, codes)),
    ...Object.keys(accept.rules ?? {}).flatMap((code) => unknownRule(code, `spec.accept.rules.${code}`, codes)),
    ...accepted.flatMap(({ rule, reason }, index) => [
      ...unknownRule(rule, `spec.accepted[${index}].rule`, [...codes, ...requirementCodes]),
      ...(isReadable(reason) ? [] : [unreadable(resource, `spec.accepted[${index}].reason`)]),
    ]),
  ];
}

function unreadable(resource: Resource, field: string): Finding {
  return finding("error", "policy-invalid", `"${field}" must give the reason in words.`, { resource, field });
}

/** Whether the policy turns a rule off. */
export function isOff({ policy }: Review, code: string): boolean {
  return entryOf(policy?.spec.severities ?? {}, code) === "off";
}

/** The rules that are checked, with their severities: the policy decides first, then the ClusterIdentity, then the defaults. */
export function rulesInForce(rules: readonly Rule[], { policy }: Review, optionalRules: readonly string[]): Rule[] {
  return rules.flatMap((rule) => {
    const severity = entryOf(policy?.spec.severities ?? {}, rule.code);
    if (severity === "off") return [];
    if (severity !== undefined) return [{ ...rule, severity }];
    return !rule.isOptional || optionalRules.includes(rule.code) ? [rule] : [];
  });
}

/**
 * Why an acceptance in a package does not count, as the end of a sentence; undefined if it counts.
 *
 * @param until its last day; an acceptance in an annotation has none.
 * @param today undefined for a function, which never has a policy.
 */
export function whyNotCounted(
  { policy, ignoresAccept }: Review,
  code: string,
  until: string | undefined,
  today: string | undefined,
): string | undefined {
  if (ignoresAccept) return "--ignore-accept was given";
  if (policy === undefined) return undefined;
  const { from, rules = {}, maxDays } = policy.spec.accept ?? {};
  if (entryOf(rules, code) === "Never")
    return `${policy.where(`spec.accept.rules.${code}`)} does not let a package accept ${quote(code)}`;
  if (from === "Policy") return `${policy.where("spec.accept.from")} lets only the policy accept findings`;
  if (maxDays === undefined || today === undefined) return undefined;
  const last = new Date(Date.parse(today) + maxDays * millisecondsOfDay).toISOString().slice(0, 10);
  if (until !== undefined && until <= last) return undefined;
  return `${policy.where("spec.accept.maxDays")} requires "until" with ${last} or an earlier day`;
}

const millisecondsOfDay = 86_400_000;

/** What the acceptances of a policy need to know of a package. */
export interface PolicySubject {
  readonly policy: Policy | undefined;
  /** The name of its cluster; undefined without a ClusterIdentity. */
  readonly cluster: string | undefined;
  readonly today: string | undefined;
  /** See {@link AcceptingConfig.keys}. */
  readonly keys: ReadonlyMap<Resource, string>;
}

/** A violation that the policy accepts, as a note; undefined if no entry covers it. */
export function acceptedByPolicy(
  rule: Pick<Finding, "code"> & Pick<Rule, "severity">,
  violation: Violation,
  { keys, ...subject }: PolicySubject,
): Finding | undefined {
  const { resource } = violation;
  const found = resource === undefined ? undefined : entryFor(rule.code, namesOf(resource, keys), subject);
  return found === undefined ? undefined : acceptedFinding(rule, violation, found.entry, found.by);
}

function entryFor(
  code: string,
  names: readonly string[],
  { policy, cluster, today }: Omit<PolicySubject, "keys">,
): { readonly entry: AcceptedFinding; readonly by: string } | undefined {
  const { accepted = [] } = policy?.spec ?? {};
  const index = accepted.findIndex(
    (one) => one.rule === code && names.includes(one.object) && isFor(one, cluster) && !isExpired(one, today),
  );
  const entry = accepted[index];
  return entry === undefined ? undefined : { entry, by: ` by ${policy?.where(`spec.accepted[${index}]`)}` };
}

/**
 * A finding of a rule that compared several packages, as the review of its package judges it: none, if the rule is off.
 *
 * @param identity the ClusterIdentity that the finding is about.
 */
export function reviewed(found: Finding, identity: Resource | undefined, review: Review, today: string): Finding[] {
  const { code, acceptance } = found;
  if (isOff(review, code)) return [];
  const given = entryOf(review.policy?.spec.severities ?? {}, code) as Rule["severity"] | undefined;
  const severity = given ?? acceptance?.severity ?? found.severity;
  const {
    accepted: _,
    acceptance: __,
    ...open
  } = { ...found, severity, message: acceptance?.message ?? found.message };
  const at = { ...(identity && { resource: identity }), ...(found.field !== undefined && { field: found.field }) };
  const { policy } = review;
  const subject = { policy, cluster: identity?.name, today, keys: new Map() };
  const byPolicy =
    severity === "info" ? undefined : acceptedByPolicy({ code, severity }, { message: open.message, ...at }, subject);
  if (byPolicy !== undefined) return [byPolicy];
  if (acceptance === undefined) return [open];
  const why = whyNotCounted(review, code, acceptance.until, today);
  if (why !== undefined) return [{ ...open, message: `${open.message} Its acceptance does not count: ${why}.` }];
  return [{ ...found, ...(given === undefined ? {} : { acceptance: { ...acceptance, severity: given } }) }];
}

function isFor({ clusters }: AcceptedFinding, cluster: string | undefined): boolean {
  return clusters === undefined || (cluster !== undefined && matches(clusters, cluster));
}

/** What a package lacks that the policy requires, what it has that the policy forbids, and what cannot be decided. */
export function checkRequirements(
  requirements: readonly Requirement[],
  facts: Facts,
  policy: Policy,
  subject: PolicySubject,
): Finding[] {
  return requirements.flatMap(({ field, code, check }) =>
    check(facts).map(({ isUndecided, ...violation }) => {
      const verb = code === "policy-required" ? "requires" : "forbids";
      const judged = isUndecided ? "policy-undecided" : code;
      const message = `${violation.message} ${policy.where(field)} ${verb} it.`;
      const said = { ...violation, message };
      return (
        acceptedByPolicy({ code: judged, severity: "error" }, said, subject) ?? finding("error", judged, message, said)
      );
    }),
  );
}
