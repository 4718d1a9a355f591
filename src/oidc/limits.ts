import { algorithms } from "./algorithms.ts";
import type { Refusal } from "./verify/check.ts";

/** Which keys a cloud checks signatures with. */
export interface KeyLimits {
  /** Who reads the keys, for messages: "AWS". */
  readonly reader: string;
  /** The names of the algorithms that it takes (RFC 7518, section 3.1). */
  readonly algorithms: readonly string[];
}

/** What a cloud takes of tokens and of those who issue them, as its documentation says it. */
export interface TokenLimits extends KeyLimits {
  /** The fewest and the most characters of a token. */
  readonly characters: readonly [number, number];
  /** How many keys of one kind are read of a JWKS, and by whom. */
  readonly keys: { readonly reader: string; readonly maxPerAlgorithm: number };
  /** How long a token may count after it expired, in seconds, and for whom. */
  readonly skew: { readonly reader: string; readonly seconds: number };
  /** The most characters of an issuer's URL, and who takes none that is longer or has a port. */
  readonly issuerUrl: { readonly reader: string; readonly most: number };
  /** How long the cloud waits for an issuer's documents, in seconds. */
  readonly timeout: number;
  /** What an administrator does, for messages. */
  readonly cures: {
    /** The command that publishes an issuer's documents. */
    readonly publish: string;
    /** Where the documents may not be read. */
    readonly forbidden: string;
    /** Where the server's certificate is of an authority that is not known here. */
    readonly untrusted: string;
  };
  /** What the cloud answers. */
  readonly refusals: {
    /** To what is no token. */
    readonly form: Refusal;
    /** Where no key for the signature can be had. */
    readonly keys: Refusal;
    /** To a token that does not count yet. */
    readonly early: Refusal;
    /** To one that does not count any more; both times in seconds since the epoch. */
    expired(exp: number, time: number): Refusal;
  };
}

/** Keys whose readers are not known yet: of every algorithm that Kubernetes signs with. */
export const anyCloud: KeyLimits = { reader: "the cloud", algorithms: [...algorithms.keys()] };
