import type { CloudIdentity } from "../permissions/identity.ts";
import type { SelectedRequest } from "../requests/select.ts";

/** A request that counts, and what it asks for. */
export interface RequestFacts {
  readonly request: SelectedRequest;
  readonly cloud: CloudIdentity;
}
