import { sha256 } from "../../../core/hash.ts";

const maxPrefix = 14;
const hashLength = 10;

/**
 * The default name of the storage account: the letters and digits of the prefix, and a hash of the subscription and the
 * prefix, because names are unique in the whole cloud (Azure documentation, "Naming rules and restrictions for Azure
 * resources": 3 to 24 lowercase letters and digits).
 */
export function defaultStorageAccount(subscriptionId: string, prefix: string): string {
  const start = prefix.replace(/[^a-z0-9]/g, "").slice(0, maxPrefix);
  const hash = sha256(`${subscriptionId}/${prefix}`.toLowerCase()).toString("hex").slice(0, hashLength);
  return `${start}${hash}`;
}

/** Says what is wrong with a container's name, as a predicate to put after the name; undefined if the name is valid. */
export function containerNameProblem(name: string): string | undefined {
  if (name.length < 3 || name.length > 63) return `has ${name.length} characters, but must have 3 to 63`;
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(name))
    return "must contain only lowercase letters, digits and '-', and start and end with a letter or digit";
  return name.includes("--") ? 'must not contain "--"' : undefined;
}
