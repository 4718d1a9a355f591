import { textOfFile } from "../core/generated-object.ts";
import { type GeneratedObject, isMap, type Resource, type Value, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import { listed } from "./granted.ts";
import type { Violation } from "./rule.ts";

/** An object of the package, and what a render generates in its place. */
export interface Rendered {
  readonly resource: Resource;
  readonly expected: GeneratedObject;
}

/**
 * The objects of a package that a render generates again, whatever they contain: those in the file of a generated object, or
 * with its name.
 */
export function renderedAmong(items: readonly Resource[], rendering: readonly GeneratedObject[]): Rendered[] {
  const byPath = new Map(rendering.map((object) => [object.path, object]));
  const byName = new Map(rendering.map((object) => [nameOf(object.object.kind, object.object.metadata), object]));
  return items.flatMap((resource) => {
    const inFile = resource.path === undefined ? undefined : byPath.get(resource.path);
    const expected = inFile?.object.kind === resource.kind ? inFile : byName.get(nameOf(resource.kind, resource));
    return expected === undefined || expected.object.apiVersion !== resource.apiVersion ? [] : [{ resource, expected }];
  });
}

function nameOf(
  kind: string,
  { namespace = "", name }: { readonly namespace?: string; readonly name: string },
): string {
  return `${kind}/${namespace}/${name}`;
}

/** Bundle ConfigMaps that differ from what a render generates, each as a violation that names the files. */
export function editedBundles(rendered: readonly Rendered[]): Violation[] {
  return rendered.flatMap(({ resource, expected }) => {
    const { changed, added, missing } = differences(resource, expected);
    const parts = [
      ...(changed.length === 0 ? [] : [`${listed(changed)} changed`]),
      ...(added.length === 0 ? [] : [`${listed(added)} added`]),
      ...(missing.length === 0 ? [] : [`${listed(missing)} missing`]),
    ];
    if (parts.length === 0) return [];
    const [first] = [...changed, ...added];
    const message = `differs from what a render generates: ${parts.join("; ")}. Find out what changed, and render again.`;
    return [{ message, resource, ...(first === undefined ? {} : { field: fieldOf(first, resource) }) }];
  });
}

// Files are compared by their text. A render does not generate any other field of the ConfigMap.
function differences(resource: Resource, { files = {} }: GeneratedObject) {
  const value = resource.value();
  const data = valueAt(value, ["data"]);
  const found = isMap(data) ? data : {};
  const others = isMap(value) ? Object.keys(value).filter((key) => !bundleKeys.has(key)) : [];
  const names = [...new Set([...Object.keys(files), ...Object.keys(found)])].sort(compareText);
  const isIn = (name: string, map: object) => Object.hasOwn(map, name);
  return {
    changed: names.filter((name) => isIn(name, files) && isIn(name, found) && found[name] !== textOf(name, files)),
    added: [...names.filter((name) => !isIn(name, files)), ...others.sort(compareText)],
    missing: names.filter((name) => !isIn(name, found)),
  };
}

const bundleKeys: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "data"]);

function textOf(name: string, files: NonNullable<GeneratedObject["files"]>): Value | undefined {
  const file = files[name];
  return file === undefined ? undefined : textOfFile(file);
}

function fieldOf(name: string, resource: Resource): string {
  return valueAt(resource.value(), ["data", name]) === undefined ? name : `data.${name}`;
}

/** From this many objects on, one violation stands for all: they differ for one reason, and the package was not rendered since. */
export const minForSummary = 3;

/**
 * One violation instead of many if all objects of a kind differ: then the ClusterIdentity was changed, or another version
 * rendered the package, and a list of objects tells less.
 *
 * @param what the objects, such as "roles".
 */
export function summarized(
  violations: readonly Violation[],
  count: number,
  what: string,
  identity: Resource | undefined,
): readonly Violation[] {
  if (identity === undefined || violations.length < count || count < minForSummary) return violations;
  const message = `all ${count} ${what} differ from what a render generates: the ClusterIdentity was changed since, or another version of ccf rendered them; run "ccf render" and review the changes.`;
  return [{ message, resource: identity }];
}
