import {
  CloudError,
  type Answer as HttpAnswer,
  type Asked as HttpAsked,
  pathOf,
  refusedRequest,
  type Said,
  sentence,
} from "../../../apply/requests.ts";
import type { ValueMap } from "../../../core/resource.ts";

/** What Google answered. Codes are those like `PERMISSION_DENIED`, of Cloud Storage `forbidden`. */
export interface Answer extends HttpAnswer, Said {}

/** One request; what is repeated are codes and messages. */
export interface Asked extends HttpAsked {
  readonly body?: ValueMap | undefined;
  /** A body that is not JSON. */
  readonly text?: { readonly type: string; readonly content: string };
  /** Without credentials, as everyone. */
  readonly anonymous?: true;
}

const loginFix = "Log in, for example with: gcloud auth application-default login";
const networkFix = "Check the network, and the proxy in HTTPS_PROXY.";
const impersonationFix =
  "Grant your account the role roles/iam.serviceAccountTokenCreator on the service account of --impersonate-service-account.";

/** An error for credentials that gave no access token. */
export function noToken(error: unknown): CloudError {
  const [line = ""] = (error instanceof Error ? error.message : "").split("\n");
  // The library names Google's own code; without it, the user's own credentials failed.
  const isRefused = /(^|: )[A-Z_]+: unable to impersonate/.test(line);
  const isLost = /failed, reason: |No answer arrived/.test(line);
  const fix = isRefused ? impersonationFix : isLost ? networkFix : loginFix;
  return new CloudError(`Google gave no access token: ${sentence(line)} ${fix}`, "credentials");
}

/** An error for a request whose answer did not arrive. */
export function lost({ method, url }: Asked, error: unknown): CloudError {
  if (error instanceof CloudError) return error;
  const said = error instanceof Error ? error.message : "";
  const effect = method === "GET" ? "" : " It is not known whether it had an effect.";
  return new CloudError(`${method} ${pathOf(url)} failed: ${sentence(said)}${effect} Run the same command again.`);
}

/** What to do if a custom role was deleted, and Google can no longer restore it. */
export const blockedRole =
  "Google blocks the ID of a deleted role until 37 days after its deletion. Set customRoleID in spec.platform.gcp.overrides for its request to another ID, and render again.";
const noPublic =
  'The organization does not allow public objects: set spec.platform.gcp.keyStorage to "PoolJWKFile", and render again.';
const exception = (constraint: string) =>
  `Ask the administrators of the organization for an exception from the constraint ${constraint}.`;

/** What a user can do about errors: a text, or a function of the request and the message. */
const fixes: readonly (readonly [form: RegExp, fix: string | ((url: string, message: string) => string)])[] = [
  [/has not been used in project|SERVICE_DISABLED/, enableFix],
  [
    /Org Policy violated for value|iam\.workloadIdentityPoolProviders/,
    "Ask the administrators of the organization to add the issuer's URL to the constraint iam.workloadIdentityPoolProviders.",
  ],
  [/public access prevention/i, noPublic],
  [
    /belong to a permitted customer|allowedPolicyMemberDomains/,
    (url) => (/\/storage\/v1\//.test(url) ? noPublic : exception("iam.allowedPolicyMemberDomains")),
  ],
  [/disableServiceAccountCreation/, exception("iam.disableServiceAccountCreation")],
  [/marked for deletion|in a deleted state/, blockedRole],
  [
    /Permission \S+ is not valid/,
    "A request lists a permission that Google does not know, or that a custom role of a project cannot contain. Correct the request or exclude it, and render again.",
  ],
  [/^FORBIDDEN|PERMISSION_DENIED|forbidden/, "admin-role.json of the export contains the permissions that are needed."],
  [/UNAUTHENTICATED|authError/, loginFix],
];

/** Google names the API and the project in the address of a page. */
function enableFix(_: string, message: string): string {
  const [, api = "NAME", project] = /\/apis\/api\/([a-z0-9.-]+)\/overview(?:\?project=([\w-]+))?/.exec(message) ?? [];
  return `Enable the API: gcloud services enable ${api}${project === undefined ? "" : ` --project=${project}`}`;
}

/** An error that names the request, and the code, the message and the ID of the answer. */
export function refused({ method, url }: Asked, answer: Answer): CloudError {
  const { code, message } = answer;
  const [, known] = fixes.find(([form]) => form.test(`${code} ${message}`)) ?? [];
  const fix = typeof known === "function" ? known(url, message) : known;
  return refusedRequest(`${method} ${pathOf(url)}`, answer, fix);
}
