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
  /** Where it is not S3's own keys (AES256). */
  encryption?: { ServerSideEncryption: string; SSEKMSKeyId?: string };
  /** Of a bucket that keeps versions. */
  versionId?: string;
}

/** A noncurrent version of an object, or a delete marker. */
interface ObjectVersion {
  Key: string;
  VersionId: string;
  IsLatest: boolean;
  isMarker: boolean;
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
  /** Enabled or Suspended. */
  versioning?: string;
  versions?: ObjectVersion[];
  /** How many versions there ever were. */
  versionsMade?: number;
  /** The keys of the unfinished multipart uploads. */
  uploads?: string[];
  objectLock?: boolean;
  /** As PutBucketEncryption takes it. */
  encryption?: Value;
  /** Who owns objects: without it, the bucket's owner. */
  ownership?: string;
  /** Who pays for requests: without it, the bucket's owner. */
  payer?: string;
  /** The rules of its lifecycle configuration. */
  lifecycle?: Value[];
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
  settings: Settings;
}

export interface Settings {
  /** For how many other calls a new role is not visible. */
  lag: number;
  /** How many reads see a new or changed distribution as InProgress. */
  deployment: number;
  /** How many lists do not contain a new distribution. */
  listLag: number;
  /** How many items AWS puts into one page. */
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

/** An account, and how the stand-in behaves. */
export interface World {
  state: State;
  settings: Settings;
  /** The region of requests. */
  region: string;
  /** The identity policy of the caller; undefined if the caller may do everything. */
  policy: Value;
  /** The IAM actions that the requests so far needed. */
  readonly used: Set<string>;
}
