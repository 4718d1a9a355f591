import { canonicalJson } from "../core/json.ts";
import type { Value } from "../core/resource.ts";
import { describedIdentity } from "./described-diff.ts";
import { type IdentityDiff, type SidesDiff, verdictOf } from "./diff.ts";
import { withFollowing } from "./following.ts";
import { followingText } from "./value-words.ts";
import { type Contents, changedContents, type ValueChange, type Wording } from "./values.ts";

/** How the cloud's identities are read from files. */
export interface ComparedFields extends Wording {
  /**
   * What the permissions and the trust of an identity are read from: file name and field, with a space between them. A difference
   * there is one of the identity.
   */
  readonly compared: RegExp;
}

/**
 * Adds to the comparison of identities whatever else differs. The verdict is "none" only if nothing does: a change in the files of an
 * identity that allows the same counts as narrowed.
 */
export function withContents(diff: SidesDiff, old: Contents, now: Contents, fields: ComparedFields): SidesDiff {
  const all = changedContents(old, now, fields);
  const byKey = new Map(diff.identities.map((one) => [one.key, one]));
  const left = all.flatMap((change): ValueChange[] => {
    const identity = byKey.get(change.identity ?? "");
    if (identity === undefined) return [change];
    const isSet = isCompared(change, fields.compared);
    if (isClaimed(change, identity, isSet)) return [];
    return [isSet ? { ...change, effect: "narrowed" } : change];
  });
  const changes = withFollowing(left);
  const touched = new Set(all.map(({ identity }) => identity));
  const identities = diff.identities.map((one) =>
    comparedIdentity(one, changes, touched.has(one.key), fields.compared),
  );
  const others = changes.filter(({ identity }) => !byKey.has(identity ?? ""));
  const effects = others.flatMap(effectsOf);
  return {
    ...diff,
    verdict: verdictOf([
      ...identities.map(({ unknownGates, verdict }) => (unknownGates.length > 0 ? "unknown" : verdict)),
      ...effects,
    ]),
    certain: verdictOf([
      ...identities.map(({ unknownGates, certain }) => (unknownGates.length > 0 ? "unknown" : certain)),
      ...effects,
    ]),
    identities,
    changes: others,
  };
}

function isCompared({ place, field }: ValueChange, compared: RegExp): boolean {
  return compared.test(`${place.slice(place.lastIndexOf("/") + 1)} ${field}`);
}

/**
 * Whether the comparison of an identity itself shows a change. It compares sets: of an entry that another one makes superfluous it says
 * nothing, and neither does it say anything about an identity that allows the same.
 */
function isClaimed({ old, new: now }: ValueChange, identity: IdentityDiff, isSet: boolean): boolean {
  if (identity.change === "new" || identity.change === "gone") return true;
  if (identity.change === "none") return false;
  const { boundary, tokenPath, email, audience } = identity;
  const pair = canonicalJson([old ?? "", now ?? ""]);
  const moves = [boundary, tokenPath, email, audience].flatMap((move) =>
    move === undefined ? [] : canonicalJson([...move]),
  );
  if (moves.includes(pair)) return true;
  if (!isSet) return false;
  const shown = JSON.stringify(describedIdentity(identity)).toLowerCase();
  const texts = [...textsIn(old), ...textsIn(now)].filter((text) => text !== "Allow" && text !== "Deny");
  return texts.every((text) => shown.includes(JSON.stringify(text).slice(1, -1).toLowerCase()));
}

function textsIn(value: Value | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function comparedIdentity(
  diff: IdentityDiff,
  changes: readonly ValueChange[],
  isTouched: boolean,
  compared: RegExp,
): IdentityDiff {
  const own = changes.filter(({ identity }) => identity === diff.key);
  const following = changes.flatMap((cause) => {
    const mine = cause.identity === diff.key ? [] : cause.follows.filter(({ identity }) => identity === diff.key);
    return mine.length === 0
      ? []
      : [{ text: followingText(mine.length, cause), effects: mine.map(({ effect }) => effect) }];
  });
  // The verdict of the identity already includes what was compared as sets.
  const others = own.filter((change) => !isCompared(change, compared));
  const effects = [...others.flatMap(effectsOf), ...following.flatMap((one) => one.effects)];
  const isMoved = [diff.tokenPath, diff.email, diff.audience].some((move) => move !== undefined);
  const [verdict, certain] = [diff.verdict, diff.certain].map((one) => {
    const joined = verdictOf([one, ...effects, ...(isMoved ? (["broadened"] as const) : [])]);
    return joined === "none" && isTouched ? "narrowed" : joined;
  }) as [IdentityDiff["verdict"], IdentityDiff["certain"]];
  return {
    ...diff,
    change: diff.change === "none" && isTouched ? "changed" : diff.change,
    verdict,
    certain,
    changes: own,
    following: following.map(({ text }) => text),
  };
}

function effectsOf({ effect, follows, identity: own }: ValueChange) {
  return [
    effect,
    ...follows.filter(({ identity }) => identity === undefined || identity === own).map((one) => one.effect),
  ];
}
