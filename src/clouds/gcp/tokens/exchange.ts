import { readJson } from "../../../core/read-json.ts";
import { type Value, valueAt } from "../../../core/resource.ts";
import type { Asked, TokenExchange, TrustingIdentity } from "../../inspector.ts";
import { type RenderedCluster, type RenderedIssuer, unknownIssuer } from "../../rendered.ts";
import { defaultUniverse } from "../cluster/cluster.ts";
import { readRendered } from "../rendered/rendered.ts";
import { consistencyAdvice } from "./consistency.ts";
import { gcpTokenLimits } from "./limits.ts";
import { readProvider } from "./provider.ts";
import { accountIdOf, type Binding, isEmail, readPolicy, workloadIdentityUser } from "./service-account.ts";
import { answerFor } from "./verify.ts";

/** The exchange of a token at Google's Security Token Service, and the access to a service account that follows. */
export const gcpExchange = {
  noun: "service account",
  commands: {
    issuer: {
      command: "gcloud iam workload-identity-pools providers describe",
      fields: '"name" and "oidc" with "issuerUri"',
    },
    identity: { command: "gcloud iam service-accounts get-iam-policy", fields: '"etag" and "bindings"' },
  },
  limits: gcpTokenLimits,
  readIssuer,
  readIdentity(answer, id) {
    const bindings = readPolicy(answer);
    return bindings === undefined ? undefined : trusting(id, bindings);
  },
  unnamedIdentity: { must: "the e-mail of the service account", isID: isEmail },
  identities: (bundles) =>
    (readRendered(bundles)?.identities ?? []).flatMap(({ id, principals }) => {
      const bindings = principals?.length === 0 ? [] : principals && [bound(principals)];
      return id === undefined ? [] : trusting(id, bindings);
    }),
  advise: (input) => consistencyAdvice(input, universeOf(input.cluster)),
  command: tryCommand,
  notes: () => [],
} as const satisfies TokenExchange;

function bound(members: readonly string[]): Binding {
  return { role: workloadIdentityUser, members, isConditional: false };
}

function trusting(email: string, bindings: readonly Binding[] | undefined): TrustingIdentity {
  return {
    id: email,
    name: accountIdOf(email),
    answer: ({ token, time, issuers: [issuer = unknownIssuer] }) => answerFor(token, time, issuer, { email, bindings }),
  };
}

// IAM API v1, WorkloadIdentityPoolProvider. The API omits empty lists and texts.
function readIssuer(answer: Value): RenderedIssuer | undefined {
  const provider = readProvider(answer);
  const url = valueAt(answer, ["oidc", "issuerUri"]);
  const audiences = valueAt(answer, ["oidc", "allowedAudiences"]) ?? [];
  const jwks = valueAt(answer, ["oidc", "jwksJson"]) ?? "";
  if (provider === undefined || typeof url !== "string" || typeof jwks !== "string") return undefined;
  if (!Array.isArray(audiences) || !audiences.every((audience) => typeof audience === "string")) return undefined;
  return {
    url: url.replace(/^https:\/\//, ""),
    id: provider.name,
    clientIds: audiences as readonly string[],
    discovery: undefined,
    keys: jwks === "" ? undefined : readJson(jwks),
    holdsKeys: jwks !== "",
    definition: answer,
  };
}

function universeOf(cluster: RenderedCluster | undefined): string {
  const domain = cluster !== undefined && "universeDomain" in cluster ? cluster.universeDomain : undefined;
  return typeof domain === "string" ? domain : defaultUniverse;
}

const anyProvider = "projects/NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER";

/**
 * gcloud exchanges the token with its own copy of the Secret's configuration. It gets a new directory for its settings: in
 * the usual one, it would change the user's account, or answer from its cache without a request. The access token is
 * discarded.
 */
function tryCommand({ id, issuer, cluster }: Asked, tokenFile: string, word: (text: string) => string): string {
  const universe = universeOf(cluster);
  const file = '"$CLOUDSDK_CONFIG/credentials.json"';
  const create = [
    `gcloud iam workload-identity-pools create-cred-config ${word(issuer.id ?? anyProvider)}`,
    `--service-account=${word(id)} --credential-source-file=${word(tokenFile)} --output-file=${file} < /dev/null`,
  ].join(" ");
  const steps = [
    "CLOUDSDK_CONFIG=$(mktemp -d)",
    "export CLOUDSDK_CONFIG",
    `trap 'rm -rf "$CLOUDSDK_CONFIG"' EXIT`,
    ...(universe === defaultUniverse ? [] : [`export CLOUDSDK_CORE_UNIVERSE_DOMAIN=${word(universe)}`]),
    create,
    `CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE=${file} gcloud auth print-access-token > /dev/null`,
    "echo accepted",
  ];
  return `(${steps.join(" && ")})`;
}
