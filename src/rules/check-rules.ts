import { type Finding, finding } from "../core/finding.ts";
import { allByKey, type Resource } from "../core/resource.ts";
import { compareText, quote } from "../core/text.ts";
import { didYouMean } from "../core/words.ts";
import {
  type AcceptingConfig,
  acceptancesIn,
  acceptedByConfig,
  acceptedFinding,
  configProblems,
  type FoundViolation,
  isReadable,
} from "./accept-in-config.ts";
import {
  acceptedByPolicy,
  checkRequirements,
  isOff,
  type Requirement,
  type Review,
  rulesInForce,
  whyNotCounted,
} from "./policy.ts";
import { type Facts, type Rule, type RuleInput, readFacts, type Subject, type Violation } from "./rule.ts";

/**
 * Checks a subject against rules: {@link rules}, and those of the cluster's cloud.
 *
 * @param requirements those of the policy for the cluster's cloud.
 */
export function checkRules(
  subject: Subject,
  rules: readonly Rule[],
  review: Review = {},
  requirements: readonly Requirement[] = [],
): Finding[] {
  const facts = readFacts(subject);
  const { installConfig, items, live, identity, today, rendered } = facts;
  const inForce = rulesInForce(rules, review, identity?.optionalRules ?? []);
  const found = inForce.flatMap((rule) => rule.check(facts).map((violation) => ({ rule, violation })));
  const read = new Set<RuleInput>(["package"]);
  if (live.length > 0) read.add("live");
  if (installConfig !== undefined) read.add("install-config");
  const keys = new Map(rendered.flatMap(({ resource, key }) => (resource && key ? [[resource, key] as const] : [])));
  const { policy } = review;
  const byPolicy = { policy, cluster: identity?.name, today, keys };
  const judging = {
    looked: ({ reads, code }: Rule) => read.has(reads) && !isOff(review, code),
    whyNotCounted: (code: string, until?: string) => whyNotCounted(review, code, until, today),
    acceptedByPolicy: ({ rule, violation }: FoundViolation) => acceptedByPolicy(rule, violation, byPolicy),
  };
  const config = identity === undefined ? undefined : { ...judging, identity, today, keys, named: namedObjects(facts) };
  return [
    ...judge(found, items, rules, judging, config),
    ...(policy === undefined ? [] : checkRequirements(requirements, facts, policy, byPolicy)),
  ];
}

// The objects that an acceptance in the ClusterIdentity can name, from all sources.
function namedObjects({ items, live, installConfig, filedSecrets }: Facts): readonly Resource[] {
  const filed = filedSecrets.map(({ resource }) => resource);
  return [...new Set([...items, ...filed, ...live, ...(installConfig === undefined ? [] : [installConfig])])];
}

/** Codes of the rules that an object may break, separated by commas. */
const acceptAnnotation = "fn.cloudcredential.dev/accept";

/** The reason. Without a reason nothing is accepted. */
const reasonAnnotation = "fn.cloudcredential.dev/accept-reason";

/** What decides about violations and acceptances, besides the objects themselves. */
interface Judging {
  /** Whether a rule had what it reads: if it could not look, its acceptance is not out of date. */
  looked(rule: Rule): boolean;
  /** Why an acceptance of a rule in an annotation does not count, as the end of a sentence. */
  whyNotCounted(code: string): string | undefined;
  acceptedByPolicy(found: FoundViolation): Finding | undefined;
}

/** Every rule could look, and every acceptance in a package counts. */
export const withoutPolicy: Judging = {
  looked: () => true,
  whyNotCounted: () => undefined,
  acceptedByPolicy: () => undefined,
};

/**
 * The violations as findings. A violation that the policy or the object's annotations accept becomes a note with the reason. An
 * acceptance without a violation, without a reason, or of an unknown rule is a finding itself.
 *
 * @param objects the package's own objects. Only these accept: otherwise anyone who may write to a cluster could silence its
 * check. An install-config is not an object of the package.
 * @param config the ClusterIdentity, which accepts for all objects; an object's own annotations take precedence.
 */
export function judge(
  found: readonly FoundViolation[],
  objects: readonly Resource[],
  rules: readonly Rule[],
  judging: Judging,
  config: AcceptingConfig | undefined,
): Finding[] {
  const accepted = new Map(objects.map((object) => [object, acceptanceOf(object)]));
  const acceptances = config === undefined ? undefined : acceptancesIn(config);
  const broken = allByKey(found, ({ violation }) => violation.resource);
  return [
    ...found.map((one) => {
      const { rule, violation } = one;
      const byPolicy = judging.acceptedByPolicy(one);
      if (byPolicy !== undefined) return byPolicy;
      const { resource } = violation;
      const acceptance = resource === undefined ? undefined : accepted.get(resource);
      const byItself = findingOf(rule, violation, acceptance);
      const why = byItself.accepted === undefined ? undefined : judging.whyNotCounted(rule.code);
      if (byItself.accepted !== undefined && why === undefined) return byItself;
      const byConfig = acceptedByConfig(rule, violation, acceptances);
      if (byConfig !== undefined) return byConfig;
      if (why !== undefined) return withRemark(rule, violation, `Its acceptance in the object does not count: ${why}.`);
      if (resource === undefined || acceptance !== undefined) return byItself;
      const isIgnored = acceptanceOf(resource).codes.includes(rule.code);
      return isIgnored ? withRemark(rule, violation, notCounted) : byItself;
    }),
    ...[...accepted].flatMap(([object, acceptance]) =>
      problemsOf(object, acceptance, broken.get(object) ?? [], rules, judging),
    ),
    ...(config === undefined ? [] : configProblems(config, found, rules, judging.looked)),
  ];
}

function withRemark(rule: Rule, violation: Violation, remark: string): Finding {
  return findingOf(rule, { ...violation, message: `${violation.message} ${remark}` }, undefined);
}

const notCounted =
  "The acceptance in the object itself has no effect: only objects of the package can accept findings.";

interface Acceptance {
  readonly codes: readonly string[];
  /** "" if it is missing or has no visible text. */
  readonly reason: string;
}

/** What the annotations of an object accept. */
export function acceptanceOf({ annotations }: Resource): Acceptance {
  const reason = (annotations.get(reasonAnnotation) ?? "").trim();
  const codes = (annotations.get(acceptAnnotation) ?? "").split(",").map((code) => code.trim());
  return {
    codes: [...new Set(codes)].filter((code) => code !== "").sort(compareText),
    reason: isReadable(reason) ? reason : "",
  };
}

function findingOf(rule: Rule, violation: Violation, acceptance: Acceptance | undefined): Finding {
  if (acceptance === undefined || acceptance.reason === "" || !acceptance.codes.includes(rule.code))
    return finding(rule.severity, rule.code, violation.message, violation);
  return acceptedFinding(rule, violation, acceptance);
}

function problemsOf(
  resource: Resource,
  { codes, reason }: Acceptance,
  // In this object.
  found: readonly FoundViolation[],
  rules: readonly Rule[],
  { looked }: Judging,
): Finding[] {
  if (codes.length === 0) return [];
  const location = { resource, field: `metadata.annotations.${acceptAnnotation}` };
  if (reason === "") {
    const message = `"${acceptAnnotation}" requires a reason in "${reasonAnnotation}"; without a reason nothing is accepted.`;
    return [finding("error", "accept-without-reason", message, location)];
  }
  return codes.flatMap((code) => {
    const rule = rules.find((rule) => rule.code === code);
    if (rule === undefined) {
      const hint = didYouMean(
        code,
        rules.map((rule) => rule.code),
      );
      const message = `"${acceptAnnotation}" names the unknown rule ${quote(code)}${hint}; correct it. Errors of a generator cannot be accepted.`;
      return [finding("warning", "accept-unknown", message, location)];
    }
    const occurs = found.some((one) => one.rule.code === code);
    if (occurs || !looked(rule)) return [];
    const message = `accepts ${quote(code)}, but the rule no longer finds anything in it; remove the code from "${acceptAnnotation}".`;
    return [finding("warning", "accept-unused", message, location)];
  });
}
