import type { Finding } from "../../core/finding.ts";
import { isMap, type Resource, type ValueMap, valueAt } from "../../core/resource.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";

/** What a command did with one of several packages. */
export interface Outcome {
  /** The exit code that the command has for this package alone. */
  readonly code: 0 | 1 | 2;
  /** What the summary counts, such as "up to date"; not used if the code is 1. */
  readonly state: string;
  /** What a person must know, without the package's path, such as "2 files would change"; often nothing. */
  readonly lines: readonly string[];
  /** A text for people about this package, which names it. */
  readonly document?: readonly string[];
  readonly findings: readonly Finding[];
  /** Findings that only JSON contains otherwise: they are printed beside every other output. */
  readonly otherFindings?: readonly Finding[];
  /** What `-o json` prints, after the package. */
  readonly report: ValueMap;
  /** What `-o json` prints instead of the report: an object for each of these, which may be none. */
  readonly reports?: readonly ValueMap[];
  /** The name and the platform of its cluster. */
  readonly cluster: ValueMap;
}

/** The states of a command that writes files, in the order of the summary. */
export const writeStates = ["up to date", "written", "would change"] as const;

/** The state of a package whose files changed or, if the command may not write, would change. */
export function writeState(isChanged: boolean, writes: boolean): (typeof writeStates)[number] {
  if (!isChanged) return "up to date";
  return writes ? "written" : "would change";
}

/** The name and the platform of the ClusterIdentity among the objects of a package, as far as they are known. */
export function clusterIn(items: readonly Resource[]): ValueMap {
  const identity = items.find(isClusterIdentity);
  if (identity === undefined) return {};
  return { identity: identity.name, ...platformOf(identity) };
}

function platformOf(identity: Resource): ValueMap {
  try {
    const platform = valueAt(identity.value(), ["spec", "platform"]);
    const [name] = isMap(platform) ? Object.keys(platform) : [];
    return name === undefined ? {} : { platform: name };
  } catch {
    // The command reports a value that cannot be built.
    return {};
  }
}
