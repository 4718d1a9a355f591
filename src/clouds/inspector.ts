import type { Finding } from "../core/finding.ts";
import type { Resource, Value } from "../core/resource.ts";
import type { TokenLimits } from "../oidc/limits.ts";
import type { Token, TokenReading } from "../oidc/token.ts";
import type { Check, Verdict } from "../oidc/verify/check.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { KnownCloud } from "../rules/cloud.ts";
import type { Rule } from "../rules/rule.ts";
import type { RenderedBundle, RenderedCluster, RenderedIssuer } from "./rendered.ts";

/** What commands and validators ask of a cloud: plain data and functions, loaded where they are needed and by no render. */
export interface Inspector extends KnownCloud {
  /** The rules that hold for this cloud alone, sorted by code. */
  readonly rules: readonly Rule[];
  /** Reads what was rendered; undefined where none of it is for this cloud. Without it nothing is rendered for the cloud. */
  read?(bundles: readonly RenderedBundle[]): RenderedCluster | undefined;
  /** What a render would refuse of a request, or warn of, in a cluster with the defaults. */
  check?(request: SelectedRequest): readonly Finding[];
  /** What administrators are asked to make for an OLM operator's requests, as its author publishes it. */
  specify?(items: readonly Resource[]): Specification;
  /** What an export holds beside the files of the bundles, by path, from those files. */
  derivedFiles?(files: ReadonlyMap<string, string>): ReadonlyMap<string, string>;
  /** The policy for the administrator who applies an export. */
  readonly adminPolicy?: AdminPolicy;
  /** The distribution before the issuer's documents, whose domain the cloud gives when the package is first applied. */
  readonly distribution?: Distribution;
  /** Says what the cloud would answer to a token; without it the command says that it cannot. */
  readonly tokens?: TokenExchange;
}

/** A distribution whose domain becomes the issuer, once the cloud has given it. */
export interface Distribution {
  /** Path of the field of a ClusterIdentity that holds `type` and `distributionDomain`. */
  readonly hosting: readonly string[];
  /** The type that has a distribution. */
  readonly hostingType: string;
  readonly example: string;
  isDomain(text: string): boolean;
}

/** A file with what the administrator is allowed who applies an export. */
export interface AdminPolicy {
  /** Its path in an export, and the one of its bundle in a package. */
  readonly path: string;
  readonly bundlePath: string;
  /** The field of a ClusterIdentity that limits it. */
  readonly boundaryField: string;
  /** Says whether it allows everything in the account, by way of what it can create. */
  isUnbounded(policy: Value): boolean;
}

/** The script that makes an operator's identities, and the text with it; none of them where a finding is an error. */
export interface Specification {
  readonly findings: readonly Finding[];
  /** How many identities there are. */
  readonly count: number;
  script(): string;
  text(): string;
}

/** How a cloud exchanges a token for credentials. Offline: what it would fetch is among what is given. */
export interface TokenExchange {
  /** The cloud's own commands that say which issuer and which identity it has, and the fields of their answers. */
  readonly commands: Readonly<Record<"issuer" | "identity", { readonly command: string; readonly fields: string }>>;
  /** Reads the answer of the command for an issuer; undefined where it is another. */
  readIssuer(answer: Value): RenderedIssuer | undefined;
  /** Reads the answer of the command for an identity. */
  readIdentity(answer: Value): TrustingIdentity | undefined;
  readonly limits: TokenLimits;
  /** The identities that were rendered. */
  identities(bundles: readonly RenderedBundle[]): readonly TrustingIdentity[];
  /**
   * What must fit beside the exchange for a component to get so far.
   *
   * @param items the Secrets, the Authentication and, where they are at hand, the requests and the ClusterIdentity.
   * @param id the identity's, and `ids`, of all that exist.
   */
  advise(items: readonly Resource[], token: Token | undefined, id: string, ids: readonly string[]): readonly Advice[];
  /**
   * The command that asks the cloud itself.
   *
   * @param word makes a text one word of a shell.
   */
  command(id: string, region: string | undefined, tokenFile: string, word: (text: string) => string): string;
}

/** An identity that a token is to be exchanged for. */
export interface TrustingIdentity {
  /** What the cloud knows it by. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** What the cloud would answer: every check, in its order. A check that does not need another one is always made. */
  answer(exchange: Exchange): Promise<{ readonly verdict: Verdict; readonly checks: readonly Check[] }>;
}

/** What a cloud is asked, and everything that it would know. */
export interface Exchange {
  readonly token: TokenReading;
  /** In seconds since the epoch. */
  readonly time: number;
  /** The issuers that the cloud knows, the one that is meant first. */
  readonly issuers: readonly RenderedIssuer[];
}

/** Something beside the exchange that must fit. It is no part of the cloud's answer. */
export interface Advice {
  readonly about: "secret" | "namespace" | "token file" | "authentication";
  readonly fits: boolean;
  readonly text: string;
}
