import { isMap, type Value } from "../core/resource.ts";
import type { Grant } from "./permissions.ts";

/** Permissions that have names alone, and hold for a whole project or subscription. */
export function namedGrants(kind: "role" | "permission" | "data permission", list: Value | undefined): Grant[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || !list.every((one) => typeof one === "string"))
    return [unread(`its list of ${kind}s has a form that is not known: ${JSON.stringify(list)}`)];
  if (list.length === 0) return [];
  return [{ ...everywhere, actions: (list as readonly string[]).map((one) => `${kind} ${one}`) }];
}

/** What stands beside the fields that are known, and says something that nobody here understands. */
export function unreadGrant(provider: Value | undefined, known: ReadonlySet<string>): Grant[] {
  if (!isMap(provider)) return [];
  const strange = Object.entries(provider).filter(
    ([name, one]) => !known.has(name) && !(Array.isArray(one) && one.length === 0),
  );
  return strange.map(([name, one]) => unread(`${name} cannot be compared: ${JSON.stringify(one)}`));
}

const everywhere = { effect: "Allow", principals: [""], resources: ["*"], condition: [] } as const;

function unread(undecided: string): Grant {
  return { ...everywhere, actions: ["*"], undecided };
}
