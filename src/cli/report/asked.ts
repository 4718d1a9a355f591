import { type Finding, finding } from "../../core/finding.ts";
import { digestOf, sha256 } from "../../core/hash.ts";
import type { ValueMap } from "../../core/resource.ts";
import { compareText, quote } from "../../core/text.ts";
import { nearest } from "../../core/words.ts";
import { matches } from "../../permissions/glob.ts";
import type { Holder } from "../../permissions/identity.ts";
import { namedAction } from "../../permissions/permissions.ts";
import { type Reach, reachLine } from "../../permissions/reach.ts";
import type { PermissionTerms, RoleDefinitions } from "../../permissions/terms.ts";
import type { AllowedBy, MayAnswer } from "../../permissions/who-may.ts";
import type { Cell } from "../terminal/table.ts";
import type { NamedCluster } from "./cluster-row.ts";

/** Notes what a question was asked about, so that an empty answer says it. */
export class AskedAbout {
  readonly #digests = new Map<string, string>();
  #identities = 0;

  /** @param directory as the command line names the package. */
  add(directory: string, { cluster, bundles }: Pick<NamedCluster, "cluster" | "bundles">): void {
    this.#identities += cluster.identities.length;
    const texts = bundles.flatMap((bundle) =>
      [...bundle.files].map(([name, text]) => JSON.stringify([bundle.directory, name, text])),
    );
    this.#digests.set(directory, sha256(texts.sort(compareText).join("\n")).toString("hex"));
  }

  /** The digest of all that was read: of the paths of the packages and of their rendered files. */
  get #digest(): string {
    const lines = [...this.#digests].map(([directory, digest]) => JSON.stringify([directory, digest]));
    return digestOf(lines.sort(compareText).join("\n"));
  }

  /** @param what what no identity can do, such as "do s3:DeleteObject". */
  nothing(what: string): string {
    const packages = count(this.#digests.size, "package", "packages");
    const identities = count(this.#identities, "identity", "identities");
    return `No identity in ${packages} (${identities}) can ${what}. Digest of what was read: ${this.#digest}.`;
  }

  /** The same for programs. */
  nothingJson(question: ValueMap): ValueMap {
    const packages = this.#digests.size;
    return { question, answers: 0, packages, identities: this.#identities, digest: this.#digest };
  }
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Collects the names of actions, to find out whether a question has a mistyped one. */
export class NamedActions {
  readonly #terms: PermissionTerms;
  readonly #names = new Set<string>();
  readonly #sets = new Set<string>();

  /** @param terms those of the cloud in whose notation the action is. */
  constructor(terms: PermissionTerms, definitions: RoleDefinitions | undefined) {
    this.#terms = terms;
    for (const { permissions } of definitions?.values() ?? []) for (const one of permissions) this.#add(one);
  }

  add(identities: readonly Holder[]): void {
    for (const { permissions } of identities)
      for (const { actions, except = [] } of permissions) for (const one of [...actions, ...except]) this.#add(one);
  }

  #add(written: string): void {
    const action = namedAction(written)?.name ?? written;
    if (this.#terms.actionForm.test(action)) (/[*?]/.test(action) ? this.#sets : this.#names).add(action);
  }

  /**
   * A warning if no file and no known role names the action, and its service is not known or another name is near. A service that
   * files name only by wildcards may have the action.
   */
  warning(action: string): Finding | undefined {
    const fold = (text: string) => (this.#terms.actionsIgnoreCase ? text.toLowerCase() : text);
    const asked = fold(action);
    const names = [...this.#names].sort(compareText);
    if (names.some((name) => matches(asked, fold(name))) || [...this.#sets].some((set) => fold(set) === asked))
      return undefined;
    const near = /[*?]/.test(action) ? undefined : nearest(action, names, maxEdits);
    const services = new Set([...names, ...this.#sets].map((name) => fold(serviceOf(name))));
    const isKnown = services.has(fold(serviceOf(action)));
    if (isKnown && near === undefined) return undefined;
    const service = near === undefined ? nearest(serviceOf(action), [...services].sort(compareText)) : undefined;
    const hint = near ?? (service === undefined ? undefined : `${service}${action.slice(serviceOf(action).length)}`);
    const meant = hint === undefined ? "" : ` Did you mean ${quote(hint)}?`;
    const what = isKnown ? "the action" : "the service of the action";
    return finding("warning", "action-not-named", `no file and no known role names ${what} ${quote(action)}.${meant}`);
  }
}

/** Names of actions are long and similar, so more than two edits are another action. */
const maxEdits = 2;

// "s3" of "s3:GetObject", "compute" of "compute.disks.delete", "Microsoft.Compute" of "Microsoft.Compute/disks/delete".
function serviceOf(action: string): string {
  return /^[^:/]*\//.test(action) ? action.replace(/\/.*$/s, "") : action.replace(/[:.].*$/s, "");
}

/** A question about every identity of a fleet, and how its answers are shown. */
export interface IdentityQuestion<Answer> {
  readonly columns: readonly string[];
  /** The rows of a table, without the package. */
  rows(answer: Answer): Cell[][];
  /** For people, without the package; the first line names the identity. */
  lines(answer: Answer): string[];
  json(answer: Answer): ValueMap;
}

/** What a command line asks. */
export interface Inquiry<Answer> {
  readonly question: IdentityQuestion<Answer>;
  ask(read: NamedCluster): readonly Answer[];
  /** What no identity can do, if the answer is empty. */
  readonly what: string;
  readonly json: ValueMap;
  /** The action of the question, and what is known about its cloud. */
  readonly named?: { readonly action: string; readonly cloud: string; readonly names: NamedActions };
}

/** `--who-may` */
export const mayQuestion: IdentityQuestion<MayAnswer> = {
  columns: ["secret", "id", "answer", "actions", "resources", "conditions", "role", "reason"],
  rows: ({ secret, identity, answer, by, reason }) => {
    const shown: readonly (AllowedBy | undefined)[] = by.length === 0 ? [undefined] : by;
    return shown.map((one) => [
      ...[secret, identity, answer, one?.patterns.join("; "), one?.resources.join("; ")],
      ...[one?.conditions.join("; "), one?.role, reason],
    ]);
  },
  lines: ({ secret, identity, answer, by, reason }) => [
    `${named(secret, identity)}${answer === "allowed" ? "" : `: undecided: ${reason}`}`,
    ...by.map((one) => `  ${answer === "allowed" ? "may" : "perhaps"} ${byText(one)}`),
  ],
  json: ({ identity, secret, answer, by, reason }) => ({
    secret,
    id: identity,
    answer,
    ...(reason === undefined ? {} : { reason }),
    by: by.map(({ patterns, resources, conditions, role }) => ({
      actions: [...patterns],
      resources: [...resources],
      conditions: [...conditions],
      ...(role === undefined ? {} : { role }),
    })),
  }),
};

/** `--reach` */
export const reachQuestion: IdentityQuestion<Reach> = {
  columns: ["secret", "id", "answer", "changes", "reads", "undecided", "why"],
  rows: ({ secret, identity, answer, changes, reads, undecided, why }) => [
    [secret, identity, answer, changes.join("; "), reads.join("; "), undecided.join("; "), why],
  ],
  lines: (reach) => [named(reach.secret, reach.identity), `  ${reachLine(reach)}`],
  json: ({ identity, secret, answer, changes, reads, undecided, why }) => ({
    ...{ secret, id: identity, answer, why },
    ...{ changes: [...changes], reads: [...reads], undecided: [...undecided] },
  }),
};

// Either may be unknown.
function named(secret: string, id: string): string {
  return secret === "" ? id || "an identity without a name" : id === "" ? secret : `${secret} (${id})`;
}

function byText({ patterns, resources, conditions, role }: AllowedBy): string {
  const parts = [
    patterns.join(", "),
    ...(role === undefined ? [] : [`by the role ${role}`]),
    `on ${resources.join(", ")}`,
    ...(conditions.length === 0 ? [] : [`when ${conditions.join(" and ")}`]),
  ];
  return parts.join(" ");
}
