/** A JSON value. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of calls are checked when they come in, by parameters.mjs.
export type Value = any;

export interface Tag {
  Key: string;
  Value: string;
}

export interface PublicAccessBlock {
  BlockPublicAcls: boolean;
  IgnorePublicAcls: boolean;
  BlockPublicPolicy: boolean;
  RestrictPublicBuckets: boolean;
}

export interface StoredObject {
  /** The text, or `base64:` and the bytes if they are not text. */
  body: string;
  /** ContentType, CacheControl and the like, as they were given. */
  headers: Record<string, string>;
  metadata: Record<string, string>;
}

export interface Bucket {
  /** The account that owns it. */
  owner: string;
  region: string;
  /** Another account's bucket, whose policy lets everyone do everything. */
  open?: boolean;
  publicAccessBlock?: PublicAccessBlock;
  policy?: string;
  /** Absent if the bucket has no tag set. */
  tags?: Tag[];
  objects: Record<string, StoredObject>;
}

export interface Role {
  path: string;
  trustPolicy: Value;
  description?: string;
  maxSessionDuration: number;
  permissionsBoundary?: string;
  tags: Tag[];
  /** When and where it was used last. */
  lastUsed?: { LastUsedDate: string; Region: string };
  inlinePolicies: Record<string, Value>;
  attachedPolicies: string[];
}

export interface Provider {
  /** Without `https://`. */
  url: string;
  clientIds: string[];
  thumbprints: string[];
  tags: Tag[];
}

export interface OriginAccessControl {
  config: Value;
  /** Counts changes; the ETag is derived from it. */
  version: number;
}

export interface Distribution {
  config: Value;
  tags: Tag[];
  version: number;
  /** The number of reads until it is deployed. */
  pending: number;
  /** The number of lists that do not contain it yet. */
  unlisted?: number;
}

/** The state of an account. Maps are keyed by name, by ARN (providers) or by ID (CloudFront). */
export interface State {
  account: string;
  partition: string;
  /** The ARN of the caller. */
  caller: string;
  accountPublicAccessBlock: PublicAccessBlock;
  /** Managed policies of the account, by ARN; those of AWS are all there. */
  policies: string[];
  buckets: Record<string, Bucket>;
  roles: Record<string, Role>;
  providers: Record<string, Provider>;
  originAccessControls: Record<string, OriginAccessControl>;
  distributions: Record<string, Distribution>;
  /** Every CallerReference that was ever used, and the distribution it made. */
  callerReferences: Record<string, string>;
}

/** The initial state of the account: the parts that matter to a test. */
export type Seed = {
  [Part in keyof State]?: State[Part] extends Record<string, infer One>
    ? One extends object
      ? Record<string, Partial<One>>
      : State[Part]
    : State[Part];
};

/** A permission that a call needs, with the condition keys that the request has for it. */
export interface Need {
  action: string;
  resource: string;
  keys?: Record<string, string | string[]>;
}

/** Where a call is made. */
export interface Situation {
  state: State;
  /** The region of the request; undefined where neither an option nor the environment names one. */
  region: string | undefined;
  /** Whether the policy under test, if there is one, allows this too. */
  allows(need: Need): boolean;
  /** The file that the call names without an option. */
  file: string;
  /** Reads a file that an argument names. */
  read(name: string): Buffer;
  /** Writes a file that an argument names. */
  write(name: string, bytes: Buffer): void;
  settings: Settings;
}

export interface Settings {
  /** Whether to behave as version 1 or 2 of the CLI. */
  cli: 1 | 2;
  /** For how many other calls a new role is not visible. */
  lag: number;
  /** How many reads see a new or changed distribution as InProgress. */
  deployment: number;
  /** Whether the CLI can create a bucket with tags. */
  bucketTags: boolean;
  /** How many lists do not contain a new distribution. */
  listLag: number;
  /** How many items AWS puts into one page: text output goes through the query page by page. */
  page: number;
}

export interface Operation {
  /** As parameters.mjs reads them. */
  parameters: string;
  /** The parameters that an older CLI supports. */
  olderParameters?: string;
  /** A file that is named without an option, after the others. */
  positional?: string;
  changes?: boolean;
  /** Where the list of a call is, that comes in pages. */
  pages?: string[];
  needs(parameters: Value, situation: Situation): Need[];
  run(parameters: Value, situation: Situation): Value;
}

export type How = "refused" | "unavailable" | "lost" | "lost-and-retried" | "killed-before" | "killed-after";

export interface Call {
  service: string;
  operation: string;
  /** Everything after `aws`. */
  args: string[];
  /** The parameters as AWS would get them; undefined if the CLI sends nothing. */
  parameters?: Value;
  /** Whether the operation changes something, regardless of its result. */
  changes: boolean;
  /** The IAM actions that it needs. */
  actions: string[];
  /** The bucket that it is about belongs to another account. */
  foreign: boolean;
  /** The error code; `client` if nothing was sent; undefined if the call succeeded. */
  error?: string;
}
