import { fieldsOf } from "../../fields.ts";
import { type IamKind, iam, poolRequests } from "./requests.ts";

/** The body of a workload identity pool (IAM v1 reference, WorkloadIdentityPool). */
export type PoolBody = {
  readonly displayName: string;
  readonly description: string;
  readonly disabled: boolean;
};

const fields = fieldsOf<PoolBody>()(
  { displayName: {}, description: {}, disabled: { absent: false } },
  { state: { absent: "ACTIVE" } },
);

const requests = {
  ...poolRequests("workloadIdentityPoolId", fields),
  list: (collection: string) => iam("GET", `${collection}?showDeleted=true&pageSize=1000`),
};

/** The workload identity pool of the cluster. */
export const poolKind = { permission: "iam.workloadIdentityPools", fields, requests } satisfies IamKind;
