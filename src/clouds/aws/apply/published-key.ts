import { keyName } from "../../../apply/document.ts";
import { removedOnly } from "../../../apply/parts.ts";
import type { Extra, KindWithoutCommand, Live } from "../../../apply/resource.ts";
import { textAt } from "../../../core/resource.ts";
import type { WantedResource } from "../../../core/wanted-resource.ts";
import { keysPath } from "../../../oidc/issuer-url.ts";
import { kinds, partName, policyId } from "../resources.ts";
import type { Context } from "./common.ts";
import { contentWith, document, leftKeys, putDocument } from "./document.ts";

/** A published key that is not in the package. It is only ever removed. */
export function publishedKey(context: Context): KindWithoutCommand {
  async function current(): Promise<{ wanted: WantedResource; live: Live } | undefined> {
    const wanted = context.resources.wanted.find(({ kind, name }) => kind === kinds.document && name === keysPath);
    const reading = wanted && (await document(context).read(wanted));
    return wanted && reading?.state === "present" ? { wanted, live: reading.live } : undefined;
  }

  return {
    ...removedOnly,
    async readExtra({ id }) {
      const now = await current();
      const found = now && extraKeys(now.wanted, now.live).find((one) => one.id === id);
      return found === undefined ? { state: "absent" } : { state: "present", live: found.live };
    },
    async remove({ value }) {
      const now = await current();
      if (now === undefined) return;
      const left = leftKeys(now.wanted, now.live).filter((key) => keyName(key) !== textAt(value, ["name"]));
      await putDocument(context, now.wanted, contentWith(now.wanted, now.live, left), now.live.etag);
    },
  };
}

/** The published keys that left the package. */
export function extraKeys(wanted: WantedResource, live: Live): Extra[] {
  return leftKeys(wanted, live).map((key): Extra => {
    const id = policyId(wanted.id, keyName(key));
    const one: Live = { id, value: { name: keyName(key) }, owner: live.owner };
    const name = partName(wanted.name, keyName(key));
    return { kind: kinds.publishedKey, id, name, live: one, needs: [wanted.id], part: wanted.id };
  });
}
