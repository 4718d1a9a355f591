import { manySteps, unlessTooComplex } from "./automaton.ts";
import { condition } from "./condition.ts";
import { type Glob, intersects, isCovered } from "./glob.ts";
import type { Holder } from "./identity.ts";
import type { Grant, Permissions } from "./permissions.ts";

/** What policies that are not in a package say, by their names in the cloud. */
export type PolicyDocuments = ReadonlyMap<string, Permissions>;

/**
 * An identity with the documents of its managed policies and of its permissions boundary, as far as they are known. What remains
 * unknown stays undecided.
 *
 * A role may do what its policies and its boundary allow, unless one of them denies it (IAM User Guide, "Permissions boundaries
 * for IAM entities"). So each statement is limited to what the boundary allows of it, and the denials of the boundary are added.
 *
 * @param which with "boundary", the managed policies stay as they are.
 */
export function withDocuments<Holding extends Holder>(
  holder: Holding,
  documents: PolicyDocuments,
  which: "all" | "boundary" = "all",
): Holding {
  const { permissions, managedPolicies, boundary } = holder;
  const known = which === "all" ? managedPolicies.filter((name) => documents.has(name)) : [];
  const limit = boundary === undefined ? undefined : documents.get(boundary);
  if (known.length === 0 && limit === undefined) return holder;
  const all = [...permissions, ...known.flatMap((name) => documents.get(name) ?? [])];
  return {
    ...holder,
    permissions: limit === undefined ? all : limited(all, limit),
    managedPolicies: managedPolicies.filter((name) => !known.includes(name)),
    ...(limit === undefined ? {} : { boundary: undefined }),
  };
}

function limited(permissions: Permissions, limit: Permissions): Permissions {
  const allowing = limit.filter(({ effect }) => effect === "Allow");
  const allowed = permissions.flatMap((grant): Grant[] =>
    grant.effect === "Deny" ? [grant] : unique(allowing.flatMap((one) => withinOf(grant, one))),
  );
  return [...allowed, ...limit.filter(({ effect }) => effect === "Deny")];
}

function unique(grants: readonly Grant[]): Grant[] {
  return [...new Map(grants.map((grant) => [JSON.stringify(grant), grant])).values()];
}

const partly = "the permissions boundary may allow only a part of it";

/** The part of a statement that a statement of a boundary allows: none, one, or a known part and one that could not be decided. */
function withinOf(grant: Grant, limit: Grant): Grant[] {
  if (grant.undecided !== undefined) return [grant];
  if (limit.undecided !== undefined)
    return [{ ...grant, undecided: `of the permissions boundary, ${limit.undecided}` }];
  const fold = (action: Glob) => action.toLowerCase();
  const actions = commonOf(grant.actions, limit.actions, fold);
  const resources = commonOf(grant.resources, limit.resources, (resource) => resource);
  const base = { ...grant, condition: condition([...grant.condition, ...limit.condition]) };
  const [some, where] = [
    [...actions.known, ...actions.open],
    [...resources.known, ...resources.open],
  ];
  if (some.length === 0 || where.length === 0) return [];
  const known = { ...base, actions: actions.known, resources: resources.known };
  if (actions.open.length === 0 && resources.open.length === 0) return [known];
  const open: Grant = { ...base, actions: some, resources: where, undecided: partly };
  return known.actions.length === 0 || known.resources.length === 0 ? [open] : [known, open];
}

/** Sets that are in both lists, and sets of which only a part is. */
interface Common {
  readonly known: readonly Glob[];
  readonly open: readonly Glob[];
}

function commonOf(sets: readonly Glob[], others: readonly Glob[], fold: (set: Glob) => Glob): Common {
  const known = new Set<Glob>();
  const open = new Set<Glob>();
  const budget = { steps: manySteps };
  for (const set of sets) {
    for (const other of others) {
      const relation = unlessTooComplex<"in" | "around" | "apart" | "crossing">("crossing", () => {
        const [a, b] = [fold(set), fold(other)];
        if (isCovered([a], [b], budget)) return "in";
        if (isCovered([b], [a], budget)) return "around";
        return intersects(a, b, budget) ? "crossing" : "apart";
      });
      if (relation === "in") known.add(set);
      else if (relation === "around") known.add(other);
      else if (relation === "crossing") open.add(set);
    }
  }
  return { known: [...known], open: [...open].filter((set) => !known.has(set)) };
}
