import { asText } from "../core/json.ts";
import { isMap, listAt, type Resource, textAt, type Value, valueAt } from "../core/resource.ts";

/** What runs pods: a Deployment, as an object or inside a ClusterServiceVersion. */
export interface Workload {
  /** The object that contains it. */
  readonly resource: Resource;
  readonly name: string;
  /** Its namespaces, as far as they are known. */
  readonly namespaces: ReadonlySet<string>;
  /** The field of the pod's spec in the object. */
  readonly field: string;
  /** The service account that its pods run as: `default` if none is named. */
  readonly account: string;
  /** Includes init containers: one with the restart policy Always runs along with the others. */
  readonly containers: readonly Container[];
}

/** The part of a container that concerns credentials. */
export interface Container {
  readonly name: string;
  /** Its field in the object. */
  readonly field: string;
  readonly tokens: readonly MountedToken[];
  readonly secrets: readonly MountedSecret[];
  /** Secrets whose values are environment variables of the container. */
  readonly secretVariables: ReadonlySet<string>;
  /** Environment variables with literal values, by name. */
  readonly variables: ReadonlyMap<string, ContainerVariable>;
  /** Its command and arguments. */
  readonly words: readonly string[];
}

/** A projected service account token in a container. */
export interface MountedToken {
  /** The file. */
  readonly path: string;
  /** "" if none is named: then the token is for the API server. */
  readonly audience: string;
  /** With a `subPath` the file never changes after the container starts (Kubernetes, "Projected Volumes"). */
  readonly isRenewed: boolean;
}

/** A Secret that is mounted in a container. */
export interface MountedSecret {
  readonly name: string;
  /** The field of the mount in the object. */
  readonly field: string;
  readonly mountPath: string;
  /** The file of a key, or undefined if the mount does not contain it. */
  fileOf(key: string): string | undefined;
}

/** A variable of a container. */
export interface ContainerVariable {
  readonly value: string;
  /** The field of its value in the object. */
  readonly field: string;
}

/**
 * Reads a Deployment's spec (Kubernetes API reference, PodSpec and Container). Fields of an invalid form are ignored.
 * @param base the field of the spec in the object.
 */
export function readWorkload(
  resource: Resource,
  name: string,
  spec: Value,
  base: string,
  namespaces: ReadonlySet<string>,
): Workload {
  const pod = valueAt(spec, ["template", "spec"]) ?? null;
  const field = `${base}.template.spec`;
  const volumes = new Map(listAt(pod, ["volumes"]).map((value) => [textAt(value, ["name"]), value]));
  return {
    resource,
    name,
    namespaces,
    field,
    account: textAt(pod, ["serviceAccountName"]) || "default",
    containers: ["containers", "initContainers"].flatMap((list) =>
      listAt(pod, [list]).map((value, index) => readContainer(value, volumes, `${field}.${list}[${index}]`)),
    ),
  };
}

function readContainer(container: Value, volumes: ReadonlyMap<string, Value>, field: string): Container {
  const mounts = listAt(container, ["volumeMounts"]).flatMap((value, index): Mount[] => {
    const volume = volumes.get(textAt(value, ["name"]));
    const subPath = textAt(value, ["subPath"]) || textAt(value, ["subPathExpr"]);
    const path = cleanPath(textAt(value, ["mountPath"]));
    return volume === undefined ? [] : [{ volume, path, subPath, field: `${field}.volumeMounts[${index}]` }];
  });
  const env = listAt(container, ["env"]);
  const fromSecrets = [
    ...env.map((value) => textAt(value, ["valueFrom", "secretKeyRef", "name"])),
    ...listAt(container, ["envFrom"]).map((value) => textAt(value, ["secretRef", "name"])),
  ];
  return {
    name: textAt(container, ["name"]),
    field,
    tokens: mounts.flatMap(tokensOf),
    secrets: mounts.flatMap(secretsOf),
    secretVariables: new Set(fromSecrets.filter((name) => name !== "")),
    variables: new Map(
      env.map((value, index) => [
        textAt(value, ["name"]),
        { value: textAt(value, ["value"]), field: `${field}.env[${index}].value` },
      ]),
    ),
    words: [...listAt(container, ["command"]), ...listAt(container, ["args"])].map(asText),
  };
}

interface Mount {
  readonly volume: Value;
  readonly path: string;
  /** "" for the whole volume. */
  readonly subPath: string;
  readonly field: string;
}

function tokensOf({ volume, path, subPath }: Mount): MountedToken[] {
  return listAt(volume, ["projected", "sources"]).flatMap((source) => {
    const token = valueAt(source, ["serviceAccountToken"]);
    if (!isMap(token)) return [];
    const file = fileIn(path, subPath, textAt(token, ["path"]));
    const audience = textAt(token, ["audience"]);
    return file === undefined ? [] : [{ path: file, audience, isRenewed: subPath === "" }];
  });
}

function secretsOf({ volume, path, subPath, field }: Mount): MountedSecret[] {
  const whole = valueAt(volume, ["secret"]);
  const parts = listAt(volume, ["projected", "sources"]).map((source) => valueAt(source, ["secret"]));
  const sources = [
    ...(isMap(whole) ? [{ name: textAt(whole, ["secretName"]), items: whole["items"] }] : []),
    ...parts.flatMap((part) => (isMap(part) ? [{ name: textAt(part, ["name"]), items: part["items"] }] : [])),
  ];
  return sources.map(({ name, items }) => ({
    name,
    field,
    mountPath: path,
    fileOf: (key) => {
      const item = Array.isArray(items)
        ? (items as readonly Value[]).find((item) => textAt(item, ["key"]) === key)
        : { path: key };
      return item === undefined ? undefined : fileIn(path, subPath, textAt(item, ["path"]));
    },
  }));
}

// A mount with a subPath is that one file, or a directory below the volume's.
function fileIn(mountPath: string, subPath: string, path: string): string | undefined {
  const [file, below] = [cleanPath(path), cleanPath(subPath)];
  if (below === "") return cleanPath(`${mountPath}/${file}`);
  if (file === below) return mountPath;
  return file.startsWith(`${below}/`) ? `${mountPath}${file.slice(below.length)}` : undefined;
}

/** A path without redundant slashes. */
export function cleanPath(path: string): string {
  return path.replace(/\/+/g, "/").replace(/(.)\/$/, "$1");
}

/** Whether a container refers to a Secret: mounts it, reads it into variables, or receives its name. */
export function refersTo({ secrets, secretVariables, variables, words }: Container, secret: string): boolean {
  return (
    secrets.some(({ name }) => name === secret) ||
    secretVariables.has(secret) ||
    [...variables.values()].some(({ value }) => value === secret) ||
    words.some((word) => word === secret || word.endsWith(`=${secret}`))
  );
}
