import { type Finding, type FindingCode, finding } from "../core/finding.ts";
import { exactly, type OutputForm } from "../core/generated-object.ts";
import type { FieldChange, GeneratedObject, Resource, Value, ValueMap } from "../core/resource.ts";
import { type SchemaValidator, type SchemaWords, schemaFindings } from "../core/validation.ts";
import { configCodes, type Identity } from "../identity/cluster-identity.ts";
import type { KeyLimits } from "../oidc/limits.ts";
import type { PublicJwk } from "../oidc/public-key.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { Merge } from "../requests/transition.ts";
import type { BundleNames } from "./rendered.ts";
import type { WorkloadRenderer } from "./workloads.ts";

/** A checked value; undefined if one of the findings is an error. */
export interface Checked<T> {
  readonly value: T | undefined;
  readonly findings: readonly Finding[];
}

/** What the functions need of a cloud at every render. What only commands and rules need is in its inspector. */
export interface Cloud {
  /** Key of `spec.platform`, and the top directory of its files: `aws`. */
  readonly name: string;
  /** The display name: `AWS`. */
  readonly title: string;
  /** `spec.providerSpec.kind` of the cloud's requests. */
  readonly providerKind: string;
  /** The cloud's term for what contains all resources of a cluster: `account`, `project`. */
  readonly accountNoun: string;
  /** The cloud's term for a component identity: `role`, `service account`. */
  readonly identityNoun: string;
  /** Merges what requests of two releases for one Secret ask for, during an upgrade. */
  readonly merge: Merge;
  readonly renderer: Renderer;
}

/** Renders for one cloud. */
export interface Renderer {
  /** The forms of the objects that it generates, to decide ownership: an object that fits no form is never removed. */
  readonly emits: {
    /** In addition to the Authentication, which every cloud has. */
    readonly issuer: readonly OutputForm[];
    /** Of a component identity, in addition to its Secret. */
    readonly identities: readonly OutputForm[];
  };
  /** The prefix of the names of its identities' bundle ConfigMaps; the base name of the identity follows. */
  readonly bundleName: string;
  /** The signing keys that the cloud accepts. */
  readonly keys: KeyLimits;
  readonly operators: OperatorWords;
  readonly workloads: WorkloadRenderer;
  /** Checks `spec.platform.<name>` of a ClusterIdentity. */
  checkPlatform(spec: Value, resource: Resource): readonly Finding[];
  /** Narrows a ClusterIdentity to a cluster that needs no further checks. `items` are the items of its package. */
  readCluster(identity: Identity, items: readonly Resource[]): Checked<Cluster>;
  /** Checks the requests of a cluster that could not be read. */
  checkRequests(identity: Identity, scope: Scope): readonly Finding[];
  /** The name in the cloud of the identity in a bundle ConfigMap; "" if the bundle has another form. */
  nameOf(bundle: Resource): string;
  /** Reads what generated items publish: the issuer, and the IDs of its keys in order. */
  publishedBy(items: readonly Resource[]): Published;
}

/** What messages about OLM operators say of a cloud. */
export interface OperatorWords {
  /** The first OpenShift release whose cloud-credential-operator creates the Secret of an OLM operator: `4.14`. */
  readonly secretsSince: string;
  /** The variable that tells an operator its identity, unless its request names another: `ROLEARN`. */
  readonly identityVariable: string;
  /** Tells whether a variable's value is a name in this cloud. A message may show a name; other values may be secret. */
  isName(value: string): boolean;
}

/** The contents of an issuer's documents. */
export interface Published {
  readonly url: string | undefined;
  readonly keyIds: readonly string[];
}

/** A cluster on one cloud, with every value checked and every default filled in. */
export interface Cluster {
  /** Undefined until the cloud has assigned it; until then there are no documents. */
  readonly issuerUrl: string | undefined;
  /** The issuers that identities trust, the cluster's own first. If the list is empty, no identity can be generated. */
  readonly trustedIssuers: readonly string[];
  /** All of its values, in a form that only the modules of its cloud know. */
  readonly checked: object;
  /** The bundle ConfigMap of the issuer, and what else it needs. */
  issuer(keys: readonly PublicJwk[]): readonly GeneratedObject[];
  /** The bundle ConfigMap with the facts about the whole cluster. */
  facts(): GeneratedObject;
  /**
   * The part of a team's ClusterIdentity about the cloud: what its workloads need, with every default filled in. The issuer is that of
   * the cluster, and not the team's.
   */
  platformForTeams(): ValueMap;
  /** The identities of a scope, and the findings about its requests. */
  identities(scope: Scope): { readonly made: readonly ComponentIdentity[]; readonly findings: readonly Finding[] };
  /** How a package keeps an issuer that it was rendered with: an imperative sentence, and the field that it sets. */
  keepIssuer(issuer: string): { readonly cure: string; readonly field: string };
  /** What the value of an OLM operator's variable names, if it was generated for this cluster: `a role`. */
  ownVariable(value: string): string | undefined;
  /**
   * The identity that a request names although it is not the one that is generated for the request: the
   * cloud-credential-operator creates the Secret with it. Undefined for a placeholder.
   */
  givenIdentity(request: SelectedRequest): GivenIdentity | undefined;
}

/** An identity that a request names itself. */
export interface GivenIdentity {
  /** The field of the request: `spec.providerSpec.stsIAMRoleARN`. */
  readonly field: string;
  readonly value: string;
  /** The name of the identity in the cloud, if the value contains it. */
  readonly name: string | undefined;
  /** The value that is generated for the request, if it is known. */
  readonly wanted: string | undefined;
  /** How the configuration makes the two equal, as an imperative; undefined if it cannot. */
  readonly keep: string | undefined;
}

/** The requests that are included in a cluster, and which of them the current function handles. */
export interface Scope {
  /** All requests, sorted by Secret: the identities of two functions share one account and one package. */
  readonly selected: readonly SelectedRequest[];
  /** The keys of Secrets of which it is unknown whether a request names them: what was rendered for them stays. */
  readonly held: ReadonlySet<string>;
  isOwn(request: SelectedRequest): boolean;
  /** The function writes fields of the requests itself, so placeholders in those fields are allowed. */
  readonly completesRequests: boolean;
}

/** The identity of one component or workload: an IAM role, a service account, a managed identity. */
export interface ComponentIdentity {
  readonly request: SelectedRequest;
  readonly bundle: GeneratedObject;
  /** Undefined until the cloud has assigned what the Secret names; a finding then says so. */
  secret(): GeneratedObject | undefined;
  /** What an OLM operator needs to know about the identity. */
  operator(): OperatorSetup;
  /**
   * The annotations with which a ServiceAccount gives the identity to its pods, through the cloud's webhook. Undefined until the
   * cloud has assigned what they name; a finding then says so.
   */
  serviceAccount(): Readonly<Record<string, string>> | undefined;
}

/** How an OLM operator learns which identity it has. */
export interface OperatorSetup {
  /** The Secret that the cloud-credential-operator would create, byte for byte; undefined as for the identity's own. */
  secret(): GeneratedObject | undefined;
  /** Environment variables for its Subscription. */
  readonly variables: readonly OperatorVariable[];
  /** Changes to fields of its requests. */
  readonly changes: readonly FieldChange[];
  readonly findings: readonly Finding[];
}

/** An environment variable of an OLM operator. */
export interface OperatorVariable {
  readonly name: string;
  readonly value: string;
  /** What the value names: `the role of its request`, `the project`. */
  readonly meaning: string;
}

/** The forms of the bundle ConfigMaps of a cloud. */
export function bundleForms({ cluster, issuer, identities }: BundleNames): Renderer["emits"] {
  const form = (path: RegExp): OutputForm => ({ apiVersion: "v1", kind: "ConfigMap", path });
  return { issuer: [exactly(issuer), exactly(cluster)].map(form), identities: [form(identities)] };
}

/** A check of `spec.platform.<name>` against its schema. */
export function platformCheck(
  name: string,
  validate: SchemaValidator<unknown>,
  words: () => SchemaWords,
): Renderer["checkPlatform"] {
  const at = ["spec", "platform", name];
  return (spec, resource) =>
    validate(spec) ? [] : schemaFindings(validate.errors ?? [], spec, { resource }, configCodes, words(), at);
}

/** Records a finding about a field of the config. Returns undefined, so that a reader can return the call itself. */
export type Report = (
  severity: "error" | "warning" | "info",
  code: FindingCode,
  field: string,
  message: string,
) => undefined;

/** A report that collects findings about one config. */
export function reportTo(findings: Finding[], resource: Resource): Report {
  return (severity, code, field, message) => {
    findings.push(finding(severity, code, message, { resource, field }));
    return undefined;
  };
}
