import type { Location } from "../core/finding.ts";
import { allByKey, type Value } from "../core/resource.ts";
import { compareText, quote, quoteWhole } from "../core/text.ts";
import { type Budget, manySteps, separator, spend, unlessTooComplex } from "../permissions/automaton.ts";
import type { Condition } from "../permissions/condition.ts";
import { removing } from "../permissions/denials.ts";
import { covers } from "../permissions/gains.ts";
import { intersects, isCovered, matches } from "../permissions/glob.ts";
import type { RenderedIdentity } from "../permissions/identity.ts";
import { type Atom, atomsOf, type Grant, type Permissions, unreadAtoms } from "../permissions/permissions.ts";
import { type PolicyDocuments, withDocuments } from "../permissions/policy-documents.ts";
import { boundaryDoubt } from "../permissions/who-may.ts";
import type { SelectedRequest } from "../requests/select.ts";
import type { KnownCloud } from "./cloud.ts";

/*
 * Statements that cannot be read as sets (`NotAction` and the like) are ignored in requests, because the generators refuse such
 * requests. An edited role is not refused, so in roles such a statement counts as the most that it may allow. What is found only
 * because of it is not a fact, and the message says so.
 */

/** The permissions that a request asks for or a rendered identity grants: a policy, or several copies of it. */
export interface Granted {
  readonly copies: readonly GrantedCopy[];
}

/** What is judged. What is found in both is a fact. */
interface JudgedTwice {
  readonly permissions: Permissions;
  /** The same with everything undecided against a violation: what may be allowed is not, and what may be denied is. */
  readonly certain: Permissions;
}

interface GrantedCopy extends JudgedTwice {
  /** The file, for the beginning of a message; "" if there is only one. */
  readonly said: string;
  /** A part of the permissions that is judged by itself: a violation that it has, too, is reported there. */
  readonly known?: JudgedTwice;
  /** Why some statements cannot be read, as clauses. */
  readonly unread: readonly string[];
  /** Why the identity may not have what its policy allows, as clauses. */
  readonly limits: readonly string[];
  /** The managed policies of the identity without a document: they exist to allow more, but may also deny. */
  readonly attached: readonly string[];
  placeOf(part: Atom | undefined): Location;
}

/**
 * The permissions that requests ask for and that rendered identities grant. A copy of a policy that grants no more than its request
 * asks for is skipped: its violations are reported, and accepted, at the request. Managed policies whose documents are known are
 * judged together with the identity's own policy, because an identity may do what all of them allow together.
 */
export function grantedBy(
  requests: readonly SelectedRequest[],
  rendered: readonly RenderedIdentity[],
  cloud: KnownCloud,
  documents: PolicyDocuments,
): Granted[] {
  const asked = requests.map((request) => ({ request, identity: cloud.requested(request).identity }));
  const requested = new Map(asked.map(({ identity }) => [identity.key, identity.permissions]));
  const renderedByKey = new Map(rendered.map((one) => [one.key, one]));
  return [
    ...asked.map(({ request, identity: { key, permissions } }) => {
      const identity = withDocuments({ ...unlimited, ...renderedByKey.get(key), permissions }, documents, "boundary");
      // Only what the boundary allows in part is undecided here.
      const judged =
        identity.permissions === permissions
          ? { permissions, certain: permissions, unread: [] }
          : judgedAtMost(identity.permissions);
      const placeOf = (part: Atom | undefined) => placeIn(request, part, cloud);
      return { copies: [{ said: "", ...judged, ...limitsOf(identity, documents), placeOf }] };
    }),
    ...rendered.flatMap((identity): Granted[] => {
      const { resource, key = "", permissionFiles } = identity;
      const placeOf = (field?: string) => () => (resource === undefined ? {} : { resource, ...(field && { field }) });
      const own = permissionFiles
        .filter(({ permissions }) => !covers(requested.get(key) ?? [], permissions))
        .map(({ field, permissions }) => {
          const limited = withDocuments({ ...identity, permissions }, documents, "boundary");
          const judged = judgedAtMost(limited.permissions);
          return { said: `"${field}" `, ...judged, ...limitsOf(limited, documents), placeOf: placeOf(field) };
        });
      return [{ copies: own }, ...withPolicies(identity, documents, placeOf())];
    }),
  ];
}

const unlimited = { key: undefined, id: undefined, managedPolicies: [], boundary: undefined };

// The identity's own policy is judged by itself, in the request or in its file.
function withPolicies(identity: RenderedIdentity, documents: PolicyDocuments, placeOf: () => Location): Granted[] {
  const known = identity.managedPolicies.filter((name) => documents.has(name));
  if (known.length === 0) return [];
  const permissions = identity.permissionFiles.flatMap((file) => file.permissions);
  const whole = withDocuments({ ...identity, permissions }, documents);
  const alone = withDocuments({ ...identity, permissions }, documents, "boundary");
  const judged = judgedAtMost(whole.permissions);
  const said = `with the managed policy ${quotedList(known)} `;
  return [
    { copies: [{ said, ...judged, known: judgedAtMost(alone.permissions), ...limitsOf(whole, documents), placeOf }] },
  ];
}

function judgedAtMost(permissions: Permissions): Pick<GrantedCopy, "permissions" | "certain" | "unread"> {
  return {
    permissions: permissions.map(atMost),
    certain: [...permissions, ...unreadDenials(permissions)],
    unread: permissions.flatMap(({ undecided }) => undecided ?? []),
  };
}

// A part that only the previous release asks for is in that release's request.
function placeIn({ resource, value, older }: SelectedRequest, part: Atom | undefined, cloud: KnownCloud): Location {
  const fieldIn = (request: Value, one: Atom | undefined) => cloud.fieldOf(request, one);
  if (older === undefined) return { resource, field: fieldIn(value, part) };
  const own = fieldIn(resource.value(), part);
  const earlier = fieldIn(older.value(), part);
  const isOlder = own === fieldIn(resource.value(), undefined) && earlier !== fieldIn(older.value(), undefined);
  return isOlder ? { resource: older, field: earlier } : { resource, field: own };
}

// A package contains the documents of neither: see reachOf. A boundary exists to limit. A managed policy that is added must not make
// a finding less certain.
function limitsOf(
  { boundary, managedPolicies }: Pick<RenderedIdentity, "boundary" | "managedPolicies">,
  documents: PolicyDocuments,
): Pick<GrantedCopy, "limits" | "attached"> {
  return {
    limits: boundary === undefined ? [] : [boundaryDoubt(quoteWhole(boundary))],
    attached: managedPolicies.filter((name) => !documents.has(name)),
  };
}

function unreadDenials(permissions: Permissions): Grant[] {
  return unreadAtoms(permissions, "Deny").map(({ principal, action, resource, condition }) => ({
    ...{ effect: "Deny", principals: [principal], actions: [action], resources: [resource], condition },
  }));
}

function atMost(grant: Grant): Grant {
  if (grant.effect !== "Allow") return grant;
  const { undecided: _, ...decided } = grant;
  return decided;
}

/** Permissions as a rule judges them. */
export interface JudgedPermissions {
  readonly permissions: Permissions;
  /** Allowed permissions by action, in lower case. */
  readonly allowed: ReadonlyMap<string, readonly Atom[]>;
  /** Permissions denied for every request that meets a condition, as sets. */
  readonly denied: (when: Condition) => readonly ActionSet[];
  /** One budget for each rule and each request or role, so that an expensive one cannot change the answer for another. */
  readonly budget: Budget;
  /** Whether the permission counts as not allowed if it is undecidable; otherwise, as allowed and not denied. */
  readonly isCertain: boolean;
}

/** An action in lower case, on a resource. */
interface ActionSet {
  readonly action: string;
  readonly resource: string;
}

/** What a rule finds in permissions. */
interface FoundPart {
  readonly message: string;
  readonly part: Atom | undefined;
  /** Whether it is a fact of the text, whatever the text allows. */
  readonly isFact?: true;
}

/** The message of a violation, and whether something that cannot be decided may rule it out. */
interface Worded {
  readonly message: string;
  readonly isUndecided?: true;
}

/**
 * The violations of a rule in granted permissions: one for each request or role, however many copies of its policy a role has.
 * A message says "perhaps", with the reasons, if the violation depends on something that cannot be decided.
 *
 * @param find returns what is wrong with permissions, and the part that is wrong.
 */
export function findInGranted(
  granted: readonly Granted[],
  find: (judged: JudgedPermissions) => FoundPart | undefined,
): (Location & Worded)[] {
  return granted.flatMap(({ copies }) => {
    const budget = { steps: manySteps };
    let open: (Location & Worded) | undefined;
    for (const { said, limits, attached, unread, known, placeOf, ...judged } of copies) {
      const answer = answerOf(judged, find, budget);
      if (answer === undefined) continue;
      const before = known === undefined ? undefined : answerOf(known, find, { steps: manySteps });
      if (before?.found.message === answer.found.message && before.sure?.message === answer.sure?.message) continue;
      const { found, sure } = answer;
      const { message, part, ...rest } = worded(found, sure, unread, limits);
      const remark = found.isFact === true ? "" : remarkOf(attached);
      const violation = { message: `${said}${message}${remark}`, ...rest, ...placeOf(part) };
      // A copy that leaves it open must not hide one that does not.
      if (rest.isUndecided !== true) return [violation];
      open ??= violation;
    }
    return open === undefined ? [] : [open];
  });
}

function answerOf(
  { permissions, certain }: JudgedTwice,
  find: (judged: JudgedPermissions) => FoundPart | undefined,
  budget: Budget,
): { readonly found: FoundPart; readonly sure: FoundPart | undefined } | undefined {
  const found = find(judgedPermissions(permissions, budget, false));
  if (found === undefined) return undefined;
  const sure = found.isFact === true ? found : find(judgedPermissions(certain, { steps: manySteps }, true));
  return { found, sure };
}

/** What a message says of managed policies without a document; "" without any. */
export function remarkOf(attached: readonly string[]): string {
  if (attached.length === 0) return "";
  return ` The package does not contain ${attached.length === 1 ? "the document of the attached managed policy" : "the documents of the attached managed policies"} ${quotedList(attached)}, which may deny it.`;
}

function worded(
  found: FoundPart,
  sure: FoundPart | undefined,
  unread: readonly string[],
  limits: readonly string[],
): Worded & Pick<FoundPart, "part"> {
  const isSame = sure?.message === found.message;
  if (isSame && (limits.length === 0 || found.isFact === true)) return { message: sure.message, part: sure.part };
  const open = isSame || unread.length + limits.length > 0 ? unread.filter(() => !isSame) : [tooComplex];
  const reasons = [...new Set([...open, ...limits])].sort(compareText).join("; ");
  if (sure !== undefined && limits.length === 0)
    return { message: `${sure.message} It may allow more: ${reasons}.`, part: sure.part };
  return { message: `perhaps ${found.message} It is undecided: ${reasons}.`, part: found.part, isUndecided: true };
}

const tooComplex = "its policy has too many wildcards to compare";

function judgedPermissions(permissions: Permissions, budget: Budget, isCertain: boolean): JudgedPermissions {
  const allowed = allByKey(atomsOf(permissions, "Allow"), ({ action }) => action.toLowerCase());
  const denials = atomsOf(permissions, "Deny").map(({ action, resource, condition }) => ({
    ...{ action: action.toLowerCase(), resource, condition },
  }));
  const removed = removing(denials, budget);
  const always = denials.filter(({ condition }) => condition.length === 0);
  const denied = (when: Condition) => unlessTooComplex(always, () => removed(when));
  return { permissions, allowed, denied, budget, isCertain };
}

/**
 * The parts of permissions that allow an action, unless a denial removes it for every resource and request.
 * @param action in lower case, without wildcards.
 */
export function allowing({ allowed, denied, budget, isCertain }: JudgedPermissions, action: string): Atom[] {
  return [...allowed]
    .filter(([name]) => meet(name, action, budget, isCertain))
    .flatMap(([, atoms]) =>
      atoms.filter(
        ({ resource, condition, except = [] }) =>
          !except.some((set) => matches(set.toLowerCase(), action)) &&
          !isWithin([{ action, resource }], denied(condition), budget, isCertain),
      ),
    );
}

/**
 * The parts of permissions whose action contains a wildcard and allows an action of a service.
 * @param service such as "iam".
 * @param harmless sets of actions that are not reported, in lower case.
 */
export function wildcards(
  { allowed, denied, budget, isCertain }: JudgedPermissions,
  service: string,
  harmless: readonly string[],
): Atom[] {
  const passed = harmless.map((action) => ({ action, resource: "*" }));
  const ofService = { action: `${service}:*`, resource: "*" };
  return [...allowed]
    .filter(([name]) => /[*?]/.test(name) && meet(name, ofService.action, budget, isCertain))
    .flatMap(([action, atoms]) =>
      atoms.filter(
        ({ resource, condition }) =>
          !isWithin([{ action, resource }, ofService], [...denied(condition), ...passed], budget, isCertain),
      ),
    );
}

/**
 * The parts of permissions that allow at least one action of a set, unless a denial removes all of them for every resource and
 * request.
 * @param set in lower case.
 */
export function allowingSome({ allowed, denied, budget, isCertain }: JudgedPermissions, set: string): Atom[] {
  return [...allowed]
    .filter(([name]) => meet(name, set, budget, isCertain))
    .flatMap(([action, atoms]) =>
      atoms.filter(({ resource, condition, except = [] }) => {
        const removed = except.map((one) => ({ action: one.toLowerCase(), resource: "*" }));
        const both = [
          { action, resource },
          { action: set, resource: "*" },
        ];
        return !isWithin(both, [...denied(condition), ...removed], budget, isCertain);
      }),
    );
}

function isWithin(
  sets: readonly ActionSet[],
  of: readonly ActionSet[],
  budget: Budget,
  ifUndecidable: boolean,
): boolean {
  if (of.length === 0) return false;
  if (budget.steps < 0) return ifUndecidable;
  return unlessTooComplex(ifUndecidable, () => {
    spend(budget, 1 + of.length / 8);
    const [anywhere, somewhere] = [of.filter(isAnywhere), of.filter((actionSet) => !isAnywhere(actionSet))];
    const actions = (some: readonly ActionSet[]) => some.map(({ action }) => action);
    if (anywhere.length > 0 && isCovered(actions(sets), actions(anywhere), budget)) return true;
    return somewhere.length > 0 && isCovered(sets.map(textOf), of.map(textOf), budget);
  });
}

// Here the actions alone decide; comparing long resources can exceed the budget.
function isAnywhere({ resource }: ActionSet): boolean {
  return resource === "*";
}

function textOf({ action, resource }: ActionSet): string {
  return `${action}${separator}${resource}`;
}

function meet(a: string, b: string, budget: Budget, isCertain: boolean): boolean {
  return unlessTooComplex(!isCertain, () => intersects(a, b, budget));
}

/** Whether a resource contains a wildcard. */
export function isWide({ resource }: Atom): boolean {
  return /[*?]/.test(resource);
}

/** Unique values in quotes, for a message; only the first ones if there are too many. */
export function quotedList(texts: readonly string[]): string {
  const all = [...new Set(texts)];
  const said = all.slice(0, maxListed).map((text) => quote(text));
  return [...said, ...(all.length > maxListed ? [`and ${all.length - maxListed} more`] : [])].join(", ");
}

const maxListed = 50;
