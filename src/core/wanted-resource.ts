import { digestOf } from "./hash.ts";
import { canonicalJson } from "./json.ts";
import type { ValueMap } from "./resource.ts";
import { compareText } from "./text.ts";

/** A resource that a package wants in the cloud, as plain data: for the engine, and for whatever else creates resources. */
export interface WantedResource {
  /** The cloud's term: `managed identity`. */
  readonly kind: string;
  /** Identifies the resource in the whole cloud: the cloud's own ID, if the package determines it. */
  readonly id: string;
  /** As people call it, for example in `--adopt KIND/NAME`. */
  readonly name: string;
  /** The IDs of the resources that must exist first. */
  readonly needs: readonly string[];
  /** The stated fields, in the form of the cloud's API. */
  readonly body: ValueMap;
  /** The ID of the resource whose owner mark counts, because this one cannot carry a mark. */
  readonly part?: string;
  /** What it contains, for people, in a few words: `6 permissions`. The line of a whole has these words for a part. */
  readonly detail?: string;
  /** It may be used by others: if it exists, it is used as it is, without an owner mark, and never changed. */
  readonly shared?: true;
  /** Why it stays if the package is destroyed: the end of a sentence. */
  readonly kept?: string;
  /** The file or directory of an export that states it, for commands to read: `aws/roles/openshift-ingress-…`. */
  readonly source?: string;
  /** What the cloud assigned, as far as the package contains it. */
  readonly assigned?: ValueMap;
}

/** Identifies what a package wants, whatever version of the program rendered it. */
export function digestOfWanted(wanted: readonly WantedResource[]): string {
  const plain = wanted.map(({ kind, id, name, body, assigned = {} }): ValueMap => ({ kind, id, name, body, assigned }));
  const sorted = plain.sort((a, b) => compareText(String(a["id"]), String(b["id"])));
  return digestOf(canonicalJson(sorted));
}
