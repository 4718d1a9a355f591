import type { Value, ValueMap } from "../../../core/resource.ts";
import { fieldsOf, maskOf, sortedTexts } from "../../fields.ts";
import { type IamKind, iam, named, split, undelete } from "./requests.ts";

/** The body of a custom role (IAM v1 reference, Role). */
export type RoleBody = {
  readonly title: string;
  readonly description: string;
  readonly stage: string;
  readonly includedPermissions: readonly string[];
};

const fields = fieldsOf<RoleBody>()(
  {
    title: {},
    description: {},
    stage: {},
    includedPermissions: { shown: "permissions", absent: [], view: sortedTexts, terraform: "permissions" },
  },
  { deleted: { absent: false } },
);

const requests = {
  ...named,
  list: (collection: string) => iam("GET", `${collection}?showDeleted=true&view=FULL&pageSize=300`),
  create(name: string, body: ValueMap) {
    const { parent, id } = split(name);
    return iam("POST", parent, { roleId: id, role: body });
  },
  /** @param etag of the version that is changed; undefined if it is not known. */
  update: (name: string, body: ValueMap, etag: Value | undefined) =>
    iam("PATCH", `${name}?updateMask=${maskOf(fields)}`, {
      ...body,
      ...(typeof etag === "string" ? { etag } : {}),
    }),
  undelete,
};

/** The custom role of a request that lists permissions. */
export const roleKind = { permission: "iam.roles", fields, requests } satisfies IamKind;
