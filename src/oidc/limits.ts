import { algorithms } from "./algorithms.ts";
import type { Refusal } from "./verify/check.ts";

/** Which keys a cloud uses to check signatures. */
export interface KeyLimits {
  /** Who reads the keys, for messages: "AWS". */
  readonly reader: string;
  /** The names of the algorithms that it accepts (RFC 7518, section 3.1). */
  readonly algorithms: readonly string[];
}

/** The limits of a cloud for tokens and issuers, according to its documentation. */
export interface TokenLimits extends KeyLimits {
  /** The minimum and maximum number of characters in a token. */
  readonly characters: readonly [number, number];
  /** How many keys of each type are read from a JWKS, and the reader's name. */
  readonly keys: { readonly reader: string; readonly maxPerAlgorithm: number };
  /** How long a token may still be accepted after it expired, in seconds, and the reader's name. */
  readonly skew: { readonly reader: string; readonly seconds: number };
  /** The maximum number of characters in an issuer's URL, and the name of the reader that accepts no longer URL and no port. */
  readonly issuerUrl: { readonly reader: string; readonly max: number };
  /** How long the cloud waits for an issuer's documents, in seconds. */
  readonly timeout: number;
  /** Cures for messages: what the administrator does. */
  readonly cures: {
    /** The command that publishes an issuer's documents. */
    readonly publish: string;
    /** If reading the documents is forbidden. */
    readonly forbidden: string;
    /** If the authority of the server's certificate is not known here. */
    readonly untrusted: string;
  };
  /** The cloud's error responses. */
  readonly refusals: {
    /** If the text is not a token. */
    readonly form: Refusal;
    /** If the key for the signature cannot be retrieved. */
    readonly keys: Refusal;
    /** If the token is not valid yet. */
    readonly early: Refusal;
    /** If the token has expired; both times in seconds since the epoch. */
    expired(exp: number, time: number): Refusal;
  };
}

/** The limits for keys whose cloud is not known yet: every algorithm that Kubernetes signs with. */
export const anyCloud: KeyLimits = { reader: "the cloud", algorithms: [...algorithms.keys()] };
