import { type FieldValues, maxObjectName } from "../../core/resource.ts";
import type { Item } from "../../krm/item.ts";
import { previousRelease, transitionAnnotation } from "../../requests/transition.ts";
import type { Edit } from "../../yaml/edit.ts";
import { setField } from "../../yaml/set-field.ts";

/** The end of the name of a kept request whose name the new release's request has. */
const suffix = "-previous-release";

/**
 * The edits that mark a request as one of the previous release. If the new release's request has the same name, it gets
 * another name, because kustomize refuses two objects of one name.
 */
export function markEdits(item: Item, isNameTaken: boolean): Edit[] {
  const renamed = isNameTaken && item.name.length + suffix.length <= maxObjectName;
  const value: FieldValues = {
    ...(renamed ? { name: `${item.name}${suffix}` } : {}),
    annotations: { [transitionAnnotation]: previousRelease },
  };
  return setField(item, { resource: item, path: ["metadata"], value });
}
