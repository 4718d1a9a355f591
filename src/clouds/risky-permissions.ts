import { type Atom, namedAction } from "../permissions/permissions.ts";
import { findInGranted, type Granted, quotedList } from "../rules/granted.ts";

/** What a part of permissions grants, by the kind of its action: `{ kind: "role", name: "Owner" }`. */
export interface NamedPart {
  readonly kind: string;
  readonly name: string;
  readonly part: Atom;
}

/**
 * The violations of a rule that looks for certain permissions, granted by themselves or through a role.
 *
 * @param saidOf names the permissions of one part that the rule looks for; undefined if the part has none of them.
 * @param can says what they allow, for the message: "can assign roles".
 * @param cure says what to do instead of accepting the finding, as an imperative.
 */
export function findRisks(
  granted: readonly Granted[],
  saidOf: (named: NamedPart) => string | undefined,
  can: string,
  cure = "remove the permission",
): ReturnType<typeof findInGranted> {
  return findInGranted(granted, ({ allowed }) => {
    const found = [...allowed.values()].flat().flatMap((part) => {
      const named = namedAction(part.action);
      // An edited file of an unknown form may grant everything.
      const said = named === undefined ? "anything, in a form that cannot be read" : saidOf({ ...named, part });
      return said === undefined ? [] : [{ part, said }];
    });
    const [first] = found;
    if (first === undefined) return undefined;
    const risks = found.map(({ said }) => said).join("; ");
    const message = `${can} (${risks}); ${cure}, or accept the finding with the reason.`;
    return { message, part: first.part };
  });
}

/** The most permissions of a role in a message. */
const maxNamed = 3;

/** The first permissions in quotes, for a message. */
export function firstOf(permissions: readonly string[]): string {
  const more = permissions.length - maxNamed;
  return more > 0 ? `${quotedList(permissions.slice(0, maxNamed))} and ${more} more` : quotedList(permissions);
}
