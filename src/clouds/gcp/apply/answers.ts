import { lostAnswer } from "../../../apply/lost-answers.ts";
import {
  CloudError,
  type Answer as HttpAnswer,
  type Asked as HttpAsked,
  pathOf,
  refusedRequest,
  type Said,
  sentence,
} from "../../../apply/requests.ts";
import { isMap, textAt, type Value, type ValueMap } from "../../../core/resource.ts";
import { connectionProblem, isConnectionError, proxyLogin, webPageCure } from "../../../network/connection-problems.ts";

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
const impersonationFix =
  "Grant your account the role roles/iam.serviceAccountTokenCreator on the service account of --impersonate-service-account.";

/** An error for credentials that gave no access token. */
export function noToken(error: unknown, environment = process.env): CloudError {
  if (error instanceof CloudError) return error;
  const { said, cure } = loginProblem(error, environment);
  return new CloudError(`Google gave no access token: ${sentence(said)} ${cure}`, "credentials");
}

/** An error of google-auth-library. */
interface LoginError {
  readonly message?: string;
  readonly status?: number;
  readonly config?: { readonly url?: unknown };
  readonly response?: { readonly data?: unknown };
}

function loginProblem(error: unknown, environment: NodeJS.ProcessEnv): { said: string; cure: string } {
  const { message = "", status, response, config } = error as LoginError;
  const url = String(config?.url ?? "");
  if (isConnectionError(error)) return connectionProblem(error, url, environment);
  if (status === 407) return { said: "status 407", cure: proxyLogin(environment) };
  const { data } = response ?? {};
  const [first = ""] = message.split("\n");
  const description = isMap(data as Value) ? textAt(data as Value, ["error_description"]) : "";
  const line = first.includes(description) ? first : `${first}: ${description}`;
  const isPage = typeof data === "string" && /^\s*</.test(data);
  // The library reads a page as if it were an answer, and sets a property of the text.
  if (isPage || /^(?:Cannot create property|Attempted to assign)/.test(line))
    return {
      said: `a web page${status === undefined ? "" : ` with status ${status}`} was the answer`,
      cure: webPageCure(url, environment),
    };
  const [, known] = loginProblems.find(([form]) => form.test(line)) ?? [];
  if (known !== undefined) return known(line, environment);
  return error instanceof SyntaxError || error instanceof TypeError
    ? { said: "the file with the Application Default Credentials is not valid", cure: loginFix }
    : { said: line === "" ? "it said nothing" : line, cure: loginFix };
}

/** What the library says that a user can do something about. An error of JSON can repeat the beginning of a secret. */
const loginProblems: readonly (readonly [
  RegExp,
  (line: string, environment: NodeJS.ProcessEnv) => { said: string; cure: string },
])[] = [
  [
    /^Could not load the default credentials/,
    () => ({ said: "there are no Application Default Credentials", cure: loginFix }),
  ],
  [
    /specified by the GOOGLE_APPLICATION_CREDENTIALS/,
    (line, { GOOGLE_APPLICATION_CREDENTIALS: path = "" }) => ({
      said: /does not exist, or it is not a file/.test(line)
        ? `GOOGLE_APPLICATION_CREDENTIALS names ${path}, which does not exist or is not a file`
        : `the file ${path} in GOOGLE_APPLICATION_CREDENTIALS does not contain valid credentials`,
      cure: "Correct the variable, or unset it and log in: gcloud auth application-default login",
    }),
  ],
  [
    /^The file at .* does not exist/,
    (line) => ({
      said: line.replace(/,? or it is not a file.*/, " or is not a file"),
      cure: "It must contain the token of the external account in GOOGLE_APPLICATION_CREDENTIALS.",
    }),
  ],
  [
    /DECODER routines|asn\.?1|PEM routines|invalid.*key/i,
    () => ({
      said: "the private key in the file with the credentials cannot be read",
      cure: "Set GOOGLE_APPLICATION_CREDENTIALS to an unchanged key file, or unset it and log in: gcloud auth application-default login",
    }),
  ],
  [
    /^Error code invalid_grant/,
    (line) => ({
      said: line,
      cure: "Write a new token to the credential source of the external account in GOOGLE_APPLICATION_CREDENTIALS, or log in, for example with: gcloud auth application-default login",
    }),
  ],
  [/has not been used in project|SERVICE_DISABLED/, (line) => ({ said: line, cure: enableFix("", line) })],
  [
    /: NOT_FOUND: unable to impersonate/,
    (line) => ({
      said: line,
      cure: "The service account of --impersonate-service-account does not exist. Correct its email.",
    }),
  ],
  // The library names Google's own code; without it, the user's own credentials failed.
  [/(^|: )PERMISSION_DENIED: unable to impersonate/, (line) => ({ said: line, cure: impersonationFix })],
  [/No answer arrived/, (line, environment) => connectionProblem(new Error(line), "", environment)],
];

/** An error for a request whose answer did not arrive. */
export function lost({ method, url }: Asked, error: unknown): CloudError {
  // The text of an answer that is cut off, which can be long, is not repeated.
  const plain = error instanceof SyntaxError ? new Error("the answer is not valid JSON, or is cut off") : error;
  return lostAnswer(`${method} ${pathOf(url)}`, { url, isRead: method === "GET" }, plain);
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
  [
    /vpcServiceControls|prohibited by organization's policy/i,
    "A service perimeter of the organization (VPC Service Controls) refuses the request. Ask the administrators of the organization for access from here.",
  ],
  [
    /denied by .*deny policy|because of deny policies/i,
    "A deny policy refuses the request, and no role can allow it. Ask the administrators of the organization for an exception.",
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
  const { code, message, status } = answer;
  const what = `${method} ${pathOf(url)}`;
  if (status === 407) return new CloudError(`${what}: 407. ${proxyLogin()}`, code, status);
  if (code === "" && answer.header("content-type").includes("html"))
    return new CloudError(`${what}: ${status}, a web page. ${webPageCure(url)}`, code, status);
  const [, known] = fixes.find(([form]) => form.test(`${code} ${message}`)) ?? [];
  const fix = typeof known === "function" ? known(url, message) : known;
  return refusedRequest(what, answer, fix);
}
