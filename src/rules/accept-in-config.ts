import { type Finding, finding } from "../core/finding.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Resource } from "../core/resource.ts";
import { compareText, quote, quoteWhole, withoutSecrets } from "../core/text.ts";
import type { Acceptance } from "../generated/cluster-identity.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { isCredentialsRequest, secretKeyOf } from "../requests/credentials-request.ts";
import type { Found } from "./found.ts";
import { isReadable } from "./readable.ts";
import type { Reading, Rule, Violation } from "./rule.ts";

/** What a ClusterIdentity accepts of the findings of rules. */
export interface AcceptingConfig {
  readonly identity: Identity;
  /** Today in UTC; undefined for a function, which has no clock: then nothing expires. */
  readonly today: string | undefined;
  /** `<secret namespace>/<secret name>` of bundles of rendered identities. */
  readonly keys: ReadonlyMap<Resource, string>;
  /** The objects that an acceptance can name: of the package, of a cluster, an install-config. */
  readonly named: readonly Resource[];
}

/**
 * A violation that `spec.accept` of the ClusterIdentity covers: a note with the reason or, if the acceptance has expired, the
 * finding itself with that fact. Undefined if no entry covers it.
 */
export function acceptedByConfig(
  { code, severity }: Rule,
  violation: Violation,
  config: AcceptingConfig | undefined,
): Finding | undefined {
  const { resource, message } = violation;
  if (config === undefined || resource === undefined) return undefined;
  const entries = [...config.identity.accept.entries()].filter(
    ([, { rule, object, reason }]) => rule === code && isReadable(reason) && isNamed(object, resource, config),
  );
  const valid = entries.find(([, one]) => !isExpired(one, config));
  if (valid !== undefined) {
    const [, { reason, until }] = valid;
    const accepted = quoteWhole(reason.trim());
    const lasting = until === undefined ? "Accepted" : `Accepted until ${until}`;
    const acceptance = {
      severity,
      message: withoutSecrets(message),
      reason: withoutSecrets(reason.trim()),
      ...(until === undefined ? {} : { until }),
    };
    return { ...finding("info", code, `${message} ${lasting}: ${accepted}.`, violation), accepted, acceptance };
  }
  const [expired] = entries;
  if (expired === undefined) return undefined;
  const [index, { until = "" }] = expired;
  return finding(
    severity,
    code,
    `${message} Its acceptance in "spec.accept[${index}]" expired on ${until}.`,
    violation,
  );
}

// An acceptance is valid through its last day. Dates of this form sort as strings.
function isExpired({ until }: Acceptance, { today }: AcceptingConfig): boolean {
  return until !== undefined && today !== undefined && until < today;
}

/** What is wrong with each entry of `spec.accept`. */
export function configProblems(
  config: AcceptingConfig,
  found: readonly Found[],
  rules: readonly Rule[],
  read: ReadonlySet<Reading>,
): Finding[] {
  return config.identity.accept.flatMap((entry, index) =>
    problemOf(entry, `spec.accept[${index}]`, config, found, rules, read),
  );
}

function problemOf(
  { rule: code, object, reason }: Acceptance,
  entry: string,
  config: AcceptingConfig,
  found: readonly Found[],
  rules: readonly Rule[],
  read: ReadonlySet<Reading>,
): Finding[] {
  const { identity, named } = config;
  const { resource } = identity;
  const at = (field: string) => ({ resource, field: `${entry}${field}` });
  const rule = rules.find((rule) => rule.code === code);
  if (rule === undefined) {
    const hint = didYouMean(
      code,
      rules.map((rule) => rule.code),
    );
    const message = `unknown rule ${quote(code)}${hint}; correct it. Errors of a generator cannot be accepted.`;
    return [finding("error", "accept-rule-unknown", message, at(".rule"))];
  }
  if (!isReadable(reason)) {
    const message = `"${entry}.reason" must give the reason in words; without a reason nothing is accepted.`;
    return [finding("error", "accept-without-reason", message, at(".reason"))];
  }
  const occurs = found.some(
    (one) =>
      one.rule === rule && one.violation.resource !== undefined && isNamed(object, one.violation.resource, config),
  );
  if (occurs || !read.has(rule.reads)) return [];
  if (!named.some((resource) => isNamed(object, resource, config))) {
    const hint = didYouMean(object, namesLike(object, named));
    const message = `no object is named ${quoteWhole(object)}${hint}; correct the name, or remove "${entry}".`;
    return [finding("warning", "accept-unmatched", message, at(".object"))];
  }
  const message = `"${entry}" accepts ${quote(code)} in ${quoteWhole(object)}, where the rule no longer finds anything; remove the entry.`;
  return [finding("warning", "accept-unused", message, at(""))];
}

function isKindName(object: string): boolean {
  return /^[A-Z]/.test(object);
}

// `<secret namespace>/<secret name>` names everything of one component identity: its request, its role and its Secret.
function isNamed(object: string, resource: Resource, { keys }: AcceptingConfig): boolean {
  if (isKindName(object)) return object === kindName(resource);
  if (isCredentialsRequest(resource)) return secretKeyOf(resource.value()) === object;
  if (resource.kind === "Secret") return `${resource.namespace}/${resource.name}` === object;
  return keys.get(resource) === object;
}

function kindName({ kind, namespace, name }: Resource): string {
  return namespace === "" ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

// Sorted, so that the nearest name does not depend on the order of the objects.
function namesLike(object: string, named: readonly Resource[]): string[] {
  const names = named.flatMap((resource) => {
    if (isKindName(object)) return [kindName(resource)];
    if (isCredentialsRequest(resource)) return [secretKeyOf(resource.value()) ?? ""];
    return resource.kind === "Secret" ? [`${resource.namespace}/${resource.name}`] : [];
  });
  return [...new Set(names)].sort(compareText);
}
