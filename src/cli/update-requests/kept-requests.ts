import { roleDefinitionsOf } from "../../clouds/inspectors.ts";
import { type Finding, finding } from "../../core/finding.ts";
import { canonicalJson } from "../../core/json.ts";
import {
  describe,
  type FieldValues,
  isMap,
  isToolAnnotation,
  maxObjectName,
  type Resource,
  refOf,
  type Value,
} from "../../core/resource.ts";
import { printable, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { diffIdentities, type IdentityDiff } from "../../diff/diff.ts";
import type { Item } from "../../krm/item.ts";
import { decidedPart, type PermissionComparison } from "../../permissions/comparison.ts";
import { describeAction } from "../../permissions/permissions.ts";
import { secretKeyOf } from "../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../requests/select.ts";
import { type Conflict, mergedRequest, previousRelease, transitionAnnotation } from "../../requests/transition.ts";
import type { Edit } from "../../yaml/edit.ts";
import { setField } from "../../yaml/set-field.ts";
import { throwErrors } from "../terminal/errors.ts";
import type { Counted, UpdatedPackage } from "./release.ts";

/** A request of the previous release that stays until the upgrade is finished. */
export interface KeptRequest {
  readonly key: string;
  readonly request: SelectedRequest;
  readonly why: string;
}

/**
 * The previous release's requests that ask for something that the new release's do not allow, or whose Secret no request of
 * the new release names. What cannot be decided counts as not allowed.
 *
 * @param annotated the requests that the package already keeps.
 * @throws FindingsError if an identity cannot have what both releases need.
 */
export function keptRequests(
  subject: UpdatedPackage,
  old: Counted,
  now: Counted,
  annotated: readonly Resource[],
): readonly KeptRequest[] {
  const { identities } = diffIdentities(old.identities, now.identities, roleDefinitionsOf());
  const findings: Finding[] = [];
  const kept = identities.flatMap((diff): KeptRequest[] => {
    const request = old.requests.get(diff.key);
    if (diff.old === undefined || request === undefined) return [];
    const newer = now.requests.get(diff.key);
    const isLess = diff.verdict === "narrowed" || diff.verdict === "both";
    if (diff.now !== undefined && !isLess && diff.tokenPath === undefined) return [];
    if (newer !== undefined && diff.now !== undefined) findings.push(...cannotMerge(subject, newer, request));
    findings.push(...thirdRelease(diff.key, request, annotated));
    return [{ key: diff.key, request, why: reasonOf(diff) }];
  });
  throwErrors(findings);
  return kept;
}

function cannotMerge({ merging, cloud }: UpdatedPackage, newer: SelectedRequest, older: SelectedRequest): Finding[] {
  const merged = mergedRequest(newer.value, older.value, merging);
  if (merged === undefined) {
    const findings = [newer, older].flatMap((request) => cloud.check(request));
    if (findings.some(({ severity }) => severity === "error")) return findings;
    return [conflict(newer, older, { conflict: "one of them has a form that is not known" })];
  }
  return "conflict" in merged ? [conflict(newer, older, merged)] : [];
}

function conflict(newer: SelectedRequest, { resource }: SelectedRequest, { conflict: why, remedy }: Conflict): Finding {
  const file = newer.resource.path === undefined ? "" : ` in ${quoteWhole(newer.resource.path)}`;
  const change = remedy ?? "reduce this request to what the new one allows";
  const message = `cannot stay beside the release's ${describe(refOf(newer.resource))}${file}: ${why}. Choose: replace this request with the new one, if the current release's component can do without what only this request asks for; or ${change}.`;
  return finding("error", "transition-conflict", message, { resource });
}

function thirdRelease(key: string, { resource, value }: SelectedRequest, annotated: readonly Resource[]): Finding[] {
  const before = annotated.filter((item) => secretKeyOf(item.value()) === key);
  if (before.length === 0 || before.some((item) => isKeptRequest(item.value(), value))) return [];
  const message = `would have to stay for the upgrade, but ${before.map(whereOf).join(" and ")} still stays from an earlier one. If that upgrade is finished, run "ccf update-requests --final" in the package, render and apply; then run this command again.`;
  return [finding("error", "transition-unfinished", message, { resource })];
}

function whereOf(resource: Resource): string {
  return `${describe(refOf(resource))} in ${quoteWhole(resource.path ?? "")}`;
}

/** How many names a reason contains. */
const maxNamed = 3;

function reasonOf({ now, permissions, effect, subjectsRemoved }: IdentityDiff): string {
  if (now === undefined) return "the release has no request for it";
  const comparison = effect?.comparison ?? permissions;
  const lost = ({ taken, denied }: PermissionComparison) => [...taken, ...denied].map(describeAction);
  const certain = [...lost(decidedPart(comparison)), ...subjectsRemoved];
  if (certain.length === 0 && lost(comparison).length > 0)
    return `it is undecided whether the release allows ${named(lost(comparison))}`;
  return `the release does not allow ${named(certain)}`;
}

function named(texts: readonly string[]): string {
  return listed([...new Set(texts)].map(printable), maxNamed);
}

/** Whether two requests have the same content, apart from formatting. */
export function isSameRequest(a: Value, b: Value): boolean {
  return canonicalJson(contentOf(a)) === canonicalJson(contentOf(b));
}

/** Whether one request is the other, as a package keeps it during an upgrade: with the annotation, and maybe renamed. */
export function isKeptRequest(kept: Value, request: Value): boolean {
  return canonicalJson(withoutName(contentOf(kept))) === canonicalJson(withoutName(contentOf(request)));
}

function contentOf(value: Value): Value {
  if (!isMap(value) || !isMap(value["metadata"])) return value;
  const { annotations, ...rest } = value["metadata"];
  const own = Object.entries(isMap(annotations) ? annotations : {}).filter(
    ([key]) => !isToolAnnotation(key) && key !== transitionAnnotation,
  );
  return { ...value, metadata: { ...rest, annotations: Object.fromEntries(own) } };
}

function withoutName(value: Value): Value {
  if (!isMap(value) || !isMap(value["metadata"])) return value;
  const { name: _, ...rest } = value["metadata"];
  return { ...value, metadata: rest };
}

/** The end of the name of a kept request whose name the new release's request has. */
const suffix = "-previous-release";

/**
 * The edits that mark a request as one of the previous release. If the new release's request has the same name, it gets
 * another name, because kustomize refuses two objects with the same name.
 */
export function markEdits(item: Item, isNameTaken: boolean): Edit[] {
  const renamed = isNameTaken && item.name.length + suffix.length <= maxObjectName;
  const value: FieldValues = {
    ...(renamed ? { name: `${item.name}${suffix}` } : {}),
    annotations: { [transitionAnnotation]: previousRelease },
  };
  return setField(item, { resource: item, path: ["metadata"], value });
}
