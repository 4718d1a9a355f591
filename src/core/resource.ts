import { compareText, quoteWhole } from "./text.ts";

/**
 * A value of YAML or JSON. Integers beyond 2^53 are `bigint`, so that no digit is lost between a request and a policy.
 */
export type Value = null | boolean | number | bigint | string | readonly Value[] | ValueMap;

/** A mapping of values. Keys are always strings. */
export interface ValueMap {
  readonly [key: string]: Value;
}

/** Whether a value is a mapping. */
export function isMap(value: Value | undefined): value is ValueMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The entry of a table for a name from the input, or undefined if the table does not have it. Every plain object inherits
 * entries for names such as "constructor".
 */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The value at a path of mappings and lists, or undefined if the path does not exist. */
export function valueAt(root: Value, path: readonly string[]): Value | undefined {
  let value: Value | undefined = root;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isMap(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

/** The list at a path; empty if there is none. */
export function listAt(root: Value, path: readonly string[]): readonly Value[] {
  const list = valueAt(root, path);
  return Array.isArray(list) ? list : [];
}

/** The text at a path; "" if there is none. */
export function textAt(root: Value, path: readonly string[]): string {
  return textOf(valueAt(root, path));
}

/** A value if it is a text; otherwise "". */
export function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The fields that identify a Kubernetes object; results of a function refer to objects by them. */
export interface ResourceRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/**
 * A Kubernetes object of the list that a function reads. Its identifying fields are read immediately. Its value is
 * built on demand, because a function sees every resource of a package but needs few of the values.
 */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  /** `metadata.name`, or "" if it is missing. */
  readonly name: string;
  /** `metadata.namespace`, or "" if it is missing. */
  readonly namespace: string;
  readonly annotations: ReadonlyMap<string, string>;
  /** The file that the object came from, relative to its package. */
  readonly path: string | undefined;
  /** The index of the object in that file. */
  readonly index: number;
  /** The package that the object came from, as kpt names it, or undefined if unknown. */
  readonly packagePath: string | undefined;
  /**
   * The object's whole value.
   * @throws FindingError `yaml-value` if the text parses but has no value: a repeated key, an alias bomb.
   */
  value(): Value;
}

/**
 * The annotation that names the function that generated an object and the ClusterIdentity: `<function>/<identity
 * name>`.
 */
export const generatedBy = "fn.cloudcredential.dev/generated-by";

/**
 * The annotation that keeps an object out of the cluster: kustomize drops it from its output, kpt from `live apply`.
 */
export const localConfig = "config.kubernetes.io/local-config";

const toolAnnotation = /^(?:internal\.)?config\.(?:kubernetes|k8s)\.io\//;

/** Whether kpt and kustomize use an annotation to record where an object came from: its file and index. */
export function isToolAnnotation(key: string): boolean {
  return toolAnnotation.test(key);
}

/** Orders resources by file and index, so the result does not depend on the order of the list. */
export function compareLocations(a: Resource, b: Resource): number {
  return compareText(a.path ?? "", b.path ?? "") || a.index - b.index;
}

/** The items of one package, including items of which the package is unknown. */
export function inPackage<T extends Resource>(items: readonly T[], packagePath: string | undefined): readonly T[] {
  if (packagePath === undefined) return items;
  return items.filter((item) => item.packagePath === undefined || item.packagePath === packagePath);
}

/** The API group of an apiVersion: "" for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** What identifies an object in a cluster. The version of its API does not. */
export function objectKey({
  apiVersion,
  kind,
  namespace,
  name,
}: Pick<Resource, "apiVersion" | "kind" | "namespace" | "name">): string {
  return JSON.stringify([groupOf(apiVersion), kind, namespace, name]);
}

/** The reference to a resource, as results contain it. */
export function refOf(resource: Resource): ResourceRef {
  const { apiVersion, kind, name, namespace } = resource;
  return namespace === "" ? { apiVersion, kind, name } : { apiVersion, kind, name, namespace };
}

/** A resource as messages name it: `Secret "namespace/name"`. */
export function describe({ kind, namespace = "", name }: ResourceRef): string {
  const shownKind = /^\w{1,63}$/.test(kind) ? kind : quoteWhole(kind);
  return `${shownKind} ${quoteWhole(namespace === "" ? name : `${namespace}/${name}`)}`;
}

/**
 * An object that a function generates. Its keys are in the order in which they are written. Its annotations are added
 * when it is written.
 */
export interface GeneratedObject {
  /** The file that it is written to, relative to the package. Each file contains one object. */
  readonly path: string;
  readonly object: ValueMap & {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: Pick<ResourceRef, "name" | "namespace">;
  };
  /** The files of a bundle ConfigMap; they become its `data`. */
  readonly files?: Files;
  /** Annotations in addition to those that name its owner and its path. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** What the object was generated from, for findings about it. */
  readonly origin?: ResourceRef;
}

/** A file of a bundle: its text, or a value that is written as JSON. */
export type BundledFile = string | { readonly json: Value };

/** Files that are not Kubernetes objects, by name. */
export type Files = Readonly<Record<string, BundledFile>>;

/** A field that a function sets in a resource. The rest of the resource stays unchanged. */
export interface FieldChange {
  readonly resource: Resource;
  readonly path: readonly string[];
  readonly value: FieldValue;
}

/**
 * The value for a field: a text; some fields of a mapping; or entries of a list that have unique names, such as the
 * variables of a container. Missing fields and entries are added. Fields and entries that are not listed stay
 * unchanged.
 */
export type FieldValue = string | FieldValues | readonly NamedEntry[];

/** Some fields of a mapping. */
export interface FieldValues {
  readonly [key: string]: FieldValue;
}

/** An entry of a list, identified by its name. */
export interface NamedEntry extends FieldValues {
  readonly name: string;
}

// Kubernetes documentation, "Object Names and IDs".

/** The characters of a DNS subdomain name, which most objects must have. */
export const maxObjectName = 253;

const label = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const labelForm = new RegExp(`^${label}$`);
const subdomainForm = new RegExp(`^${label}(?:\\.${label})*$`);

/** Whether a text is a DNS subdomain name: the name of a ConfigMap, a Secret, or a service account. */
export function isSubdomain(text: string): boolean {
  return text.length <= maxObjectName && subdomainForm.test(text);
}

/** Whether a text is a DNS label: the name of a namespace. */
export function isLabel(text: string): boolean {
  return text.length <= 63 && labelForm.test(text);
}

/*
 * A search in a list, for each of as many objects, takes the square of their number. A map made once takes each object once.
 */

/** The members of a list by a key; of several with the same key, the first. A member whose key is undefined is omitted. */
export function firstByKey<K, T>(list: readonly T[], keyOf: (one: T) => K | undefined): ReadonlyMap<K, T> {
  const found = new Map<K, T>();
  for (const one of list) {
    const key = keyOf(one);
    if (key !== undefined && !found.has(key)) found.set(key, one);
  }
  return found;
}

/** The members of a list by a key, each key with all its members in their order. A member whose key is undefined is omitted. */
export function allByKey<K, T>(list: readonly T[], keyOf: (one: T) => K | undefined): ReadonlyMap<K, readonly T[]> {
  const found = new Map<K, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    if (key === undefined) continue;
    const same = found.get(key);
    if (same === undefined) found.set(key, [one]);
    else same.push(one);
  }
  return found;
}
