import type { ValueMap } from "../core/resource.ts";

/** What `ccf init` asks about a cluster on one cloud, and what it writes from the answers. */
export interface PlatformQuestions {
  /** Key of `spec.platform`. */
  readonly name: string;
  /** The display name: `AWS`. */
  readonly title: string;
  /** `spec.providerSpec.kind` of the requests that its package must contain. */
  readonly providerKind: string;
  /** In the order in which they are asked. */
  readonly questions: readonly Question[];
  /** Builds `spec.platform.<name>` from the answers, keyed by flag. */
  spec(answers: Readonly<Record<string, string>>): ValueMap;
}

/** One question, and the flag that answers it. */
export interface Question {
  /** Without the leading hyphens: `account-id`. */
  readonly flag: string;
  /** The name of its value in the help: `ID`. */
  readonly value: string;
  /** The description in the help. */
  readonly text: string;
  /** The question on a terminal. */
  readonly asked: string;
  /** A valid stand-in, for checks while the real answer is not known. */
  readonly example: string;
}
