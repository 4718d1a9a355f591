import type { ValueMap } from "../../../core/resource.ts";
import { fieldsOf, maskOf } from "../../fields.ts";
import { type IamKind, iam, named, split } from "./requests.ts";

/** The body of a service account (IAM v1 reference, ServiceAccount). */
export type AccountBody = {
  readonly displayName: string;
  readonly description: string;
};

const fields = fieldsOf<AccountBody>()({ displayName: {}, description: {} }, { disabled: { absent: false } });

const requests = {
  ...named,
  list: (collection: string) => iam("GET", `${collection}?pageSize=100`),
  create(name: string, body: ValueMap) {
    const { parent, id } = split(name);
    return iam("POST", parent, { accountId: id.replace(/@.*$/, ""), serviceAccount: body });
  },
  update: (name: string, body: ValueMap) => iam("PATCH", name, { serviceAccount: body, updateMask: maskOf(fields) }),
  enable: (name: string) => iam("POST", `${name}:enable`, {}),
};

/** The service account of one request. */
export const accountKind = { permission: "iam.serviceAccounts", fields, requests } satisfies IamKind;
