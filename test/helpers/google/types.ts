/** A JSON value. */
// biome-ignore lint/suspicious/noExplicitAny: the bodies of requests are checked where they are used.
export type Value = any;

interface Condition {
  title: string;
  description?: string;
  expression: string;
}

export interface Binding {
  role: string;
  members: string[];
  condition?: Condition;
}

/** An IAM policy. Its etag is derived from `changes`. */
export interface Policy {
  bindings: Binding[];
  /** How often it was set. */
  changes: number;
}

/** What has an unfinished operation: the next reads see what was there before. */
interface Operated {
  /** How many reads still see `before`. */
  pending: number;
  /** What these reads see; absent if they see no resource. */
  before?: Value;
}

export interface Provider extends Operated {
  displayName?: string;
  description?: string;
  disabled?: boolean;
  state: "ACTIVE" | "DELETED";
  attributeMapping: Record<string, string>;
  attributeCondition?: string;
  oidc: { issuerUri: string; allowedAudiences?: string[]; jwksJson?: string };
}

export interface Pool extends Operated {
  displayName?: string;
  description?: string;
  disabled?: boolean;
  state: "ACTIVE" | "DELETED";
  providers: Record<string, Provider>;
}

export interface Account {
  uniqueId: string;
  displayName?: string;
  description?: string;
  disabled?: boolean;
  policy: Policy;
  /** For how many requests it is not visible yet. */
  hidden: number;
}

export interface Role {
  title?: string;
  description?: string;
  stage?: string;
  includedPermissions: string[];
  /** Deleted for less than 7 days. */
  deleted?: boolean;
  /** Deleted for more than 7 days: gone, but its ID is blocked. */
  blocked?: boolean;
  changes: number;
}

export interface StoredObject {
  body: string;
  contentType?: string;
  cacheControl?: string;
  contentEncoding?: string;
  generation: number;
}

export interface Bucket {
  projectNumber: string;
  /** Another project's bucket, which denies everything. */
  closed?: boolean;
  location: string;
  iamConfiguration: Value;
  labels?: Record<string, string>;
  policy: Policy;
  objects: Record<string, StoredObject>;
  /** The names of objects with a version that is not current, that were deleted, or that are being uploaded. */
  noncurrent?: string[];
  softDeleted?: string[];
  uploads?: string[];
  billing?: { requesterPays: boolean };
  lifecycle?: { rule: Value[] };
  ipFilter?: { mode: string };
  metageneration: number;
}

/** One project, and the buckets of everyone. Maps are keyed by ID, accounts by email address. */
export interface State {
  project: string;
  number: string;
  universe: string;
  /** The names of the enabled services. */
  services: string[];
  policy: Policy;
  pools: Record<string, Pool>;
  accounts: Record<string, Account>;
  roles: Record<string, Role>;
  buckets: Record<string, Bucket>;
  /** How many accounts were ever created; their unique IDs are derived from it. */
  accountsMade: number;
}

type Partly<T> = {
  [Part in keyof T]?: T[Part] extends Record<string, infer One> ? Record<string, Partial<One>> : T[Part];
};
/** The initial state: the parts that matter to a test. */
export type Seed = Partly<Omit<State, "policy">> & { policy?: Partial<Policy> };

/** A constraint of an organization policy that is enforced. */
type Constraint =
  | "iam.workloadIdentityPoolProviders"
  | "storage.publicAccessPrevention"
  | "iam.allowedPolicyMemberDomains"
  | "iam.disableServiceAccountCreation";

export interface Settings {
  /** How many reads do not see a finished operation on a pool or provider. */
  pending: number;
  /** Whether these reads see a new pool or provider in state STATE_UNSPECIFIED, or none. */
  begun: "unspecified" | "absent";
  /** Whether the list of providers contains their keys. */
  keysInList: boolean;
  /** For how many requests a new service account is not visible. */
  hidden: number;
  /** How many of the next changes of a policy fail because of a concurrent change. */
  conflicts: number;
  constraints: readonly Constraint[];
  /** The permissions of the caller; undefined means all. */
  permissions?: readonly string[];
  /** How many items are in one page of a list. */
  page: number;
}

/** A request as Google gets it. */
export interface Request {
  method: string;
  /** Decoded, without query. */
  path: string;
  query: Record<string, string>;
  body: Value;
  /** The content of an uploaded object; `body` is its metadata. */
  upload?: string;
}

export interface Response {
  status: number;
  body: Value;
  /** What an object contains, instead of `body`. */
  media?: { type: string; text: string };
}

/** Everything that a request can see and change. */
export interface World {
  state: State;
  settings: Settings;
  /** Every permission that was ever needed. */
  used: Set<string>;
  /** The address of the server, for links. */
  address: string;
}
