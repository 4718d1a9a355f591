import type { ValueMap } from "../core/resource.ts";

/** What `ccf init` asks about a cluster on one cloud, and what it writes of the answers. */
export interface PlatformQuestions {
  /** Key of `spec.platform`. */
  readonly name: string;
  /** As people write it: `AWS`. */
  readonly title: string;
  /** `spec.providerSpec.kind` of the requests that a package of it must hold. */
  readonly providerKind: string;
  /** In the order in which they are asked. */
  readonly questions: readonly Question[];
  /** `spec.platform.<name>`, from the answers by flag. */
  spec(answers: Readonly<Record<string, string>>): ValueMap;
}

/** One question, and the flag that answers it. */
export interface Question {
  /** Without its hyphens: `account-id`. */
  readonly flag: string;
  /** What the help calls its value: `ID`. */
  readonly value: string;
  /** What it is, for the help. */
  readonly text: string;
  /** What a person is asked on a terminal. */
  readonly asked: string;
  /** An answer that is right for every cluster, in whose place the real one is not known yet. */
  readonly example: string;
}
