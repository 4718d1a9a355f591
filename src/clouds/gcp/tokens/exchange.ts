import { readJson } from "../../../core/json.ts";
import { type Value, valueAt } from "../../../core/resource.ts";
import {
  type Check,
  notReached,
  passed,
  type TokenAnswer,
  tokenVerdict,
  withConsequences,
} from "../../../oidc/answer.ts";
import { checkDiscovery, checkSignature } from "../../../oidc/checks.ts";
import type { TokenReading } from "../../../oidc/token.ts";
import type { AskedIdentity, TokenExchange, TrustingIdentity } from "../../inspector.ts";
import { type RenderedCluster, type RenderedIssuer, unknownIssuer } from "../../rendered.ts";
import { defaultUniverse } from "../cluster/cluster.ts";
import { readRendered } from "../rendered/rendered.ts";
import { consistencyAdvice } from "../rendered/secret.ts";
import {
  checkAudience,
  checkBinding,
  checkCondition,
  checkIssuer,
  checkProvider,
  checkShape,
  checkSubject,
  checkTime,
} from "./checks.ts";
import {
  accountIdOf,
  type Binding,
  isEmail,
  mappedSubject,
  readPolicy,
  readProvider,
  type ServiceAccount,
  workloadIdentityUser,
} from "./identity.ts";
import { gcpTokenLimits } from "./limits.ts";

/** The checks in Google's presumable order, in groups. The order within a group is not known. */
const stages = [
  ["provider"],
  ["shape"],
  ["issuer", "discovery", "signature", "time", "audience"],
  ["subject"],
  ["condition"],
  ["binding"],
] as const;

/**
 * Predicts Google's answer to a token: that of the Security Token Service, and that of the IAM Credentials API for a service
 * account. Works offline: the caller provides what Google would fetch. Every check that does not depend on another one runs.
 *
 * @param time in seconds since the epoch.
 * @param issuer the provider, and what its issuer publishes.
 */
async function answerFor(
  reading: TokenReading,
  time: number,
  issuer: RenderedIssuer,
  account: ServiceAccount,
): Promise<TokenAnswer> {
  const { token } = reading;
  const provider = readProvider(issuer.definition);
  const [first, shape] = [checkProvider(provider), checkShape(reading)];
  if (token === undefined) {
    const rest = stages
      .flat()
      .slice(2)
      .map((name) => notReached(name, "the token cannot be read"));
    return answered([first, shape, ...rest]);
  }
  const { sub, claims } = token;
  const mapped = provider === undefined ? undefined : mappedSubject(provider, claims);
  return answered([
    first,
    shape,
    checkIssuer(token, issuer.url),
    issuer.holdsKeys === true
      ? passed("discovery", "the provider holds the keys, so nothing is fetched from the issuer")
      : checkDiscovery(token, issuer, gcpTokenLimits),
    await checkSignature(token, shape, issuer, gcpTokenLimits),
    checkTime({ ...reading, token }, time),
    checkAudience(token, issuer.clientIds, provider),
    checkSubject(sub, mapped),
    checkCondition(token, provider, mapped),
    checkBinding(account, provider, sub, mapped),
  ]);
}

function answered(checks: readonly Check[]): TokenAnswer {
  const failures = checks.filter(({ status }) => status === "failed").map(({ name }) => name);
  const stage = stages.find((names) => names.some((name) => failures.includes(name))) ?? [];
  const deciding = failures.filter((name) => (stage as readonly string[]).includes(name));
  return { verdict: tokenVerdict(checks), checks: withConsequences(checks), deciding };
}

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
  applied: new Set(stages.flat().filter((name) => name !== "shape" && name !== "time")),
  readIssuer,
  readIdentity(answer, id) {
    const bindings = readPolicy(answer);
    return bindings === undefined ? undefined : trusting(id, bindings);
  },
  unnamedIdentity: { must: "the email of the service account", isID: isEmail },
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
function tryCommand({ id, issuer, cluster }: AskedIdentity, tokenFile: string, word: (text: string) => string): string {
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
