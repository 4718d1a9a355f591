import { isMap, type Value } from "../core/resource.ts";
import type { Grant } from "./permissions.ts";

/** Permissions that have names alone, and hold for a whole project or subscription. */
export function namedGrants(kind: "role" | "permission" | "data permission", list: Value | undefined): Grant[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || !list.every((value) => typeof value === "string"))
    return unread(`its list of ${kind}s has a form that is not known: ${JSON.stringify(list)}`);
  if (list.length === 0) return [];
  return [{ ...everywhere, actions: (list as readonly string[]).map((text) => `${kind} ${text}`) }];
}

/** The same, of a cloud that has no wildcards: where one stands, nobody knows what is meant. */
export function literalGrants(kind: "role" | "permission", list: Value | undefined): Grant[] {
  const strange = Array.isArray(list) && list.some((value) => typeof value === "string" && /[*?]/.test(value));
  return strange
    ? unread(`its list of ${kind}s holds a wildcard, which this cloud does not have: ${JSON.stringify(list)}`)
    : namedGrants(kind, list);
}

/** What stands beside the fields that are known, and says something that nobody here understands. */
export function unreadGrant(provider: Value | undefined, known: ReadonlySet<string>): Grant[] {
  if (!isMap(provider)) return [];
  const strange = Object.entries(provider).filter(
    ([name, one]) => !known.has(name) && !(Array.isArray(one) && one.length === 0),
  );
  return strange.flatMap(([name, one]) => unread(`${name} cannot be compared: ${JSON.stringify(one)}`));
}

const everywhere = { effect: "Allow", principals: [""], resources: ["*"], condition: [] } as const;

// It may give something, or hold something back.
function unread(undecided: string): Grant[] {
  const grant = { ...everywhere, actions: ["*"], undecided };
  return [grant, { ...grant, effect: "Deny" }];
}

/** The kind and the name of an action that is not allowed on resources, such as a role; undefined for any other. */
export function namedAction(action: string): { readonly kind: string; readonly name: string } | undefined {
  const [, kind, name] = /^(managed policy|role|permission|data permission) (.*)$/s.exec(action) ?? [];
  return kind === undefined || name === undefined ? undefined : { kind, name };
}
