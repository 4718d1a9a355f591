import type { Value } from "../../../core/resource.ts";
import { undecidedGrants } from "../../../permissions/named.ts";
import type { Grant } from "../../../permissions/permissions.ts";

/** The four lists of a role, as they are written. A missing list is empty. */
export interface RoleLists {
  readonly actions: Value | undefined;
  readonly notActions: Value | undefined;
  readonly dataActions: Value | undefined;
  readonly notDataActions: Value | undefined;
}

/**
 * What a role allows: its actions without its `notActions`, and its data actions without its `notDataActions`, in all of which
 * `*` matches any text. The exceptions limit only this role: another one may allow what they contain (Azure documentation,
 * "Understand Azure role definitions"). A list of an unknown form is undecided.
 *
 * @param resources where the role applies.
 */
export function listGrants(lists: RoleLists, resources: readonly string[] = ["*"]): Grant[] {
  const [actions, notActions, dataActions, notDataActions] = (
    ["actions", "notActions", "dataActions", "notDataActions"] as const
  ).map((name) => textsOf(lists[name]));
  if (!actions || !notActions || !dataActions || !notDataActions)
    return undecidedGrants(`its lists of actions have an unknown form: ${JSON.stringify(lists)}`);
  if (actions.length * notActions.length + dataActions.length * notDataActions.length > maxPairs)
    return undecidedGrants("its lists of actions are too long to compare");
  return [
    ...grant("permission", actions, notActions, resources),
    ...grant("data permission", dataActions, notDataActions, resources),
  ];
}

/** The most pairs of an action and an exception. A custom role of Azure has at most some thousand actions. */
const maxPairs = 100_000;

function grant(
  kind: "permission" | "data permission",
  actions: readonly string[],
  except: readonly string[],
  resources: readonly string[],
): Grant[] {
  if (actions.length === 0) return [];
  const named = (list: readonly string[]) => list.map((text) => `${kind} ${text}`);
  const exceptions = except.length === 0 ? {} : { except: named(except) };
  return [{ effect: "Allow", principals: [""], actions: named(actions), ...exceptions, resources, condition: [] }];
}

// A "?" is not a wildcard in Azure, and no action contains one.
function textsOf(list: Value | undefined): readonly string[] | undefined {
  if (list === undefined || list === null) return [];
  const isList = Array.isArray(list) && list.every((text) => typeof text === "string" && !text.includes("?"));
  return isList ? (list as readonly string[]) : undefined;
}

/**
 * What the assignment of roles grants: the roles by their names, because Azure defines them and may change them.
 *
 * @param resources where the roles apply.
 */
export function assignedGrants(names: readonly string[], resources: readonly string[] = ["*"]): Grant[] {
  const strange = names.filter((name) => /[*?]/.test(name));
  if (strange.length > 0) return undecidedGrants(`a role has a wildcard in its name: ${JSON.stringify(strange)}`);
  if (names.length === 0) return [];
  const actions = names.map((name) => `role ${name}`);
  return [{ effect: "Allow", principals: [""], actions, resources, condition: [] }];
}
