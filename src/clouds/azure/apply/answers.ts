import { lostAnswer } from "../../../apply/lost-answers.ts";
import { type Answer, CloudError, type Asked as HttpAsked, pathOf, refusedRequest } from "../../../apply/requests.ts";
import { textAt } from "../../../core/resource.ts";
import { proxyLogin, webPageCure } from "../../../network/connection-problems.ts";

/** One request. */
export interface Asked extends HttpAsked {
  readonly body?: string | undefined;
  /** Whether answers are JSON, or the text of a document or of a list of blobs. */
  readonly answers: "json" | "text";
  readonly headers?: Readonly<Record<string, string>>;
  /** The resource that the access token is for; undefined for a request without credentials. */
  readonly audience?: string | undefined;
}

/** The code of an error: of Azure Resource Manager in JSON, of a storage account in XML or a header. */
export function codeOf({ value, text, header }: Answer): string {
  const code = textAt(value, ["error", "code"]) || textAt(value, ["code"]);
  return code || (/<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? header("x-ms-error-code"));
}

const cures: readonly (readonly [RegExp, string])[] = [
  [
    /^StorageAccountAlready(Taken|Exists)$/,
    "Names of storage accounts are shared by all of Azure. Set spec.platform.azure.issuerHosting.storageAccount to another name, and render again.",
  ],
  [
    /^(RequestDisallowedByPolicy|PublicAccessNotPermitted)$/,
    "A policy of the organization does not allow this. If it is about public access to blobs, publish the documents elsewhere: set spec.platform.azure.issuerHosting.type to External and spec.issuer.url, and render again.",
  ],
  [
    /^RoleDefinitionWithSameNameExists$/,
    "Another subscription of the tenant has a custom role with this name. Set identityName in spec.platform.azure.overrides, or another spec.resourcePrefix, and render again.",
  ],
  [/^AuthorizationFailed$/, "admin-role.json of the export contains the permissions that are needed."],
  [
    /^(AuthorizationPermissionMismatch|AuthorizationFailure)$/,
    "Owner and Contributor contain no permissions for blobs. Assign the role Storage Blob Data Contributor on the storage account to yourself, and run the same command again after some minutes.",
  ],
  [
    /^(InvalidAuthenticationTokenTenant|ExpiredAuthenticationToken|InvalidAuthenticationToken|AuthenticationFailed)$/,
    "Log in again, to the tenant of the package: az login --tenant TENANT.",
  ],
  [/^SubscriptionNotFound$/, "The credentials do not reach the subscription of the package."],
];

/** An error for a request whose answer did not arrive. */
export function lost({ method, url }: Pick<Asked, "method" | "url">, error: unknown): CloudError {
  return lostAnswer(`${method} ${pathOf(url)}`, { url, isRead: method === "GET" }, error);
}

/** An error for an answer that is not one of Azure: a proxy or a portal may answer for it. */
function webPage({ method, url }: Pick<Asked, "method" | "url">, status: number): CloudError {
  const what = `${method} ${pathOf(url)} was answered with a web page and status ${status}, not by Azure`;
  return new CloudError(`${what}. ${webPageCure(url)}`, "", status);
}

/** An error that names the request, and the code, the message and the ID of the answer. */
export function refused({ method, url }: Asked, answer: Answer, code: string): CloudError {
  const { status } = answer;
  if (status === 407) return new CloudError(`${method} ${pathOf(url)}: 407. ${proxyLogin()}`, code, status);
  if (code === "" && answer.header("content-type").includes("html")) return webPage({ method, url }, status);
  const message = textAt(answer.value, ["error", "message"]) || (/<Message>([^<]*)/.exec(answer.text)?.[1] ?? "");
  const requestId = answer.header("x-ms-request-id") || answer.header("x-ms-correlation-request-id");
  const cure = cures.find(([codes]) => codes.test(code))?.[1];
  return refusedRequest(`${method} ${pathOf(url)}`, { status, code, message, requestId }, cure);
}
