import { type Finding, type FindingCode, finding } from "../core/finding.ts";
import { describe, type Resource, refOf } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { secretKeyOf } from "../requests/credentials-request.ts";
import type { SelectedRequest } from "../requests/select.ts";

/** A name in the cloud that only one request may get. */
interface TakenName {
  readonly code: FindingCode;
  /** What has the name: `role`. */
  readonly noun: string;
  readonly name: string;
  /** The rest of the message, after the name: how to resolve the collision. */
  readonly rest: string;
}

/**
 * Reports a request that would get the name of an earlier one.
 *
 * @param key the name in the form in which the cloud compares it.
 * @param taken the requests by key; this one is added.
 */
export function collision(
  { resource, secretKey }: SelectedRequest,
  key: string,
  taken: Map<string, Resource>,
  { code, noun, name, rest }: TakenName,
): Finding[] {
  const other = taken.get(key);
  if (other === undefined) {
    taken.set(key, resource);
    return [];
  }
  // Selection already reports two requests for the same Secret, and no name would resolve that.
  if (secretKey !== undefined && secretKeyOf(other.value()) === secretKey) return [];
  const both = `${describe(refOf(other))} and ${describe(refOf(resource))}`;
  return [finding("error", code, `${both} would get the same ${noun} ${quote(name)}${rest}`, { resource })];
}
