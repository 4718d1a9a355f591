import type { Finding } from "../core/finding.ts";
import type { OutputForm, RetiredForm } from "../core/output-form.ts";
import type { FieldChange, GeneratedObject, Resource, Value } from "../core/resource.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import type { PublicJwk } from "../oidc/public-key.ts";
import type { SelectedRequest } from "../requests/select.ts";

/** A value that was checked; undefined where one of the findings is an error. */
export interface Reading<T> {
  readonly value: T | undefined;
  readonly findings: readonly Finding[];
}

/** A cloud: what the functions need at every render. What only commands and rules need is its inspector's. */
export interface Cloud {
  /** Key of `spec.platform`, and the top directory of its files: `aws`. */
  readonly name: string;
  /** As people write it: `AWS`. */
  readonly title: string;
  /** `spec.providerSpec.kind` of the requests for it. */
  readonly providerKind: string;
  /** Undefined for a cloud whose requests are compared, and for which nothing is rendered yet. */
  readonly renderer?: Renderer;
}

/** What renders for one cloud. */
export interface Renderer {
  /** The forms of the objects that it makes, for ownership: what does not fit a form is never removed. */
  readonly emits: {
    /** Beside the Authentication, which every cloud has. */
    readonly issuer: readonly OutputForm[];
    /** Of a component identity, beside its Secret. */
    readonly identities: readonly OutputForm[];
    /** What earlier versions emitted. */
    readonly retired?: readonly RetiredForm[];
  };
  /** The start of the names of its identities' bundle ConfigMaps; the base name of the identity follows. */
  readonly bundleName: string;
  /** What is wrong with `spec.platform.<name>` of a ClusterIdentity. */
  checkPlatform(spec: Value, resource: Resource): readonly Finding[];
  /** Narrows a ClusterIdentity to a cluster that needs no further checks. `items` are those of its package. */
  readCluster(identity: Identity, items: readonly Resource[]): Reading<Cluster>;
  /** What is wrong with requests, for a cluster that could not be read. */
  checkRequests(identity: Identity, scope: Scope): readonly Finding[];
  /** What generated items publish: the issuer, and the IDs of its keys in their order. */
  publishedBy(items: readonly Resource[]): Published;
}

/** What the documents of an issuer say. */
export interface Published {
  readonly url: string | undefined;
  readonly keyIds: readonly string[];
}

/** A cluster on one cloud: everything checked, every default filled in. */
export interface Cluster {
  /** Undefined until the cloud has given it: then there are no documents yet. */
  readonly issuerUrl: string | undefined;
  /** The issuers whose tokens identities trust, the cluster's own first; without one, no identity can be made. */
  readonly trustedIssuers: readonly string[];
  /** The bundle ConfigMaps of the issuer and of the cluster. */
  issuer(keys: readonly PublicJwk[]): readonly GeneratedObject[];
  /** The identities of a scope, and what is wrong with its requests. */
  identities(scope: Scope): { readonly made: readonly ComponentIdentity[]; readonly findings: readonly Finding[] };
  /** What else a change of the issuer takes, to follow "add it to spec.issuer.previous while the cluster moves". */
  beforeLeaving(issuer: string): string;
  /** Says whether the value of an operator's variable was made for this cluster. */
  isOwnVariable(value: string): boolean;
}

/** The requests that count for a cluster, and which of them the function at hand makes identities for. */
export interface Scope {
  /** All of them, sorted by Secret: the identities of two functions are in one account and in one package. */
  readonly selected: readonly SelectedRequest[];
  isOwn(request: SelectedRequest): boolean;
  /** The function writes fields of the requests itself, so that templates in those need not be filled in. */
  readonly completesRequests: boolean;
}

/** The identity of one component: an IAM role, a service account, a managed identity. */
export interface ComponentIdentity {
  readonly request: SelectedRequest;
  readonly bundle: GeneratedObject;
  secret(): GeneratedObject;
  /** What an operator installed with OLM is told of it. */
  operator(): OperatorSetup;
}

/** How an operator learns which identity it has. */
export interface OperatorSetup {
  /** The Secret that the cloud-credential-operator would make, byte for byte. */
  secret(): GeneratedObject;
  /** Environment variables for its Subscription. */
  readonly variables: readonly { readonly name: string; readonly value: string }[];
  /** Fields of its requests. */
  readonly changes: readonly FieldChange[];
  readonly findings: readonly Finding[];
}
