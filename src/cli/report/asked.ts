import type { Inspector } from "../../clouds/inspector.ts";
import { inspectors } from "../../clouds/inspectors.ts";
import { type IdentityAnswer, knownIdentities } from "../../clouds/permissions.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { digestOf, sha256 } from "../../core/hash.ts";
import type { ValueMap } from "../../core/resource.ts";
import { compareText, quote } from "../../core/text.ts";
import { nearest } from "../../core/words.ts";
import { type LookedAt, noneOf, sentence, type Weighed } from "../../permissions/answer.ts";
import { matches } from "../../permissions/glob.ts";
import type { AskedCloud } from "../../permissions/question.ts";
import { type Reach, reachLine } from "../../permissions/reach.ts";
import type { Step } from "../../permissions/steps.ts";
import { serviceOf } from "../../permissions/terms.ts";
import { ActionNames } from "../../permissions/vocabulary.ts";
import type { AllowedBy } from "../../permissions/who-may.ts";
import type { Cell } from "../terminal/table.ts";
import type { NamedCluster } from "./cluster-row.ts";

/** Notes what a question was asked about, so that an empty answer says it. */
export class AskedAbout {
  readonly #digests = new Map<string, string>();
  readonly #clouds = new Map<string, AskedCloud & { readonly names: ActionNames }>();
  #identities = 0;

  /** @param directory as the command line names the package. */
  add(
    directory: string,
    { cluster, bundles, inspector }: Pick<NamedCluster, "cluster" | "bundles" | "inspector">,
  ): void {
    this.#identities += cluster.identities.length;
    const known = this.#clouds.get(inspector.title) ?? cloudOf(inspector);
    this.#clouds.set(inspector.title, known);
    for (const identity of knownIdentities({ inspector, cluster }))
      known.names.addHolder(identity, inspector.features.roles?.known());
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

  /** The clouds of the packages, with the actions that their identities have. */
  get clouds(): readonly AskedCloud[] {
    return inspectors.flatMap(({ title }) => this.#clouds.get(title) ?? []);
  }

  get #lookedAt(): LookedAt {
    const actions = this.clouds.reduce((sum, { names }) => sum + names.count, 0);
    return { packages: this.#digests.size, identities: this.#identities, actions };
  }

  /** The answer in a sentence. Without an answer, also the digest. */
  sentence(said: string, answers: readonly Weighed[]): string {
    const text = sentence(said, answers, this.#lookedAt);
    return answers.length > 0 ? text : this.#withDigest(text);
  }

  /** @param what what no identity can do, such as "reach beyond its own cluster". */
  nothing(what: string): string {
    return this.#withDigest(`${noneOf(this.#lookedAt)} can ${what}.`);
  }

  #withDigest(text: string): string {
    return `${text} Digest of what was read: ${this.#digest}.`;
  }

  /** The same for programs. */
  nothingJson(question: ValueMap): ValueMap {
    return { question, answers: 0, ...this.#lookedAt, digest: this.#digest };
  }
}

/** A cloud about whose packages nothing is known yet. */
export function cloudOf({ title, terms, questions }: Pick<Inspector, "title" | "terms" | "questions">) {
  return { cloud: title, notation: terms, operations: questions.operations, names: new ActionNames(terms) };
}

/** Tells whether a question has a mistyped name. */
export class NamedActions {
  readonly #cloud: Inspector;
  readonly #known: ActionNames;

  /** @param cloud the one in whose notation the action is. */
  constructor(cloud: Inspector) {
    this.#cloud = cloud;
    this.#known = new ActionNames(cloud.terms);
    for (const { permissions } of cloud.features.roles?.known().values() ?? []) this.#known.add([permissions]);
    this.#known.add(Object.values(cloud.questions.operations));
  }

  /**
   * A warning if no file and no known role names the action, and its service is not known or another name is near. A service that
   * files name only by wildcards may have the action. No list of a cloud's actions is complete, so the warning does not say that the
   * action does not exist.
   *
   * @param held the actions of the identities that were asked.
   */
  warning(action: string, held: ActionNames | undefined): Finding | undefined {
    const { terms } = this.#cloud;
    const fold = (text: string) => (terms.actionsIgnoreCase ? text.toLowerCase() : text);
    const asked = fold(action);
    const names = [...new Set([...this.#known.names, ...(held?.names ?? [])])].sort(compareText);
    const sets = [...this.#known.sets, ...(held?.sets ?? [])];
    if (names.some((name) => matches(asked, fold(name))) || sets.some((set) => fold(set) === asked)) return undefined;
    const near = /[*?]/.test(action) ? undefined : nearest(action, names, maxEdits);
    const own = serviceOf(action, terms);
    const services = new Set([...names, ...sets].map((name) => fold(serviceOf(name, terms))));
    const isKnown = services.has(fold(own));
    if (isKnown && near === undefined) return undefined;
    const service = near === undefined ? nearest(own, [...services].sort(compareText)) : undefined;
    const hint = near ?? (service === undefined ? undefined : `${service}${action.slice(own.length)}`);
    return notNamed(isKnown ? "the action" : "the service of the action", action, hint);
  }
}

/** A warning that nothing names an action. @param hint what it may be a typing error for. */
export function notNamed(what: string, action: string, hint?: string): Finding {
  const meant = hint === undefined ? "" : ` Did you mean ${quote(hint)}?`;
  return finding("warning", "action-not-named", `no file and no known role names ${what} ${quote(action)}.${meant}`);
}

/** Names of actions are long and similar, so more than two edits are another action. */
const maxEdits = 2;

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
  /** How the answer about a package counts in the first sentence. Without it, there is no such sentence. */
  weigh?(answer: Answer, directory: string): Weighed;
  /** What identities can do: "do s3:DeleteObject". */
  readonly what: string;
  readonly json: ValueMap;
  /** A warning that the question may be mistyped. */
  warning?(clouds: readonly AskedCloud[]): Finding | undefined;
}

/** `--who-may` @param json the question, which is part of each answer. */
export function mayQuestion(json: ValueMap): IdentityQuestion<IdentityAnswer> {
  return {
    columns: [
      ...["secret", "id", "answer", "actions", "resources", "conditions", "role", "reason"],
      ...["step", "service accounts"],
    ],
    rows: ({ secret, identity, answer, by, reason, steps, serviceAccounts }) => {
      const direct = by.length === 0 && steps.length === 0 ? [undefined] : by;
      const accounts = serviceAccounts.join("; ");
      return [
        ...direct.map((one) => [
          ...[secret, identity, answer, one?.patterns.join("; "), one?.resources.join("; ")],
          ...[one?.conditions.join("; "), one?.role, reason, undefined, accounts],
        ]),
        ...steps.map(({ by: step, actions, on, doubt }) => [
          ...[secret, identity, answer, actions.join("; "), on.join("; "), undefined, undefined, doubt, step, accounts],
        ]),
      ];
    },
    lines: ({ secret, identity, answer, by, reason, steps, serviceAccounts }) => [
      `${named(secret, identity)}${answer === "undecided" ? `: undecided: ${reason}` : ""}`,
      ...by.map((one) => `  ${answer === "allowed" ? "may" : "perhaps"} ${byText(one)}`),
      ...steps.map((step) => `  ${step.doubt === undefined ? "can" : "perhaps can"} reach it by ${stepText(step)}`),
      `  used by ${serviceAccounts.length === 0 ? "no service account" : serviceAccounts.join(", ")}`,
    ],
    json: ({ identity, secret, answer, by, reason, steps, serviceAccounts }) => ({
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
      steps: steps.map(({ by: step, actions, how, on, doubt, to }) => ({
        ...{ by: step, actions: [...actions], resources: [...on], how },
        ...(to === undefined ? {} : { secret: to }),
        ...(doubt === undefined ? {} : { undecided: doubt }),
      })),
      serviceAccounts: [...serviceAccounts],
      question: json,
    }),
  };
}

function stepText({ by, actions, how, on, to, doubt }: Step): string {
  const parts = [
    `${by}: ${actions.join(" with ")}`,
    ...(on.length === 0 ? [] : [`on ${on.join(", ")}`]),
    ...(to === undefined ? [] : [`which is that of ${to}`]),
    `(${how})`,
  ];
  return `${parts.join(" ")}${doubt === undefined ? "" : `, but ${doubt}`}`;
}

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
