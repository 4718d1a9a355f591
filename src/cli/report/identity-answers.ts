import type { ValueMap } from "../../core/resource.ts";
import type { Reach } from "../../permissions/reach.ts";
import type { AllowedBy, MayAnswer } from "../../permissions/who-may.ts";
import { reachLine } from "../explain/explain-output.ts";
import type { NamedActions } from "./asked.ts";
import type { Read } from "./read-cluster.ts";
import type { Cell } from "./table.ts";

/** A question about every identity of a fleet, and how its answers are shown. */
export interface Question<Answer> {
  readonly columns: readonly string[];
  /** The rows of a table, without the package. */
  rows(answer: Answer): Cell[][];
  /** For people, without the package; the first line names the identity. */
  lines(answer: Answer): string[];
  json(answer: Answer): ValueMap;
}

/** What a command line asks. */
export interface Inquiry<Answer> {
  readonly question: Question<Answer>;
  ask(read: Read): readonly Answer[];
  /** What no identity can do, if the answer is empty. */
  readonly what: string;
  readonly json: ValueMap;
  /** The action of the question, and what is known about its cloud. */
  readonly named?: { readonly action: string; readonly cloud: string; readonly names: NamedActions };
}

/** `--who-may` */
export const mayQuestion: Question<MayAnswer> = {
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
export const reachQuestion: Question<Reach> = {
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
