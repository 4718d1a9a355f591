import { type Finding, finding } from "../core/finding.ts";
import { allByKey, type Resource } from "../core/resource.ts";
import { compareText, quote, quoteWhole, withoutSecrets } from "../core/text.ts";
import { didYouMean } from "../core/words.ts";
import {
  type AcceptingConfig,
  acceptancesIn,
  acceptedByConfig,
  configProblems,
  type FoundViolation,
  isReadable,
} from "./accept-in-config.ts";
import { type Facts, type Rule, type RuleInput, readFacts, type Subject, type Violation } from "./rule.ts";

/** Checks a subject against rules: {@link rules}, and those of the cluster's cloud. */
export function checkRules(subject: Subject, rules: readonly Rule[]): Finding[] {
  const facts = readFacts(subject);
  const isOn = ({ isOptional, code }: Rule) => !isOptional || facts.identity?.optionalRules.includes(code) === true;
  const found = rules.filter(isOn).flatMap((rule) => rule.check(facts).map((violation) => ({ rule, violation })));
  const { installConfig, items, live, identity, today, rendered } = facts;
  const read = new Set<RuleInput>(["package"]);
  if (live.length > 0) read.add("live");
  if (installConfig !== undefined) read.add("install-config");
  const keys = new Map(rendered.flatMap(({ resource, key }) => (resource && key ? [[resource, key] as const] : [])));
  const config = identity === undefined ? undefined : { identity, today, keys, named: namedObjects(facts) };
  return judge(found, items, rules, read, config);
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

/**
 * The violations as findings. A violation that the object's annotations accept becomes a note with the reason. An acceptance
 * without a violation, without a reason, or of an unknown rule is a finding itself.
 *
 * @param objects the package's own objects. Only these accept: otherwise anyone who may write to a cluster could silence its
 * check. An install-config is not an object of the package.
 * @param read what was available to read: if a rule could not look, its acceptance is not out of date.
 * @param config the ClusterIdentity, which accepts for all objects; an object's own annotations take precedence.
 */
export function judge(
  found: readonly FoundViolation[],
  objects: readonly Resource[],
  rules: readonly Rule[],
  read: ReadonlySet<RuleInput>,
  config?: AcceptingConfig,
): Finding[] {
  const accepted = new Map(objects.map((object) => [object, acceptanceOf(object)]));
  const acceptances = config === undefined ? undefined : acceptancesIn(config);
  const broken = allByKey(found, ({ violation }) => violation.resource);
  return [
    ...found.map(({ rule, violation }) => {
      const { resource } = violation;
      const acceptance = resource === undefined ? undefined : accepted.get(resource);
      const byItself = findingOf(rule, violation, acceptance);
      const byConfig = byItself.accepted === undefined ? acceptedByConfig(rule, violation, acceptances) : undefined;
      if (byConfig !== undefined) return byConfig;
      if (resource === undefined || acceptance !== undefined) return byItself;
      const isIgnored = acceptanceOf(resource).codes.includes(rule.code);
      const message = isIgnored ? `${violation.message} ${notCounted}` : violation.message;
      return findingOf(rule, { ...violation, message }, undefined);
    }),
    ...[...accepted].flatMap(([object, acceptance]) =>
      problemsOf(object, acceptance, broken.get(object) ?? [], rules, read),
    ),
    ...(config === undefined ? [] : configProblems(config, found, rules, read)),
  ];
}

const notCounted =
  "The acceptance in the object itself has no effect: only objects of the package can accept findings.";

interface Acceptance {
  readonly codes: readonly string[];
  /** "" if it is missing or has no visible text. */
  readonly reason: string;
}

function acceptanceOf({ annotations }: Resource): Acceptance {
  const reason = (annotations.get(reasonAnnotation) ?? "").trim();
  const codes = (annotations.get(acceptAnnotation) ?? "").split(",").map((code) => code.trim());
  return {
    codes: [...new Set(codes)].filter((code) => code !== "").sort(compareText),
    reason: isReadable(reason) ? reason : "",
  };
}

function findingOf({ code, severity }: Rule, violation: Violation, acceptance: Acceptance | undefined): Finding {
  const { message } = violation;
  if (acceptance === undefined || acceptance.reason === "" || !acceptance.codes.includes(code))
    return finding(severity, code, message, violation);
  const accepted = quoteWhole(acceptance.reason);
  const without = { severity, message: withoutSecrets(message), reason: withoutSecrets(acceptance.reason) };
  return { ...finding("info", code, `${message} Accepted: ${accepted}.`, violation), accepted, acceptance: without };
}

function problemsOf(
  resource: Resource,
  { codes, reason }: Acceptance,
  // In this object.
  found: readonly FoundViolation[],
  rules: readonly Rule[],
  read: ReadonlySet<RuleInput>,
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
    const occurs = found.some((one) => one.rule === rule);
    if (occurs || !read.has(rule.reads)) return [];
    const message = `accepts ${quote(code)}, but the rule no longer finds anything in it; remove the code from "${acceptAnnotation}".`;
    return [finding("warning", "accept-unused", message, location)];
  });
}
