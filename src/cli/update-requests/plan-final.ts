import { cloudOf } from "../../clouds/index.ts";
import { renderedBefore } from "../../clouds/rendered-before.ts";
import { removalOf } from "../../core/allowances.ts";
import { finding } from "../../core/finding.ts";
import { compareText, quoteWhole } from "../../core/text.ts";
import { listed } from "../../core/words.ts";
import { isCredentialsRequest, secretKeyOf } from "../../requests/credentials-request.ts";
import { isOfPreviousRelease } from "../../requests/transition.ts";
import { removeDocuments } from "../../yaml/documents.ts";
import { applyEdits } from "../../yaml/edit.ts";
import type { Package } from "../files/package-files.ts";
import { requestsDirectory } from "../files/request-files.ts";
import type { FileChange } from "../files/write-files.ts";
import { FindingsError } from "../terminal/errors.ts";
import { isSameRequest } from "./kept-requests.ts";
import { newRequests, type Release } from "./release.ts";
import { type Affected, countedOf, directoriesOf, type Subject, subjectOf, type UpdatePlan } from "./update-plan.ts";

/**
 * Plans the end of an upgrade: removes the requests of the previous release from a package. Reads and writes nothing.
 *
 * @param release the release that the package must already have; undefined if that is not checked.
 * @throws FindingsError if it has another.
 */
export function planFinal(pkg: Package, release: Release | undefined): UpdatePlan {
  const subject = subjectOf(pkg);
  if (release !== undefined) requireRelease(subject, release);
  const isGone = (item: Subject["items"][number]) => isCredentialsRequest(item) && isOfPreviousRelease(item);
  const changes = pkg.files.flatMap(({ path, source, items }): FileChange[] => {
    const gone = new Set(items.filter(isGone).map(({ node }) => node));
    if (gone.size === 0) return [];
    const edits = removeDocuments(source, gone);
    return [{ path, before: source.text, after: edits === undefined ? undefined : applyEdits(source.text, edits) }];
  });
  const keys = (some: typeof subject.items) => new Set(some.map((item) => secretKeyOf(item.value()) ?? ""));
  const left = keys(subject.items.filter((item) => isCredentialsRequest(item) && !isGone(item)));
  const removed = [...keys(subject.items.filter(isGone))].sort(compareText).map((key) => ({ key }));
  const emptied = directoriesOf(changes);
  const gone = removed.filter(({ key }) => !left.has(key));
  return {
    identity: subject.identity.name,
    platform: subject.cloud.name,
    steps: changes.length === 0 ? [] : [{ changes, emptied }],
    new: [],
    changed: removed.filter(({ key }) => left.has(key)),
    kept: [],
    gone,
    removals: removalsOf(subject, gone),
  };
}

// A request that was not rendered, or that an override skips, takes nothing away.
function removalsOf({ identity, items }: Subject, gone: readonly Affected[]): string[] {
  const { renderer } = cloudOf(identity);
  const rendered = renderedBefore(items, undefined, identity, undefined, renderer);
  return gone.flatMap(({ key }) =>
    rendered.has(key) && identity.overrides[key]?.skip !== true ? [removalOf(key)] : [],
  );
}

/** How many Secrets a message names. */
const maxNamed = 5;

function requireRelease(subject: Subject, release: Release): void {
  const now = newRequests(subject, release);
  const has = countedOf(
    subject,
    subject.items.filter((item) => !isOfPreviousRelease(item)),
  );
  const missing = [...now.requests].filter(([key, { value }]) => {
    const request = has.requests.get(key);
    return request === undefined || !isSameRequest(request.value, value);
  });
  if (missing.length === 0) return;
  const names = listed(missing.map(([key]) => quoteWhole(key)).sort(compareText), maxNamed);
  const message = `the requests in "${requestsDirectory}/" are not those of ${release.named} (${names}), so its upgrade is not finished. Run the command without "--final" first, render, apply and upgrade; or name the release that the cluster runs.`;
  throw new FindingsError([finding("error", "update-missing", message, { resource: subject.identity.resource })]);
}
