import type { ValueMap } from "../core/resource.ts";

/** What `ccf init` asks about a cluster on one cloud, and what it writes from the answers. */
export interface PlatformQuestions {
  /** Key of `spec.platform`. */
  readonly name: string;
  /** The display name: `AWS`. */
  readonly title: string;
  /** `spec.providerSpec.kind` of the requests that its package must contain. */
  readonly providerKind: string;
  /** What the component identities of this cloud are, in the plural: `roles`. */
  readonly identities: string;
  /** What the help of `ccf verify-token` says about this cloud. */
  readonly exchangeHelp: ExchangeHelp;
  /** In the order in which they are asked. */
  readonly questions: readonly Question[];
  /** What `ccf import` asks besides: what no live cluster tells. Each replaces the question with the same flag. */
  readonly imported?: readonly RequiredQuestion[];
  /** Builds `spec.platform.<name>` from the answers, keyed by flag; an optional question may have none. */
  spec(answers: Readonly<Record<string, string>>): ValueMap;
  /**
   * The same for a package of component identities alone, whose issuer and provider another package manages. Missing if the two cannot
   * be in different packages of this cloud.
   *
   * @param issuerUrl as in the tokens.
   */
  identitiesOnly?(answers: Readonly<Record<string, string>>, issuerUrl: string): ValueMap;
  /** How a new cluster gets its part of the configuration from that of another one. */
  readonly like: Likeness;
  /** Why the first render is not the last, and what leads to the next: a sentence. Undefined if one render is enough. */
  readonly secondRender?: string;
}

/** What of `spec.platform.<name>` two clusters cannot share, and what else follows from another place. */
export interface Likeness {
  /** The fields that make a cluster that cluster: its names, its issuer, what the cloud has assigned. `*` is every key. */
  readonly own: readonly (readonly string[])[];
  /** Flags of which none can change alone: the ID and the number of a project. */
  readonly together?: readonly string[];
  /** The configuration, changed where it names the account of the other cluster. */
  moved?(spec: ValueMap, from: ValueMap): ValueMap;
}

/** Words for the help about the exchange of tokens. */
export interface ExchangeHelp {
  /** What a token is exchanged for: "sts:AssumeRoleWithWebIdentity for a role". */
  readonly exchange: string;
  /** How an identity is named: "a role, by name or ARN". */
  readonly identity: string;
  /** The commands that print an identity, in quotes. */
  readonly identityFile: string;
  /** The command that prints a provider, in quotes; missing if the cloud has none. */
  readonly providerFile?: string;
}

/** One question, and the flag that answers it. Several clouds may have the same flag. */
export type Question = RequiredQuestion | OptionalQuestion;

interface QuestionFlag {
  /** Without the leading hyphens: `account-id`. */
  readonly flag: string;
  /** The name of its value in the help: `ID`. */
  readonly value: string;
  /** The description in the help. */
  readonly text: string;
  /** The values that the flag accepts; undefined accepts any value. */
  readonly choices?: readonly string[];
}

/** A question that must be answered before `ccf init` can write a package. */
export interface RequiredQuestion extends QuestionFlag {
  /** The question on a terminal. */
  readonly asked: string;
  /** A valid stand-in, for checks while the real answer is not known. */
  readonly example: string;
}

/** A flag that sets something other than the default. It is not asked on a terminal. */
interface OptionalQuestion extends QuestionFlag {
  readonly asked?: never;
}

/** The questions that are asked if no flag answers them. */
export function requiredQuestions({ questions }: PlatformQuestions): readonly RequiredQuestion[] {
  return questions.filter((question) => question.asked !== undefined);
}

/** A field of the configuration whose question may have no answer; the default then applies. */
export function optional(field: string, answer: string | undefined): Readonly<Record<string, string>> {
  return answer === undefined ? {} : { [field]: answer };
}
