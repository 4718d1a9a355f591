import { extraSteps, needsOf, type Options, type Plan, type Planned, planApply, type Step, stopped } from "./plan.ts";
import type { State } from "./resource.ts";

/** The plan that removes what the package created. What is not the package's stays, and with it what it needs. */
export async function planDestroy(target: Planned, state: State): Promise<Plan> {
  const { place, facts, prefix, kinds } = target;
  const options: Options = { prune: true, adopt: [], allow: [] };
  const all = candidates(target, state);
  const ids = new Set(all.map(({ id }) => id));
  const alone = all.filter((step) => !(kinds[step.kind]?.within && ids.has(partOf(step) ?? "")));
  const { refusal } = state;
  const found = alone.map((step) => (refusal && step.action === "remove" ? stopped(step, "keep", refusal) : step));
  const needed = (id: string) => found.filter((one) => !kinds[one.kind]?.free && needsOf(one).includes(id));
  const decided = new Map<string, Step>();
  const going = new Set(
    found.filter(({ action }) => action === "remove").flatMap(({ id, live }) => [id, live?.id ?? id]),
  );
  // Backwards: what needs something is decided before it.
  for (const step of [...found].reverse()) {
    const user = needed(step.id)
      .map(({ id }) => decided.get(id))
      .find((one) => one !== undefined && one.action !== "remove");
    let now = step;
    if (now.action === "remove" && user !== undefined)
      now = {
        ...now,
        action: user.action === "unknown" ? "unknown" : "keep",
        reason: `${user.kind} ${user.name} stays`,
      };
    if (now.action === "remove" && now.live !== undefined) {
      const kept = await kinds[now.kind]?.keep?.(now.live, going);
      if (kept !== undefined) now = { ...now, action: "keep", reason: kept };
    }
    if (now.action !== "remove") for (const id of [now.id, now.live?.id ?? now.id]) going.delete(id);
    decided.set(now.id, now);
  }
  const problem = "problem" in state.extras ? extraSteps(state, true, new Map()) : [];
  return { place, facts, prefix, options, steps: [...decided.values(), ...problem], notes: state.notes };
}

/**
 * The plan that removes what belongs only to previous issuers; undefined if the cloud does not match the package, because
 * then the cluster may still depend on them.
 */
export async function planPrevious(target: Planned, state: State): Promise<Plan | undefined> {
  if (state.needsPrevious) return undefined;
  const current = planApply(target, state, { prune: false, adopt: [], allow: [] });
  const isHarmless = ({ action, extra }: Step) => action === "none" || (extra !== undefined && !extra.breaksIssuer);
  if (!current.steps.every(isHarmless)) return undefined;
  const found = { readings: new Map(), extras: { found: state.previous ?? [] }, notes: state.notes };
  return planDestroy({ ...target, wanted: [] }, found);
}

function candidates({ wanted, kinds }: Planned, { readings, extras, previous = [] }: State): Step[] {
  const own = wanted.flatMap((one): Step[] => {
    const { kind, id, name } = one;
    const base = { kind, id, name, wanted: one, changes: [] };
    const reading = readings.get(id);
    if (reading === undefined || reading.state === "unread")
      return [{ ...base, action: "unknown", reason: reading?.problem ?? "It was not read." }];
    // What was deleted is gone, even if the cloud could restore it.
    if (reading.state === "absent" || reading.live.deleted) return [];
    const { live } = reading;
    // What it needs stays with it, whosever it is.
    const isShown = live.owner === "own" || one.needs.length > 0;
    if (one.kept !== undefined) return isShown ? [{ ...base, action: "keep", reason: one.kept, live }] : [];
    if (live.refusal !== undefined) return [{ ...base, action: "keep", reason: live.refusal.reason, live }];
    if (live.owner !== "own") return [{ ...base, action: "keep", reason: "the package does not own it", live }];
    return [{ ...base, action: "remove", live }];
  });
  // What previous issuers had goes with everything else; what is part of something goes with that.
  const former = previous.filter(({ kind, id }) => !kinds[kind]?.within && !readings.has(id));
  const found = "problem" in extras ? [] : extras.found;
  // What hangs on something that is not the package's is not either, and what is wrong with an issuer is not a resource.
  const hanging = found.filter(({ live, kept, breaksIssuer }) => !breaksIssuer && (live.owner === "own" || kept));
  const others = "problem" in extras ? [] : [...hanging, ...former];
  const more = others.map((extra): Step => {
    const { kind, id, name, live, kept } = extra;
    const base = { kind, id, name, changes: [], extra, live };
    return kept === undefined ? { ...base, action: "remove" } : { ...base, action: "keep", reason: kept };
  });
  return [...own, ...more];
}

/**
 * Whether a destroy does not do with it what it is for: the package's resource stays, or it is not known whether there is one. What stays
 * by design, and what is not the package's, does not count.
 */
export function isLeft({ kinds }: Pick<Planned, "kinds">, { action, kind, live, wanted, extra }: Step): boolean {
  if (action !== "keep" || wanted?.kept !== undefined || kinds[kind]?.stays) return false;
  return live?.owner === "own" || live?.refusal !== undefined || extra?.unread === true;
}

function partOf({ wanted, extra }: Step): string | undefined {
  return wanted?.part ?? extra?.part;
}
