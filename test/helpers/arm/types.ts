/** A JSON value. */
// biome-ignore lint/suspicious/noExplicitAny: the bodies of requests are checked where they are used.
export type Value = any;

export type Tags = Record<string, string>;

export interface Group {
  id: string;
  location: string;
  tags: Tags;
  /** The full IDs of resources of other kinds. */
  others: string[];
  /** How many reads still see it, after it was deleted. */
  deleting?: number;
}

export interface Blob {
  body: string;
  contentType: string;
  contentEncoding?: string;
  changes: number;
}

export interface Container {
  publicAccess: "None" | "Blob" | "Container";
  metadata?: Tags;
  blobs: Record<string, Blob>;
}

export interface Account {
  id: string;
  location: string;
  kind: string;
  sku: { name: string };
  tags: Tags;
  properties: Value;
  containers: Record<string, Container>;
  /** How many reads see it before its creation is complete. */
  pending: number;
  /** The rules of its lifecycle policy. */
  lifecycle?: Value[];
  /** What else the account contains, by name. */
  others?: { shares?: string[]; tables?: string[]; queues?: string[] };
}

export interface Credential {
  issuer: string;
  subject: string;
  audiences: string[];
}

export interface Identity {
  id: string;
  location: string;
  tags: Tags;
  clientId: string;
  principalId: string;
  credentials: Record<string, Credential>;
  /** How many assignments to it fail because its principal is not known everywhere yet. */
  hidden: number;
  /** How many of its credentials cannot be created because it is not known everywhere yet. */
  unready: number;
}

export interface Definition {
  roleName: string;
  description: string;
  type: string;
  permissions: Value[];
  assignableScopes: string[];
  /** How many assignments of it fail because it is not known everywhere yet. */
  hidden: number;
}

export interface Assignment {
  /** As it was given when the assignment was created. */
  scope: string;
  name: string;
  /** The GUID of the role. */
  role: string;
  principalId: string;
  principalType: string;
  condition?: string;
}

/**
 * The subscriptions of a tenant, and the storage accounts of everyone. Keys are in lower case: full IDs of groups, identities
 * and assignments, names of accounts, GUIDs of role definitions.
 */
export interface State {
  tenant: string;
  /** The subscription that `az` is set to. */
  subscription: string;
  /** All subscriptions that the caller can see. */
  subscriptions: string[];
  /** The name that `az` has for the cloud. */
  cloud: string;
  groups: Record<string, Group>;
  accounts: Record<string, Account>;
  identities: Record<string, Identity>;
  definitions: Record<string, Definition>;
  assignments: Record<string, Assignment>;
  /** Other principals than managed identities: users, groups, and applications. */
  principals: string[];
  /** How many identities were ever created; their client IDs and principal IDs are derived from it. */
  identitiesMade: number;
}

type Partly<T> = {
  [Part in keyof T]?: T[Part] extends Record<string, infer One> ? Record<string, Partial<One>> : T[Part];
};
/** The initial state: the parts that matter to a test. A group, an identity or an account gets its ID from its key. */
export type Seed = Partly<State>;

export interface Settings {
  /** How many reads see a storage account before its creation, or a group before its deletion, is complete. */
  pending: number;
  /** How many assignments to a new identity fail with PrincipalNotFound. */
  hiddenPrincipals: number;
  /** How many assignments of a new role definition fail with RoleDefinitionDoesNotExist. */
  hiddenDefinitions: number;
  /** How many credentials of a new identity fail with ParentResourceNotFound. */
  hiddenParents: number;
  /** How many of the next writes of federated credentials fail because of a concurrent write. */
  conflicts: number;
  /** How many of the next requests to Azure Resource Manager are throttled. */
  throttled: number;
  /** How many of the next writes of blobs fail because the role of the caller is not known everywhere yet. */
  hiddenDataRoles: number;
  /** What an Azure Policy does to accounts with public blobs. */
  publicBlobs: "allowed" | "denied" | "modified";
  /** The actions of the caller, with `*`; undefined means all. */
  permissions?: readonly string[];
  /** The data actions of the caller, with `*`. */
  dataPermissions: readonly string[];
  /** How many items are in one page of a list. */
  page: number;
}

/** A request as Azure Resource Manager gets it. */
export interface Request {
  method: string;
  /** Decoded, without query. */
  path: string;
  /** By name in lower case. */
  query: Record<string, string>;
  body: Value;
}

export interface Response {
  status: number;
  /** Undefined if there is none. */
  body: Value;
  headers?: Record<string, string>;
}

/** Everything that a request can see and change. */
export interface World {
  state: State;
  settings: Settings;
  /** Every action and data action that was ever needed. */
  used: Set<string>;
  /** The address of the server, for links. */
  address: string;
}
