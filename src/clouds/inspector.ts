import type { Finding } from "../core/finding.ts";
import type { Resource, Value } from "../core/resource.ts";
import type { TokenLimits } from "../oidc/limits.ts";
import type { Token, TokenReading } from "../oidc/token.ts";
import type { Check, Verdict } from "../oidc/verify/check.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { KnownCloud } from "../rules/cloud.ts";
import type { Rule } from "../rules/rule.ts";
import type { RenderedBundle, RenderedCluster, RenderedIssuer } from "./rendered.ts";

/** What commands and validators need of a cloud: plain data and functions. A render never loads it. */
export interface Inspector extends KnownCloud {
  /** The rules that apply only to this cloud, sorted by code. */
  readonly rules: readonly Rule[];
  /** Reads what was rendered; undefined if none of it is for this cloud. A cloud without it renders nothing. */
  read?(bundles: readonly RenderedBundle[]): RenderedCluster | undefined;
  /** The errors and warnings that a render would report for a request, in a cluster with the defaults. */
  check?(request: SelectedRequest): readonly Finding[];
  /** What administrators must create for an OLM operator's requests, in the form that its author publishes. */
  specify?(items: readonly Resource[]): Specification;
  /** The additional files of an export, by path, computed from the files of the bundles. */
  derivedFiles?(files: ReadonlyMap<string, string>): ReadonlyMap<string, string>;
  /** The policy for the administrator who applies an export. */
  readonly adminPolicy?: AdminPolicy;
  /** The distribution in front of the issuer's documents. The cloud assigns its domain when the package is first applied. */
  readonly distribution?: Distribution;
  /** Predicts the cloud's answer to a token. Without it, the command reports that it cannot. */
  readonly tokens?: TokenExchange;
}

/** A distribution whose domain becomes the issuer once the cloud has assigned it. */
export interface Distribution {
  /** Path of the ClusterIdentity field that contains `type` and `distributionDomain`. */
  readonly hosting: readonly string[];
  /** The hosting type that uses a distribution. */
  readonly hostingType: string;
  readonly example: string;
  isDomain(text: string): boolean;
}

/** The file with the permissions of the administrator who applies an export. */
export interface AdminPolicy {
  /** Its path in an export, and the path of its bundle in a package. */
  readonly path: string;
  readonly bundlePath: string;
  /** The ClusterIdentity field that limits it. */
  readonly boundaryField: string;
  /** Tells whether its holder can reach every permission of the account through what the policy allows to create. */
  isUnbounded(policy: Value): boolean;
}

/** The script that creates an OLM operator's identities, and the page around it. Use neither if a finding is an error. */
export interface Specification {
  readonly findings: readonly Finding[];
  /** The number of identities. */
  readonly count: number;
  script(): string;
  text(): string;
}

/** How a cloud exchanges a token for credentials. Works offline: the caller provides what the cloud would fetch. */
export interface TokenExchange {
  /** The cloud's own commands that print an issuer and an identity, and the required fields of their output. */
  readonly commands: Readonly<Record<"issuer" | "identity", { readonly command: string; readonly fields: string }>>;
  /** Reads the output of the issuer command; undefined if it is something else. */
  readIssuer(answer: Value): RenderedIssuer | undefined;
  /** Reads the output of the identity command; undefined if it is something else. */
  readIdentity(answer: Value): TrustingIdentity | undefined;
  readonly limits: TokenLimits;
  /** The identities that were rendered. */
  identities(bundles: readonly RenderedBundle[]): readonly TrustingIdentity[];
  /**
   * Checks what else must be right for a component to get as far as the exchange.
   *
   * @param items the Secrets, the Authentication and, if available, the requests and the ClusterIdentity.
   * @param id the identity's ID; `ids` lists those of all identities.
   */
  advise(items: readonly Resource[], token: Token | undefined, id: string, ids: readonly string[]): readonly Advice[];
  /**
   * The command that asks the cloud itself.
   *
   * @param word quotes a text as one shell word.
   */
  command(id: string, region: string | undefined, tokenFile: string, word: (text: string) => string): string;
}

/** An identity that a token can be exchanged for. */
export interface TrustingIdentity {
  /** Its ID in the cloud. */
  readonly id: string;
  /** Its short name. */
  readonly name: string;
  /** Predicts the cloud's answer: every check, in order. A check that does not depend on another always runs. */
  answer(exchange: Exchange): Promise<{ readonly verdict: Verdict; readonly checks: readonly Check[] }>;
}

/** What the cloud is asked, and everything that it would know. */
export interface Exchange {
  readonly token: TokenReading;
  /** In seconds since the epoch. */
  readonly time: number;
  /** The issuers that the cloud knows, the intended one first. */
  readonly issuers: readonly RenderedIssuer[];
}

/** Something outside the exchange that must also be right. It is not part of the cloud's answer. */
export interface Advice {
  readonly about: "secret" | "namespace" | "token file" | "authentication";
  readonly fits: boolean;
  readonly text: string;
}
