import { shellWord } from "../core/shell.ts";
import { kindAndName, named } from "./named.ts";
import { extraSteps, needsOf, type Options, type Plan, type Planned, planApply, type Step, stopped } from "./plan.ts";
import type { Inside, Kind, State } from "./resource.ts";

/**
 * The plan that removes what the package created. What is not the package's stays, and with it what it needs or is inside of.
 *
 * @param include what goes nevertheless, as KIND/NAME, or as NAME where one kind has it.
 */
export async function planDestroy(target: Planned, state: State, include: readonly string[] = []): Promise<Plan> {
  const { place, facts, prefix, kinds } = target;
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
    const now = step.action === "remove" ? await decide(step, user, kinds[step.kind], { going, include }) : step;
    if (now.action !== "remove") for (const id of [now.id, now.live?.id ?? now.id]) going.delete(id);
    decided.set(now.id, now);
  }
  const inside = [...decided.values()].flatMap((step) => step.inside ?? []).filter(({ isForeign }) => isForeign);
  const includeForeign = named(include, inside).map(kindAndName);
  const options: Options = { prune: true, adopt: [], allow: [], includeForeign };
  const problem = "problem" in state.extras ? extraSteps(state, true, new Map()) : [];
  return { place, facts, prefix, options, steps: [...decided.values(), ...problem], notes: state.notes };
}

/**
 * Whether a resource is removed.
 *
 * @param user what needs it and stays, if anything does.
 * @param how the IDs of what goes with it, and what others have that goes, too.
 */
async function decide(
  step: Step,
  user: Step | undefined,
  kind: Kind | undefined,
  { going, include }: { readonly going: ReadonlySet<string>; readonly include: readonly string[] },
): Promise<Step> {
  if (user !== undefined) {
    const action = user.action === "unknown" ? "unknown" : "keep";
    return { ...step, action, reason: `${user.kind} ${user.name} stays` };
  }
  if (step.live === undefined) return step;
  const kept = await kind?.keep?.(step.live, going);
  if (kept !== undefined) return { ...step, action: "keep", reason: kept };
  return withInside(step, (await kind?.inside?.(step.live)) ?? [], include);
}

/** A removal with what it takes along. What others have inside stops it, unless the user includes it. */
function withInside(step: Step, inside: readonly Inside[], include: readonly string[]): Step {
  if (inside.length === 0) return step;
  const included = named(include, inside);
  const foreign = inside.filter((one) => one.isForeign && !included.includes(one));
  const [first, ...more] = foreign;
  if (first === undefined) return { ...step, inside };
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  const flags = foreign.map((one) => `--include-foreign ${shellWord(kindAndName(one))}`).join(" ");
  const reason = `it contains ${first.kind} ${first.name}${others}, which the package does not have; if nothing needs that, remove it, or use ${flags}`;
  return { ...step, action: "keep", reason, inside };
}

/**
 * The plan that removes what belongs only to previous issuers; undefined if the cloud does not match the package, because
 * then the cluster may still depend on them.
 */
export async function planPrevious(
  target: Planned,
  state: State,
  include: readonly string[] = [],
): Promise<Plan | undefined> {
  if (state.needsPrevious) return undefined;
  const current = planApply(target, state, { prune: false, adopt: [], allow: [] });
  const isHarmless = ({ action, extra }: Step) => action === "none" || (extra !== undefined && !extra.breaksIssuer);
  if (!current.steps.every(isHarmless)) return undefined;
  const found = { readings: new Map(), extras: { found: state.previous ?? [] }, notes: state.notes };
  return planDestroy({ ...target, wanted: [] }, found, include);
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
