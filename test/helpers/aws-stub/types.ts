import type { Settings as CloudSettings, Value } from "../amazon/types.ts";

export interface Settings extends CloudSettings {
  /** Whether to behave as version 1 or 2 of the CLI. */
  cli: 1 | 2;
  /** Whether the CLI can create a bucket with tags. */
  bucketTags: boolean;
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
