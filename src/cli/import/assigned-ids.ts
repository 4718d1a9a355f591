import { isIdentity, readIdentity } from "../../clouds/index.ts";
import type { Inspector } from "../../clouds/inspector.ts";
import type { LiveCredential } from "../../clouds/live-cluster.ts";
import { readItem } from "../../krm/item.ts";
import { documents, isProblem, parseSource } from "../../yaml/source.ts";
import { idDocument } from "../set-identities/set-identities.ts";
import { FindingsError } from "../terminal/errors.ts";

/**
 * The file with the IDs that the cloud assigned, by path; empty in a cloud that assigns none.
 *
 * @param config the text of a valid ClusterIdentity.
 */
export function assignedIds(
  { features: { assignedIds: assigned } }: Inspector,
  config: string,
  credentials: readonly LiveCredential[],
): ReadonlyMap<string, string> {
  if (assigned === undefined) return new Map();
  const source = parseSource(config);
  const [node = 0] = isProblem(source) ? [] : documents(source);
  if (isProblem(source)) throw new Error(source.reason);
  const identity = readIdentity([], readItem(source, node, { path: "cluster-identity.yaml", index: 0 }));
  if (!isIdentity(identity)) throw new FindingsError(identity);
  const ids = credentials.flatMap(({ secretKey, id = "" }) => {
    const stored = assigned.idOf(id);
    return stored === undefined ? [] : [[assigned.keyOf(secretKey), stored] as const];
  });
  const store = assigned.store(identity);
  return ids.length === 0 ? new Map() : new Map([[store.path, idDocument(store, new Map(ids))]]);
}
