import { isMap, type Value } from "../core/resource.ts";
import type { Grant } from "./permissions.ts";

/** Reads permissions that have only names, and apply to a whole project or subscription. */
export function namedGrants(kind: "role" | "permission" | "data permission", list: Value | undefined): Grant[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || !list.every((value) => typeof value === "string"))
    return undecidedGrants(`its list of ${kind}s has an unknown form: ${JSON.stringify(list)}`);
  if (list.length === 0) return [];
  return [{ ...everywhere, actions: (list as readonly string[]).map((text) => `${kind} ${text}`) }];
}

/** Like {@link namedGrants}, for a cloud without wildcards: the meaning of a `*` or `?` in a name is not known. */
export function literalGrants(kind: "role" | "permission", list: Value | undefined): Grant[] {
  const strange = Array.isArray(list) && list.some((value) => typeof value === "string" && /[*?]/.test(value));
  return strange
    ? undecidedGrants(
        `its list of ${kind}s contains a wildcard, which this cloud does not support: ${JSON.stringify(list)}`,
      )
    : namedGrants(kind, list);
}

/** Returns undecided grants for the fields of a provider spec that are not known and not empty lists. */
export function unreadGrant(provider: Value | undefined, known: ReadonlySet<string>): Grant[] {
  if (!isMap(provider)) return [];
  const strange = Object.entries(provider).filter(
    ([name, one]) => !known.has(name) && !(Array.isArray(one) && one.length === 0),
  );
  return strange.flatMap(([name, one]) => undecidedGrants(`${name} cannot be compared: ${JSON.stringify(one)}`));
}

const everywhere = { effect: "Allow", principals: [""], resources: ["*"], condition: [] } as const;

/** What stands for something of an unknown form: it may allow something or deny something. */
export function undecidedGrants(undecided: string): Grant[] {
  const grant = { ...everywhere, actions: ["*"], undecided };
  return [grant, { ...grant, effect: "Deny" }];
}
