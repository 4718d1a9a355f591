import { messageFlags } from "../definition.ts";
import { fleetFlags } from "../fleet/flags.ts";

/*
 * What the commands that reach a cloud share.
 */

/** The packages or exports that a command applies or compares. */
export const targetsArgument = {
  name: "DIR",
  text: "rendered packages or exports (default: the current directory)",
  optional: true,
  many: true,
  path: "directory",
} as const;

export const adoptFlag = {
  value: "KIND/NAME",
  many: true,
  text: "adopt an existing resource that lacks the owner mark, by the kind and the name in the plan, or by its name if only one kind has it; what another prefix owns is never adopted; may be repeated",
} as const;

export const allowFlag = {
  value: "LIST",
  choices: ["replace-key", "replace-issuer"],
  many: true,
  text: 'change what may be another cluster\'s: with "replace-key", an issuer that publishes only keys that are not in the package; with "replace-issuer", an identity that trusts only issuers that are not in the package; separated by commas',
} as const;

export const noFetchFlag = { text: "skip the anonymous read of the issuer's public documents" } as const;

const topic = "credentials";

/** Who makes the requests. */
export const accessFlags = {
  "assume-role": {
    value: "ROLE",
    text: "AWS: the role to assume, as a name in the account of each package, or as an ARN",
    topic,
  },
  "external-id": { value: "ID", text: "AWS: the external ID that the role to assume requires", topic },
  "impersonate-service-account": {
    value: "EMAIL",
    text: "Google Cloud: the service account to impersonate",
    topic,
  },
} as const;

export const removeTagFlag = {
  value: "KEY",
  many: true,
  text: "remove a tag that you removed from the package, from every resource that it owns; may be repeated",
} as const;

/** For a command that changes something in the cloud. */
export const eachChangeFlag = { text: "also print a line for each change, and notes about the input" } as const;

/** For commands that wait for a cloud. */
export const jobsFlag = {
  value: "N",
  fallback: "4",
  text: "apply and status: how many packages are processed at the same time",
  topic: "packages",
} as const;

/** For several packages. */
export const manyFlags = { ...messageFlags, ...fleetFlags, jobs: jobsFlag } as const;
