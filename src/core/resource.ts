import { compareText, quoteWhole } from "./text.ts";

/**
 * A value as it stands in YAML or JSON. Integers beyond 2^53 are `bigint`, so that no digit is lost on the way from a
 * request to a policy.
 */
export type Value = null | boolean | number | bigint | string | readonly Value[] | ValueMap;

/** A mapping of values. Keys are always strings. */
export interface ValueMap {
  readonly [key: string]: Value;
}

/** Says whether a value is a mapping. */
export function isMap(value: Value | undefined): value is ValueMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of mappings and lists, or undefined where the path leads nowhere. */
export function valueAt(root: Value, path: readonly string[]): Value | undefined {
  let value: Value | undefined = root;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isMap(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

/** The list at a path, or an empty one where there is none. */
export function listAt(root: Value, path: readonly string[]): readonly Value[] {
  const list = valueAt(root, path);
  return Array.isArray(list) ? list : [];
}

/** The text at a path, or "" where there is none. */
export function textAt(root: Value, path: readonly string[]): string {
  const text = valueAt(root, path);
  return typeof text === "string" ? text : "";
}

/** What names a Kubernetes object, and the reference of a function's result to it. */
export interface ResourceRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/**
 * A Kubernetes object of the list that a function reads. Only what names it is read at once; its value is built when
 * somebody asks, because a function sees every resource of a package and needs few of them.
 */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  /** `metadata.name`, or "" where there is none. */
  readonly name: string;
  /** `metadata.namespace`, or "" where there is none. */
  readonly namespace: string;
  readonly annotations: ReadonlyMap<string, string>;
  /** The file that the object came from, relative to its package, and its place in that file. */
  readonly path: string | undefined;
  readonly index: number;
  /** The package that the object came from, as kpt names it, or undefined where nobody said. */
  readonly packagePath: string | undefined;
  /**
   * The object's whole value.
   * @throws FindingError `yaml-value` where the text parses but has no value: a repeated key, an alias bomb.
   */
  value(): Value;
}

/** Says which function made an object, for which ClusterIdentity: `<function>/<identity name>`. */
export const generatedBy = "fn.cloudcredential.dev/generated-by";

/** The annotation that keeps an object out of the cluster: kustomize drops it from its output, kpt from `live apply`. */
export const localConfig = "config.kubernetes.io/local-config";

const toolAnnotation = /^(?:internal\.)?config\.(?:kubernetes|k8s)\.io\//;

/** Says whether an annotation is one in which kpt and kustomize keep what they know of an object: its file, its place. */
export function isToolAnnotation(key: string): boolean {
  return toolAnnotation.test(key);
}

/** Orders resources by the files that they came from, whatever order a list had. */
export function compareLocations(a: Resource, b: Resource): number {
  return compareText(a.path ?? "", b.path ?? "") || a.index - b.index;
}

/** The items of one package; where nobody said which package an item is of, it counts as of this one. */
export function inPackage<T extends Resource>(items: readonly T[], packagePath: string | undefined): readonly T[] {
  if (packagePath === undefined) return items;
  return items.filter((item) => item.packagePath === undefined || item.packagePath === packagePath);
}

/** The API group of an apiVersion: "" for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** The reference to a resource that results carry. */
export function refOf(resource: Resource): ResourceRef {
  const { apiVersion, kind, name, namespace } = resource;
  return namespace === "" ? { apiVersion, kind, name } : { apiVersion, kind, name, namespace };
}

/** How a message names a resource: `Secret "namespace/name"`. */
export function describe({ kind, namespace = "", name }: ResourceRef): string {
  const shownKind = /^\w{1,63}$/.test(kind) ? kind : quoteWhole(kind);
  return `${shownKind} ${quoteWhole(namespace === "" ? name : `${namespace}/${name}`)}`;
}

/**
 * An object that a function makes: keys stand in the order in which they are written, and its annotations are put there
 * when it is.
 */
export interface GeneratedObject {
  /** The file it is written to, relative to the package. One object a file. */
  readonly path: string;
  readonly object: ValueMap & {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: Pick<ResourceRef, "name" | "namespace">;
  };
  /** The `data` of a ConfigMap that carries files: it has no other. */
  readonly files?: Files;
  /** Annotations beside those that say who made it and where it goes. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** What the object was made from, for findings about it. */
  readonly origin?: ResourceRef;
}

/** A file that is carried: its text, or the value that it holds as JSON. Its text is made when it is written. */
export type BundledFile = string | { readonly json: Value };

/** Files that are no Kubernetes objects, by name. */
export type Files = Readonly<Record<string, BundledFile>>;

/** What a function sets in a resource: everything else of it stays as it came. */
export interface FieldChange {
  readonly resource: Resource;
  readonly path: readonly string[];
  readonly value: FieldValue;
}

/**
 * What a field is set to: a text; of a mapping, some of its fields; of a list, entries that are told apart by their
 * `name`, as the variables of a container are. Fields and entries that are not named stay, those that are missing are added.
 */
export type FieldValue = string | FieldValues | readonly NamedEntry[];

/** Some fields of a mapping. */
export interface FieldValues {
  readonly [key: string]: FieldValue;
}

/** The entry of a list that has this name. */
export interface NamedEntry extends FieldValues {
  readonly name: string;
}
