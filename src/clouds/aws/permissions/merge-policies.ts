import { type Finding, finding } from "../../../core/finding.ts";
import { canonicalJson, compactJson } from "../../../core/json.ts";
import { isMap, textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import { compareText, quoteWhole } from "../../../core/text.ts";
import type { MergedPolicies, PolicyPart } from "../../inspector.ts";

/** The characters of a managed policy, without white space (IAM User Guide, "IAM and AWS STS quotas"). */
const maxPolicy = 6144;

/** The managed policies that a role or a user can have by default (the same page). */
const maxPolicies = 10;

/** What statements with the same effect, actions, and condition allow: all of their resources. */
interface Group {
  readonly sid: string;
  readonly statement: ValueMap;
  readonly resources: Set<string>;
}

/**
 * One administrator's policies for the packages of an account. Statements with equal actions and equal conditions become one, with the
 * resources of all of them, so the result allows exactly what the parts allow.
 *
 * @param account for messages.
 * @param parts the policies of the packages, in an order that does not change between runs.
 */
export function mergePolicies(account: string, parts: readonly PolicyPart[]): MergedPolicies {
  const overlap = overlapFindings(parts);
  if (overlap.length > 0) return { documents: [], findings: overlap };
  const groups = new Map<string, Group>();
  for (const { policy } of parts) {
    for (const statement of statementsOf(policy)) {
      const { Sid, Resource, ...rest } = statement;
      const key = canonicalJson({ ...rest, Action: textsOf(rest["Action"]).sort(compareText) });
      const group = groups.get(key) ?? {
        sid: String(Sid ?? "Statement"),
        statement: rest,
        resources: new Set<string>(),
      };
      groups.set(key, group);
      for (const resource of textsOf(Resource)) group.resources.add(resource);
    }
  }
  const documents = pack(named([...groups.values()]));
  if (documents === undefined) {
    const message = `a statement of the policies for the account ${account} has more than ${maxPolicy} characters even with one resource. Attach the policy of each package by itself.`;
    return { documents: [], findings: [finding("error", "admin-policies-too-many", message)] };
  }
  if (documents.length <= maxPolicies) return { documents, findings: [] };
  const message = `the packages of the account ${account} need ${documents.length} policies, and a role can have ${maxPolicies}. Use more than one role, each for some of the packages: name their directories.`;
  return { documents: [], findings: [finding("error", "admin-policies-too-many", message)] };
}

function statementsOf(policy: Value): ValueMap[] {
  const statements = isMap(policy) ? policy["Statement"] : undefined;
  return (Array.isArray(statements) ? statements : []).filter(isMap);
}

function textsOf(value: Value | undefined): string[] {
  return (Array.isArray(value) ? value : [value ?? []].flat()).map(String);
}

/** A statement that lists its resources; its Sid is unique, as it must be in a policy. */
interface Statement {
  readonly head: ValueMap;
  readonly tail: ValueMap;
  readonly resources: readonly string[];
}

function named(groups: readonly Group[]): Statement[] {
  const counts = new Map<string, number>();
  return groups.map(({ sid, statement, resources }) => {
    const count = (counts.get(sid) ?? 0) + 1;
    counts.set(sid, count);
    const { Effect = "Allow", Action = [], ...tail } = statement;
    const Sid = count === 1 ? sid : `${sid}${count}`;
    return { head: { Sid, Effect, Action }, tail, resources: [...resources].sort(compareText) };
  });
}

function textOf({ head, tail }: Statement, resources: readonly string[]): ValueMap {
  return { ...head, Resource: resources, ...tail };
}

/** Fills documents in order; undefined if a statement with one resource is too long for a document of its own. */
function pack(statements: readonly Statement[]): ValueMap[] | undefined {
  const documents: ValueMap[][] = [[]];
  const space = () => maxPolicy - sizeOf(documents.at(-1) ?? []);
  for (const statement of statements) {
    let rest = statement.resources;
    while (rest.length > 0) {
      const count = fitting(statement, rest, space());
      if (count === 0 && documents.at(-1)?.length === 0) return undefined;
      if (count > 0) documents.at(-1)?.push(textOf(statement, rest.slice(0, count)));
      rest = rest.slice(count);
      if (rest.length > 0) documents.push([]);
    }
  }
  return documents.filter((all) => all.length > 0).map(documentOf);
}

function documentOf(Statement: readonly ValueMap[]): ValueMap {
  return { Version: "2012-10-17", Statement };
}

function sizeOf(statements: readonly ValueMap[]): number {
  // A comma before the next statement.
  return compactJson(documentOf(statements)).length + (statements.length > 0 ? 1 : 0);
}

/** How many of the first resources a statement can have in a number of characters. */
function fitting(statement: Statement, resources: readonly string[], space: number): number {
  let size = compactJson(textOf(statement, [])).length;
  let count = 0;
  for (const resource of resources) {
    size += compactJson(resource).length + (count > 0 ? 1 : 0);
    if (size > space) break;
    count++;
  }
  return count;
}

/** The roles that a policy may create, and the boundary that it demands of them. */
interface Creation {
  readonly package: string;
  readonly role: string;
  /** "" if it demands none. */
  readonly boundary: string;
}

/**
 * Anyone who has the merged policy could create the roles of a package with the boundary of another one, if the names of the other one
 * contain those of the package, as `demo-*` contains `demo-2-*`.
 */
function overlapFindings(parts: readonly PolicyPart[]): Finding[] {
  const creations = parts.flatMap((part) =>
    statementsOf(part.policy)
      .filter(({ Action }) => textsOf(Action).includes("iam:CreateRole"))
      .flatMap((statement) =>
        textsOf(statement["Resource"]).map((role): Creation => {
          const boundary = textAt(statement, ["Condition", "StringEquals", "iam:PermissionsBoundary"]);
          return { package: part.package, role, boundary };
        }),
      ),
  );
  const sorted = creations.sort(
    (a, b) => compareText(prefixOf(a), prefixOf(b)) || Number(b.role.endsWith("*")) - Number(a.role.endsWith("*")),
  );
  const found: Finding[] = [];
  // In this order, the patterns that contain a name are on a stack: each contains the next one.
  const open: Creation[] = [];
  for (const creation of sorted) {
    while (open.length > 0 && !prefixOf(creation).startsWith(prefixOf(open.at(-1) as Creation))) open.pop();
    const other = open.find(({ boundary }) => boundary !== creation.boundary);
    if (other !== undefined) found.push(overlapFinding(other, creation));
    if (creation.role.endsWith("*")) open.push(creation);
  }
  return found;
}

function prefixOf({ role }: Creation): string {
  return role.replace(/\*$/, "");
}

function overlapFinding(outer: Creation, inner: Creation): Finding {
  const described = ({ boundary }: Creation) => (boundary === "" ? "no permissions boundary" : quoteWhole(boundary));
  const message = `the roles ${quoteWhole(outer.role)} of ${quoteWhole(outer.package)}, with ${described(outer)}, include the roles ${quoteWhole(inner.role)} of ${quoteWhole(inner.package)}, with ${described(inner)}. One policy would let the administrator choose between the two. Set the same "spec.platform.aws.roles.permissionsBoundaryARN" in both packages, or use a separate role for one of them.`;
  return finding("error", "admin-policies-overlap", message);
}
