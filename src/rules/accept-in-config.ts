import { type Finding, finding } from "../core/finding.ts";
import { allByKey, type Resource } from "../core/resource.ts";
import { compareText, quote, quoteWhole, withoutSecrets } from "../core/text.ts";
import { didYouMean } from "../core/words.ts";
import type { Acceptance } from "../generated/cluster-identity.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { isCredentialsRequest, secretKeyOf } from "../requests/credentials-request.ts";
import type { Rule, Violation } from "./rule.ts";

/** What a ClusterIdentity accepts of the findings of rules. */
export interface AcceptingConfig {
  readonly identity: Identity;
  /** Today in UTC; undefined for a function, which has no clock: then nothing expires. */
  readonly today: string | undefined;
  /** `<secret namespace>/<secret name>` of bundles of rendered identities. */
  readonly keys: ReadonlyMap<Resource, string>;
  /** The objects that an acceptance can name: of the package, of a cluster, an install-config. */
  readonly named: readonly Resource[];
  /** Why an acceptance of a rule with this last day does not count, as the end of a sentence; undefined if it counts. */
  whyNotCounted(code: string, until: string | undefined): string | undefined;
}

/** The readable entries of `spec.accept`, by rule and object. */
export interface Acceptances {
  readonly config: AcceptingConfig;
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
}

type Entry = readonly [index: number, acceptance: Acceptance];

/** Prepares {@link acceptedByConfig} for any number of violations. */
export function acceptancesIn(config: AcceptingConfig): Acceptances {
  const readable = [...config.identity.accept.entries()].filter(([, { reason }]) => isReadable(reason));
  return { config, entries: allByKey(readable, ([, { rule, object }]) => `${rule} ${object}`) };
}

/**
 * A violation that `spec.accept` of the ClusterIdentity covers: a note with the reason or, if the acceptance has expired, the
 * finding itself with that fact. Undefined if no entry covers it.
 */
export function acceptedByConfig(
  { code, severity }: Rule,
  violation: Violation,
  acceptances: Acceptances | undefined,
): Finding | undefined {
  const { resource, message } = violation;
  if (acceptances === undefined || acceptances.entries.size === 0 || resource === undefined) return undefined;
  const { config } = acceptances;
  const entries = namesOf(resource, config.keys)
    .flatMap((name) => acceptances.entries.get(`${code} ${name}`) ?? [])
    .sort(([a], [b]) => a - b);
  const [first] = entries;
  if (first === undefined) return undefined;
  const current = entries.filter(([, one]) => !isExpired(one, config.today));
  const valid = current.find(([, { until }]) => config.whyNotCounted(code, until) === undefined);
  if (valid !== undefined) return acceptedFinding({ code, severity }, violation, valid[1]);
  const [index, { until = "" }] = current[0] ?? first;
  const why =
    current.length === 0 ? `expired on ${until}` : `does not count: ${config.whyNotCounted(code, until || undefined)}`;
  return finding(severity, code, `${message} Its acceptance in "spec.accept[${index}]" ${why}.`, violation);
}

/**
 * A violation that is accepted: a note with the reason.
 *
 * @param by what accepts it, if it is not the package: " by …".
 */
export function acceptedFinding(
  { code, severity }: Pick<Finding, "code"> & Pick<Rule, "severity">,
  violation: Violation,
  { reason, until }: Pick<Acceptance, "reason" | "until">,
  by = "",
): Finding {
  const { message } = violation;
  const accepted = quoteWhole(reason.trim());
  const lasting = until === undefined ? "" : ` until ${until}`;
  const acceptance = {
    severity,
    message: withoutSecrets(message),
    reason: withoutSecrets(reason.trim()),
    ...(until === undefined ? {} : { until }),
    ...(by === "" ? {} : { isOfPolicy: true as const }),
  };
  return {
    ...finding("info", code, `${message} Accepted${lasting}${by}: ${accepted}.`, violation),
    accepted,
    acceptance,
  };
}

/**
 * Whether an acceptance has expired. It is valid through its last day; dates of this form sort as strings.
 *
 * @param today undefined if there is no clock: then nothing expires.
 */
export function isExpired({ until }: Pick<Acceptance, "until">, today: string | undefined): boolean {
  return until !== undefined && today !== undefined && until < today;
}

/** What is wrong with each entry of `spec.accept`. */
export function configProblems(
  config: AcceptingConfig,
  found: readonly FoundViolation[],
  rules: readonly Rule[],
  looked: (rule: Rule) => boolean,
): Finding[] {
  if (config.identity.accept.length === 0) return [];
  const named = new Set(config.named.flatMap((resource) => namesOf(resource, config.keys)));
  const occurring = new Set(
    found.flatMap(({ rule, violation: { resource } }) =>
      resource === undefined ? [] : namesOf(resource, config.keys).map((name) => `${rule.code} ${name}`),
    ),
  );
  const hints = new Hints(config.named);
  return config.identity.accept.flatMap((entry, index) =>
    problemOf(entry, `spec.accept[${index}]`, config, { named, occurring, hints }, rules, looked),
  );
}

interface Names {
  /** The names that an acceptance can have. */
  readonly named: ReadonlySet<string>;
  /** `<rule> <name>` of what was found. */
  readonly occurring: ReadonlySet<string>;
  readonly hints: Hints;
}

function problemOf(
  { rule: code, object, reason }: Acceptance,
  entry: string,
  config: AcceptingConfig,
  { named, occurring, hints }: Names,
  rules: readonly Rule[],
  looked: (rule: Rule) => boolean,
): Finding[] {
  const { identity } = config;
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
  if (occurring.has(`${code} ${object}`) || !looked(rule)) return [];
  if (!named.has(object)) {
    const hint = hints.of(object);
    const message = `no object is named ${quoteWhole(object)}${hint}; correct the name, or remove "${entry}".`;
    return [finding("warning", "accept-unmatched", message, at(".object"))];
  }
  const message = `"${entry}" accepts ${quote(code)} in ${quoteWhole(object)}, where the rule no longer finds anything; remove the entry.`;
  return [finding("warning", "accept-unused", message, at(""))];
}

function isKindName(object: string): boolean {
  return /^[A-Z]/.test(object);
}

/**
 * The names by which an acceptance can name an object. `<secret namespace>/<secret name>` names everything of one component
 * identity: its request, its role and its Secret.
 *
 * @param keys see {@link AcceptingConfig.keys}.
 */
export function namesOf(resource: Resource, keys: AcceptingConfig["keys"]): string[] {
  const key = isCredentialsRequest(resource)
    ? secretKeyOf(resource.value())
    : resource.kind === "Secret"
      ? `${resource.namespace}/${resource.name}`
      : keys.get(resource);
  const name = kindName(resource);
  return [...(isKindName(name) ? [name] : []), ...(key === undefined || isKindName(key) ? [] : [key])];
}

function kindName({ kind, namespace, name }: Resource): string {
  return namespace === "" ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

/** How many names get a hint: a hint compares a name with all others, and a list of wrong names has one cause. */
const maxHints = 20;

/** Names like those that do not exist. */
class Hints {
  readonly #named: readonly Resource[];
  readonly #lists = new Map<boolean, readonly string[]>();
  #left = maxHints;

  constructor(named: readonly Resource[]) {
    this.#named = named;
  }

  of(object: string): string {
    if (this.#left-- <= 0) return "";
    const isKind = isKindName(object);
    const list = this.#lists.get(isKind) ?? namesLike(isKind, this.#named);
    this.#lists.set(isKind, list);
    return didYouMean(object, list);
  }
}

// Sorted, so that the nearest name does not depend on the order of the objects.
function namesLike(isKind: boolean, named: readonly Resource[]): string[] {
  const names = named.flatMap((resource) => {
    if (isKind) return [kindName(resource)];
    if (isCredentialsRequest(resource)) return [secretKeyOf(resource.value()) ?? ""];
    return resource.kind === "Secret" ? [`${resource.namespace}/${resource.name}`] : [];
  });
  return [...new Set(names)].sort(compareText);
}

/**
 * Whether a reason has a visible letter or digit. Some letters of Unicode are invisible by design (Unicode Standard,
 * Default_Ignorable_Code_Point).
 */
export function isReadable(reason: string): boolean {
  return /[\p{L}\p{N}]/u.test(reason.replace(/\p{Default_Ignorable_Code_Point}/gu, ""));
}

/** What a rule found. */
export interface FoundViolation {
  readonly rule: Rule;
  readonly violation: Violation;
}
