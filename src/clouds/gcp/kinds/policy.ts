import type { ValueMap } from "../../../core/resource.ts";
import type { GoogleRequest } from "./requests.ts";

/** The requests for the allow policy of a resource. */
export interface PolicyRequests {
  readonly get: GoogleRequest;
  /** Replaces the policy; its etag names the version that was read. */
  readonly set: (policy: ValueMap) => GoogleRequest;
}

/** The policy of a project, of a service account, or of a bucket. @param name of the resource: `buckets/demo`. */
export function policyRequests(name: string): PolicyRequests {
  const [, bucket] = /^buckets\/(.+)$/.exec(name) ?? [];
  if (bucket !== undefined) {
    const path = `storage/v1/b/${bucket}/iam`;
    return {
      get: { api: "storage", method: "GET", path: `${path}?optionsRequestedPolicyVersion=3` },
      set: (body) => ({ api: "storage", method: "PUT", path, body }),
    };
  }
  const isAccount = name.includes("/serviceAccounts/");
  const [api, path] = [isAccount ? "iam" : "resourceManager", `v1/${name}:getIamPolicy`] as const;
  const options = { requestedPolicyVersion: 3 };
  return {
    get: isAccount
      ? { api, method: "POST", path: `${path}?options.requestedPolicyVersion=3` }
      : { api, method: "POST", path, body: { options } },
    set: (policy) => ({ api, method: "POST", path: `v1/${name}:setIamPolicy`, body: { policy } }),
  };
}
