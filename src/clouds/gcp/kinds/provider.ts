import { readJson } from "../../../core/json.ts";
import { listAt, textAt, textOf, type Value } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import { keysPath } from "../../../oidc/issuer-url.ts";
import { fieldsOf, sortedTexts } from "../../fields.ts";
import { contentOf } from "../../terraform.ts";
import { issuerDirectory } from "../resources.ts";
import { type IamKind, iam, poolRequests } from "./requests.ts";

/** The body of a provider in a workload identity pool (IAM v1 reference, WorkloadIdentityPoolProvider). */
export type ProviderBody = {
  readonly displayName: string;
  readonly description: string;
  readonly disabled: boolean;
  readonly attributeMapping: Readonly<Record<string, string>>;
  /** An expression in CEL; without one, every token of the issuer is accepted. */
  readonly attributeCondition?: string;
  readonly oidc: {
    readonly issuerUri: string;
    readonly allowedAudiences: readonly string[];
    /** A JSON Web Key Set as text; without one, Google reads the keys from the issuer. */
    readonly jwksJson?: string;
  };
};

const fields = fieldsOf<ProviderBody>()(
  {
    displayName: {},
    description: {},
    disabled: { absent: false },
    attributeMapping: { absent: {} },
    attributeCondition: {},
    "oidc.issuerUri": { shown: "issuer" },
    "oidc.allowedAudiences": { shown: "audiences", absent: [], view: sortedTexts },
    "oidc.jwksJson": {
      shown: "keys",
      view: (value) => [...keysIn(textOf(value))].sort((a, b) => compareText(kidOf(a), kidOf(b))),
      brief: (keys) => listAt(keys, []).map(kidOf),
      terraform: () => contentOf(`${issuerDirectory}/${keysPath}`),
    },
  },
  { state: { absent: "ACTIVE" } },
);

/** The keys in a provider's `jwksJson`; none without one. */
export function keysIn(jwksJson: string): readonly Value[] {
  const json = readJson(jwksJson || "{}");
  return "value" in json ? listAt(json.value, ["keys"]) : ["unreadable"];
}

/** The ID of a key; "" if it has none. */
export function kidOf(key: Value): string {
  return textAt(key, ["kid"]);
}

const requests = {
  ...poolRequests("workloadIdentityPoolProviderId", fields),
  /** All providers of a pool, also deleted ones. */
  list: (pool: string) => iam("GET", `${pool}/providers?showDeleted=true`),
};

/** The provider in the pool: which issuer, audiences and keys Google trusts. */
export const providerKind = { permission: "iam.workloadIdentityPoolProviders", fields, requests } satisfies IamKind;
