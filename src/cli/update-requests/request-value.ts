import { canonicalJson } from "../../core/json.ts";
import { isMap, isToolAnnotation, type Value } from "../../core/resource.ts";
import { transitionAnnotation } from "../../requests/transition.ts";

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
