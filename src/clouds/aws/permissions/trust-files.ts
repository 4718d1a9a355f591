import type { Resource } from "../../../core/resource.ts";
import type { RenderedIdentity } from "../../../permissions/identity.ts";
import type { Grant } from "../../../permissions/permissions.ts";

/** The bundle ConfigMap of a role, and what each of its files with a copy of the trust policy allows. */
export interface TrustFiles {
  readonly resource: Resource;
  readonly trusts: readonly { readonly field: string; readonly allowed: readonly Grant[] }[];
}

/** The trust policies in the files of rendered roles. */
export function trustFilesOf(rendered: readonly RenderedIdentity[]): TrustFiles[] {
  return rendered.flatMap(({ resource, trustFiles }) => {
    const trusts = trustFiles.map(({ field, permissions }) => {
      return { field, allowed: permissions.filter(({ effect }) => effect === "Allow") };
    });
    return resource === undefined ? [] : [{ resource, trusts }];
  });
}
