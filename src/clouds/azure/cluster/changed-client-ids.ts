import { isUuid } from "../../../core/hash.ts";
import { type Resource, textAt } from "../../../core/resource.ts";
import { quote, quoteWhole } from "../../../core/text.ts";
import type { Report } from "../../cloud.ts";
import { bundlesAt, identityFile, valueIn } from "../../rendered.ts";
import { identityBundlePath } from "../rendered/bundle-paths.ts";

/**
 * Reports client IDs that are not those of the last rendering: a component whose Secret has the ID of another identity gets
 * no token.
 *
 * @param ids by `<secret namespace>/<secret name>`.
 */
export function changedClientIds(ids: ReadonlyMap<string, string>, items: readonly Resource[], report: Report): void {
  for (const bundle of bundlesAt(items, identityBundlePath)) {
    const facts = valueIn(bundle, identityFile);
    const [key, before] = [textAt(facts, ["secret"]), textAt(facts, ["clientID"]).toLowerCase()];
    const now = ids.get(key);
    if (now === undefined || !isUuid(before) || now === before) continue;
    const message = `the client ID of ${quoteWhole(key)} is ${quote(now)}, but the package was rendered with ${quote(before)}. A component with the ID of another identity gets no token. Check that its managed identity was created again: "status.sh" of the next export compares the IDs with the cloud.`;
    report("warning", "client-id-changed", "spec.platform.azure.identities", message);
  }
}
