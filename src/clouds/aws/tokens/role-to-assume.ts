import type { JsonReading } from "../../../core/read-json.ts";
import { maxRoleName } from "../limits.ts";

/** A role that a token can be exchanged for. */
export interface RoleToAssume {
  readonly arn: string;
  readonly name: string;
  readonly partition: string;
  readonly accountId: string;
  readonly trust: JsonReading;
}

/** Parses the ARN of a role; undefined if the text is not a role's ARN (IAM User Guide, "IAM identifiers"). */
export function roleToAssume(arn: string, trust: JsonReading): RoleToAssume | undefined {
  const [, partition, accountId, name] =
    /^arn:([a-z-]+):iam::(\d{12}):role\/(?:[\x21-\x7e]+\/)?([\w+=,.@-]+)$/.exec(arn) ?? [];
  if (partition === undefined || accountId === undefined || name === undefined || name.length > maxRoleName)
    return undefined;
  return { arn, name, partition, accountId, trust };
}
