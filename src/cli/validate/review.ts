import { lstatSync, readFileSync } from "node:fs";
import type { ValueMap } from "../../core/resource.ts";
import { compareText, quoteWhole } from "../../core/text.ts";
import type { Review } from "../../rules/policy.ts";
import { UsageError } from "../terminal/errors.ts";
import { findPolicy, policyAt, type UsedPolicy } from "./find-policy.ts";

/** The review of a package, and what it says about the policy. */
export interface UsedReview extends Review {
  readonly policy: UsedPolicy | undefined;
  readonly ignoresAccept: boolean;
  /** With `--against`: how the policy of the change differs from the one that is used. */
  readonly change?: string;
}

/**
 * The review of a package: with the policy that the command line names, that of the base, or that of the package.
 *
 * @param base the directory of the package in the base, which may not exist.
 * @throws UsageError or FindingsError if it is not known which policy to use, or if that is not valid.
 */
export function reviewOf(
  {
    policy: named,
    against,
    ignoresAccept,
  }: {
    readonly policy: UsedPolicy | undefined;
    readonly against: string | undefined;
    readonly ignoresAccept: boolean;
  },
  directory: string,
  base: string | undefined,
): UsedReview {
  if (base === undefined || against === undefined) {
    const path = named === undefined ? findPolicy(directory) : undefined;
    return { policy: named ?? (path === undefined ? undefined : policyAt(path)), ignoresAccept };
  }
  const [ofBase, ofChange] = [findPolicy(isThere(base) ? base : against), findPolicy(directory)];
  // Found above both sides, it is a part of the change itself.
  if (named === undefined && ofBase !== undefined && ofBase === ofChange)
    throw new UsageError(
      `the nearest policy of --against is also that of the package, ${quoteWhole(policyAt(ofBase).file)}, so it may not be that of the base branch; name the policy with --policy`,
    );
  const policy = named ?? (ofBase === undefined ? undefined : policyAt(ofBase));
  const change = changeOf(policy, ofChange);
  return { policy, ignoresAccept, ...(change === undefined ? {} : { change }) };
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function changeOf(policy: UsedPolicy | undefined, ofChange: string | undefined): string | undefined {
  if (ofChange === undefined)
    return policy === undefined
      ? undefined
      : `${policy.file} is missing in the change: without it, nothing limits the review`;
  if (policy === undefined) return "review-policy.yaml is new in the change: it is not used before it is in the base";
  if (readFileSync(ofChange).equals(policy.bytes)) return undefined;
  return `review-policy.yaml changed, which weakens or changes the review: ${policy.file} was used, as it is without the change`;
}

/** One line for each difference between the policies of the change and of the base. */
export function changeLines(reviews: readonly UsedReview[]): string[] {
  return [...new Set(reviews.flatMap(({ change }) => (change === undefined ? [] : [`warning: ${change}`])))];
}

/** The difference, for JSON. */
export function changeJson({ change }: UsedReview): ValueMap {
  return change === undefined ? {} : { policyChange: change };
}

/** The files of the policies that were used, sorted; null for none. */
export function policyNames(reviews: readonly UsedReview[]): (string | null)[] {
  const files = [...new Set(reviews.map(({ policy }) => policy?.file ?? null))];
  return files.sort((a, b) => compareText(a ?? "", b ?? ""));
}

/** Which policy was used, for people. */
export function policyLines(reviews: readonly UsedReview[]): string[] {
  return policyNames(reviews).map((file) => (file === null ? "no policy" : `policy: ${quoteWhole(file)}`));
}
