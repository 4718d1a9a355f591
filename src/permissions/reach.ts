import { compareText, quoteWhole } from "../core/text.ts";
import { type Budget, manySteps, separator, unlessTooComplex } from "./automaton.ts";
import { type Condition, splitCondition } from "./condition.ts";
import { removing } from "./denials.ts";
import { type Glob, isCovered } from "./glob.ts";
import { type EffectiveStatement, effectiveStatements, type Holder } from "./identity.ts";
import { atoms, describeAction, type Grant } from "./permissions.ts";
import type { OwnCluster, PermissionTerms, RoleDefinitions } from "./terms.ts";
import { boundaryDoubt } from "./who-may.ts";

/**
 * An identity whose permissions reach beyond its own cluster. This is a fact of its policies: no name, no condition on a tag and
 * no scope limits them to the cluster's resources. It does not say that the component uses them.
 */
export interface Reach {
  /** Its ID in the cloud, such as a role's ARN; "" if it is not known. */
  readonly identity: string;
  /** `<secret namespace>/<secret name>`; "" if it is not known. */
  readonly secret: string;
  /**
   * `changes` if it may change something beyond the cluster; `reads` if it may only read there; `undecided` if a permissions
   * boundary, or something without a known definition, decides.
   */
  readonly answer: "changes" | "undecided" | "reads";
  /** Whether it may change something there, or perhaps. False if it may only read there at most. */
  readonly mayChange: boolean;
  /**
   * What it may do beyond the cluster other than reading, sorted: patterns of actions as the cloud writes them, and names of
   * roles with at least one such action. An action that creates something counts: its place is not limited.
   */
  readonly changes: readonly string[];
  /** What it may do there that only reads, sorted. */
  readonly reads: readonly string[];
  /** Why more or less may be possible there: a clause for each reason, sorted. */
  readonly undecided: readonly string[];
  /** Why the permissions reach beyond the cluster, for people: clauses, separated by semicolons. Values are in quotes. */
  readonly why: string;
}

/** One line about an identity that reaches beyond the cluster. */
export function reachLine({ answer, mayChange, changes, why }: Reach): string {
  const perhaps = answer === "undecided" ? ", perhaps" : "";
  if (!mayChange) return `beyond the cluster only to read${perhaps}: ${why}`;
  if (changes.length === 0) return `beyond the cluster${perhaps}: ${why}`;
  const more = changes.length - maxNamed;
  const names = [...changes.slice(0, maxNamed), ...(more > 0 ? [`${more} more`] : [])];
  return `beyond the cluster with ${names.join(", ")}${perhaps}: ${why}`;
}

/** The most actions and roles in a line about reach. */
const maxNamed = 3;

/**
 * Tells how an identity's permissions reach beyond its cluster; undefined if they do not. What a role without a known
 * definition allows is `undecided`. A permissions boundary may limit everything, and a managed policy may deny anything. A
 * package contains the document of neither.
 *
 * Only denials that protect everything beyond the cluster count: those whose condition the statement's own condition implies, and
 * those for all resources that lack the cluster's tag.
 *
 * @param definitions undefined if the cloud has no roles.
 */
export function reachOf(
  holder: Holder,
  own: OwnCluster,
  terms: PermissionTerms,
  definitions: RoleDefinitions | undefined,
): Reach | undefined {
  const statements = effectiveStatements(holder, definitions);
  const budget = { steps: manySteps };
  const removed = removing(denialsIn(statements, own, terms), budget);
  const found = statements
    .filter(({ effect, condition }) => effect === "Allow" && splitCondition(condition).length > 0)
    .flatMap((statement) => beyond(statement, own, terms, removed, budget));
  const [changes, reads] = ["changes", "reads"].map((kind) =>
    sorted(found.filter((one) => one.is === kind).map(({ text }) => text)),
  ) as [string[], string[]];
  const { boundary, id: identity = "", key: secret = "" } = holder;
  const unknown = found.filter(({ is }) => is === "undecided").map(({ text }) => text);
  if (found.length === 0) return undefined;
  // What may deny everything that was found.
  const limits = [
    ...statements.flatMap(({ effect, undecided: why }) =>
      terms.hasDenials && effect === "Deny" && why !== undefined ? [why] : [],
    ),
    ...(boundary === undefined ? [] : [boundaryDoubt(quoteWhole(boundary))]),
  ];
  const undecided = sorted([...unknown, ...limits]);
  const mayChange = changes.length + unknown.length > 0;
  const answer = changes.length > 0 && limits.length === 0 ? "changes" : undecided.length > 0 ? "undecided" : "reads";
  // A role has only what is in its definition, so its reads are told with it.
  const places = sorted(found.flatMap(({ resources }) => resources));
  const why = [...(places.length === 0 ? [] : [terms.describeBeyond(quoted(places), own)]), ...undecided].join("; ");
  const onlyReads = reads.filter((one) => !changes.includes(one));
  return { identity, secret, answer, mayChange, changes, reads: onlyReads, undecided, why };
}

function quoted(places: readonly string[]): string {
  const said = places.slice(0, maxPlaces).map(quoteWhole);
  return [...said, ...(places.length > maxPlaces ? [`and ${places.length - maxPlaces} more`] : [])].join(", ");
}

/** The most resources in a reason. */
const maxPlaces = 10;

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareText);
}

/** Something that an identity may do beyond its cluster, and where. */
interface Beyond {
  readonly is: Reach["answer"];
  readonly text: string;
  readonly resources: readonly Glob[];
}

function beyond(
  statement: EffectiveStatement,
  own: OwnCluster,
  terms: PermissionTerms,
  removed: (when: Condition) => readonly Denial[],
  budget: Budget,
): Beyond[] {
  const { condition, role, undecided } = statement;
  const judged = statement.resources.map((resource) => ({ resource, is: terms.isBeyond(resource, own) }));
  const resources = judged.flatMap(({ resource, is }) => (is === true ? [resource] : []));
  const open = judged.flatMap(({ is }) => (typeof is === "string" ? [is] : []));
  if (resources.length + open.length === 0) return [];
  if (undecided !== undefined) return [{ is: "undecided", text: undecided, resources }];
  const denied = unlessTooComplex<readonly Denial[] | undefined>(undefined, () => removed(condition));
  const judgedActions = statement.actions
    .filter((action) => !condition.some((clause) => terms.isLimit?.(clause, action, own) === true))
    .map((action) => ({ action, isDenied: isDenied(action, resources, terms, denied, budget) }));
  const among = (answer: boolean | undefined) =>
    judgedActions.filter((one) => one.isDenied === answer).map(({ action }) => action);
  // Resources that cannot be judged are undecided once for the statement, not for each action.
  const [allowed, unclear] = [among(false), among(undefined)];
  const hard = unclear.map((action): Beyond => ({ is: "undecided", text: tooComplex(action), resources }));
  if (allowed.length === 0) return hard;
  if (resources.length === 0) return open.map((text) => ({ is: "undecided", text, resources }));
  if (role !== undefined) {
    const is = allowed.every((action) => terms.onlyReads(action)) ? "reads" : "changes";
    return [{ is, text: role, resources }, ...hard];
  }
  const told = describe({ ...statement, actions: allowed }).map(
    ({ action, text }): Beyond => ({ is: terms.onlyReads(action) ? "reads" : "changes", text, resources }),
  );
  return [...told, ...hard];
}

function tooComplex(action: Glob): string {
  return `the denials have too many wildcards to compare them with ${action}`;
}

// Actions with their exceptions. An action that is excepted is not allowed.
function describe(statement: Grant): { readonly action: Glob; readonly text: string }[] {
  const parts = atoms({ ...statement, principals: [""], resources: ["*"], condition: [] });
  return parts.map((part) => ({ action: part.action, text: describeAction(part) }));
}

/** A part of a denial. */
interface Denial {
  readonly set: Glob;
  /** What must also be true; everything beyond the cluster meets the other clauses. */
  readonly condition: Condition;
}

function denialsIn(statements: readonly EffectiveStatement[], own: OwnCluster, terms: PermissionTerms): Denial[] {
  return statements
    .filter(({ effect, undecided }) => effect === "Deny" && undecided === undefined)
    .flatMap(({ actions, resources, condition: whole }) => {
      const condition = whole.filter((clause) => terms.isOutside?.(clause, own) !== true);
      return actions.flatMap((action) =>
        resources.map((resource) => ({ set: setOf(action, resource, terms), condition })),
      );
    });
}

function setOf(action: Glob, resource: Glob, { actionsIgnoreCase }: PermissionTerms): Glob {
  return `${actionsIgnoreCase ? action.toLowerCase() : action}${separator}${resource}`;
}

// Undefined if it is too complex.
function isDenied(
  action: Glob,
  resources: readonly Glob[],
  terms: PermissionTerms,
  denied: readonly Denial[] | undefined,
  budget: Budget,
): boolean | undefined {
  if (denied === undefined) return undefined;
  if (denied.length === 0 || resources.length === 0) return false;
  const sets = denied.map(({ set }) => set);
  return unlessTooComplex<boolean | undefined>(undefined, () =>
    resources.every((resource) => isCovered([setOf(action, resource, terms)], sets, budget)),
  );
}
