import type { Finding, FindingCode } from "../core/finding.ts";
import type { Resource, Value } from "../core/resource.ts";
import type { WantedResource } from "../core/wanted-resource.ts";
import type { ComparedFields } from "../diff/with-contents.ts";
import type { PlatformPolicy } from "../generated/review-policy.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { TokenAnswer } from "../oidc/answer.ts";
import type { TokenLimits } from "../oidc/limits.ts";
import type { Token, TokenReading } from "../oidc/token.ts";
import type { Permissions } from "../permissions/permissions.ts";
import type { PolicyDocuments } from "../permissions/policy-documents.ts";
import type { Way } from "../permissions/steps.ts";
import type { RoleDefinition, RoleDefinitions } from "../permissions/terms.ts";
import type { Operations } from "../permissions/vocabulary.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { KnownCloud } from "../rules/cloud.ts";
import type { Requirement } from "../rules/policy.ts";
import type { Rule } from "../rules/rule.ts";
import type { CloudClaims, Home } from "./claims.ts";
import type { LiveCluster, LiveFacts } from "./live-cluster.ts";
import type { RenderedBundle, RenderedCluster, RenderedIssuer } from "./rendered.ts";

/** What commands and validators need of a cloud: plain data and functions. A render never loads it. */
export interface Inspector extends KnownCloud {
  /** The rules that apply only to this cloud, sorted by code. */
  readonly rules: readonly Rule[];
  /** Reads what was rendered; undefined if none of it is for this cloud. */
  read(bundles: readonly RenderedBundle[]): RenderedCluster | undefined;
  /** What a cluster claims for itself alone; undefined if the ClusterIdentity and these objects of its package do not tell. */
  claims(identity: Identity, items: readonly Resource[]): CloudClaims | undefined;
  readonly home: Home;
  /** Reads a live cluster, for a package whose first render emits what exists. */
  readLive(cluster: LiveCluster): LiveFacts;
  /** The errors and warnings that a render would report for a request, in a cluster with the defaults. */
  check(request: SelectedRequest): readonly Finding[];
  /**
   * The service that an action belongs to, for overviews; undefined if it is not known, or if it is the text before the first
   * colon.
   *
   * @param action as in a grant: "role roles/dns.admin".
   */
  serviceOf(action: string): string | undefined;
  readonly operators: OperatorSupport;
  readonly exports: ExportSupport;
  /** The resources that the files of an export, by path, describe. */
  wanted(files: ReadonlyMap<string, string>): readonly WantedResource[];
  /** Predicts the cloud's answer to a token. */
  readonly tokens: TokenExchange;
  /** How `ccf diff` reads and words the files of the cloud. */
  readonly files: ComparedFiles;
  /** What questions about permissions must know besides how the cloud writes them. */
  readonly questions: {
    /** How an identity gets more permissions in one step. */
    readonly ways: readonly Way[];
    /** Names that people use for actions that authorize them. */
    readonly operations: Operations;
    /** The documents of policies that are the cloud's own and that a package only names. */
    readonly policies?: PolicyDocuments;
  };
  readonly features: Features;
}

/** How a comparison reads and words rendered files. */
export type ComparedFiles = Pick<ComparedFields, "compared" | "words">;

/** What OLM operators need of a cloud. */
interface OperatorSupport {
  /** The fields of a request with which the cloud-credential-operator creates the Secret of an OLM operator itself. */
  readonly writtenFields: ReadonlySet<string>;
  /** What administrators must create for an OLM operator's requests, in the form that its author publishes. */
  specify(items: readonly Resource[]): Specification;
}

/** What an export contains besides the files of the bundles. */
interface ExportSupport {
  /** The additional files, by path, computed from the files of the bundles. */
  derivedFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, string>;
  /** The policy for the administrator who applies an export. */
  readonly adminPolicy: AdminPolicy;
}

/** What not every cloud has. */
interface Features {
  /** What limits an identity besides its permissions: its name, and an explanation for auditors. */
  readonly boundaries?: { readonly term: string; readonly text: string };
  /**
   * Reads what the cloud's own command prints about policies that a package only names: by name, a document's text and what it
   * grants. What is wrong with the output, as the end of a sentence; undefined if it is not that output.
   */
  policyDocuments?(
    output: Value,
  ): ReadonlyMap<string, { readonly text: string; readonly permissions: Permissions }> | string | undefined;
  /** The account of a policy that a package names; undefined if the policy is the cloud's, which is the same in all accounts. */
  policyAccount?(name: string): string | undefined;
  /** What the cloud's roles consist of. Without it, roles are compared by their names. */
  readonly roles?: RoleTable;
  /** What differs between clusters that are the same otherwise, besides their accounts, regions, prefixes, and issuers. */
  readonly ownNames?: OwnNames;
  /** What a policy of a company demands of clusters on this cloud. */
  requirements?(policy: PlatformPolicy): readonly Requirement[];
  /** The IDs that the cloud assigns to identities when it creates them. Without it, the package determines every ID. */
  readonly assignedIds?: AssignedIdFeature;
}

/** Names and IDs that no two clusters of a cloud have in common, with the cloud's terms for them. */
interface OwnNames {
  /** The terms for values in the file of a cluster, by field. */
  readonly cluster: Readonly<Record<string, string>>;
  /**
   * The computed names in the bundle of an identity.
   *
   * @param files contents by file name.
   */
  identity(files: ReadonlyMap<string, string>): readonly { readonly name: string; readonly value: string }[];
}

/** The definitions of a cloud's roles, for comparisons. */
interface RoleTable {
  /** The definitions that come with the program. */
  known(): RoleDefinitions;
  /** See {@link KnownCloud.features}. */
  isJudged(role: string): boolean;
  /** The command that prints the current definition of a role. */
  readonly command: string;
  /**
   * Reads what the command printed; a text says what is wrong with it, and completes a sentence that names the file. Undefined
   * if it is not the output of this command.
   */
  read(answer: Value): DescribedRole | string | undefined;
}

/** A role that a command described. */
export interface DescribedRole extends Pick<RoleDefinition, "permissions" | "grants"> {
  /** The names under which {@link RoleDefinitions} contains it; at least one. */
  readonly names: readonly string[];
}

/** IDs that the cloud assigns to identities when it creates them. A package stores them in a ConfigMap. */
export interface AssignedIdFeature {
  /** The cloud's term for such an ID: "client ID". */
  readonly noun: string;
  /** The key of a component's Secret that contains the ID. */
  readonly settingKey: string;
  /** What an ID must be: "a UUID". */
  readonly must: string;
  /** The ID in the form in which it is stored; undefined if the text is not an ID. */
  idOf(text: string): string | undefined;
  /** The key of an identity in the ConfigMap. */
  keyOf(secretKey: string): string;
  /** The IDs by key, from the outputs of Terraform around them; the value itself if nothing is around them. */
  unwrap(value: Value): Value;
  /** Where a package stores the IDs of a cluster. */
  store(identity: Identity): AssignedIdStore;
}

/** The ConfigMap with the assigned IDs of a cluster. */
export interface AssignedIdStore {
  readonly name: string;
  /** Its file, in a package that does not contain it yet. */
  readonly path: string;
  /** The annotations that name the cluster to which the IDs belong. Their values are compared without case. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** The file with the permissions of the administrator who applies an export. */
interface AdminPolicy {
  /** Its path in an export. */
  readonly path: string;
  /** The warning if it is unbounded: about its bundle in the package, and the ClusterIdentity field that limits it, if any. */
  readonly unbounded: {
    readonly code: FindingCode;
    readonly bundlePath: string;
    readonly field?: string;
    readonly message: string;
  };
  /** Tells whether its holder can reach every permission of the account through what the policy allows to create. */
  isUnbounded(policy: Value): boolean;
  /**
   * Merges the policies of several packages of an account: together, the documents allow exactly what the parts allow. Missing in a cloud
   * whose policies are the same for all packages.
   *
   * @param account for messages.
   */
  merge?(account: string, parts: readonly PolicyPart[]): MergedPolicies;
}

/** The policy for the administrator of one package. */
export interface PolicyPart {
  /** As the command line names the package. */
  readonly package: string;
  readonly policy: Value;
}

/** The policies for one administrator of several packages. Do not write them if a finding is an error. */
export interface MergedPolicies {
  readonly documents: readonly Value[];
  readonly findings: readonly Finding[];
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
  /** The cloud's term for what a token is exchanged for, for example "role". */
  readonly noun: string;
  /**
   * The cloud's own commands that print an identity and an issuer, and the required fields of their output. Without an
   * issuer command, the identities name the issuers that they trust.
   */
  readonly commands: { readonly identity: AnswerCommand; readonly issuer?: AnswerCommand };
  /** Reads the output of the issuer command; undefined if it is something else. */
  readIssuer?(answer: Value): RenderedIssuer | undefined;
  /**
   * Reads the output of the identity command; undefined if it is something else.
   *
   * @param id the identity, if the output does not name it.
   * @param known the identities that were read before, for facts that the output does not contain.
   */
  readIdentity(answer: Value, id: string, known: readonly TrustingIdentity[]): TrustingIdentity | undefined;
  /** What to do if the output of the identity command does not name its identity. */
  readonly unnamedIdentity?: UnnamedIdentity;
  readonly limits: TokenLimits;
  /** The checks of what the cloud has because a package was applied. */
  readonly applied: ReadonlySet<string>;
  /**
   * The identities that were rendered.
   *
   * @param items the objects of the package or of the export's manifests.
   */
  identities(bundles: readonly RenderedBundle[], items: readonly Resource[]): readonly TrustingIdentity[];
  /** Checks what else must be right for a component to get as far as the exchange. */
  advise(to: AdviceInput): readonly Advice[];
  /**
   * The command that asks the cloud itself. It never contains the token.
   *
   * @param word quotes a text as one shell word.
   */
  command(of: AskedIdentity, tokenFile: string, word: (text: string) => string): string;
  /** What a reader of the answers must know besides, one sentence each. */
  notes(answers: readonly TokenAnswer[]): readonly string[];
}

/** An identity that the output of a command does not name: the user must. */
export interface UnnamedIdentity {
  /** What its ID must be, for messages. */
  readonly must: string;
  isID(text: string): boolean;
  /** Whether an output names no identity; without it, no output does. */
  isUnnamed?(answer: Value): boolean;
}

/** A command of the cloud that prints something, and the required fields of its output. */
export interface AnswerCommand {
  readonly command: string;
  readonly fields: string;
}

/** An identity that the cloud is asked for, and the cluster of the package, if any. */
export interface AskedIdentity {
  readonly id: string;
  /** The intended issuer. */
  readonly issuer: RenderedIssuer;
  readonly cluster: RenderedCluster | undefined;
  /** The identity itself, if it was read. */
  readonly identity?: TrustingIdentity;
}

/** A package's manifests, and the exchange that they must fit. */
export interface AdviceInput extends AskedIdentity {
  /** The Secrets, the Authentication and, if available, the requests and the ClusterIdentity. */
  readonly items: readonly Resource[];
  readonly token: Token | undefined;
  /** The IDs of all identities that exist; undefined if only some of the live ones are known. */
  readonly ids: readonly string[] | undefined;
}

/** An identity that a token can be exchanged for. */
export interface TrustingIdentity {
  /** Its ID in the cloud. */
  readonly id: string;
  /** Its short name. */
  readonly name: string;
  /** Other texts that identify it, such as its client ID. */
  readonly otherNames?: readonly string[];
  /** Predicts the cloud's answer: every check, in order. A check that does not depend on another always runs. */
  answer(exchange: Exchange): Promise<TokenAnswer>;
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
  readonly about: "secret" | "namespace" | "token file" | "webhook" | "authentication";
  readonly fits: boolean;
  readonly text: string;
}
