import type { JsonReading } from "../../../core/read-json.ts";

/** A role that a token is to be exchanged for. */
export interface RoleToAssume {
  readonly arn: string;
  readonly name: string;
  readonly partition: string;
  readonly accountId: string;
  readonly trust: JsonReading;
}

/** A role of an ARN; undefined where the text is the ARN of none (IAM User Guide, "IAM identifiers"). */
export function roleToAssume(arn: string, trust: JsonReading): RoleToAssume | undefined {
  const [, partition, accountId, name] =
    /^arn:([a-z-]+):iam::(\d{12}):role\/(?:[\x21-\x7e]+\/)?([\w+=,.@-]{1,64})$/.exec(arn) ?? [];
  if (partition === undefined || accountId === undefined || name === undefined) return undefined;
  return { arn, name, partition, accountId, trust };
}
