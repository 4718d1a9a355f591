import type { ValueMap } from "../../../core/resource.ts";
import { fieldsOf, maskOf } from "../../fields.ts";
import { type IamKind, iam, named, split, undelete } from "./requests.ts";

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
  ...named,
  list: (collection: string) => iam("GET", `${collection}?showDeleted=true&pageSize=1000`),
  create(name: string, body: ValueMap) {
    const { parent, id } = split(name);
    return iam("POST", `${parent}?workloadIdentityPoolId=${id}`, body);
  },
  update: (name: string, body: ValueMap) => iam("PATCH", `${name}?updateMask=${maskOf(fields)}`, body),
  undelete,
};

/** The workload identity pool of the cluster. */
export const poolKind = { permission: "iam.workloadIdentityPools", fields, requests } satisfies IamKind;
