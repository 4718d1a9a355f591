import { lostAnswer } from "../../../apply/lost-answers.ts";
import { CloudError, refusedRequest } from "../../../apply/requests.ts";
import type { ValueMap } from "../../../core/resource.ts";
import { proxyLogin, webPageCure } from "../../../network/connection-problems.ts";

/** How to log in. */
export const loginCure =
  "Log in, for example with: aws sso login. The SDK reads environment variables, profiles, web identity, and the metadata of the instance.";
/** What to do if AWS says that the time of a request is wrong. */
export const clockCure =
  "Set the clock of this machine: AWS refuses requests whose time differs too much from its own.";

/** A request, as messages name it. */
export function callName(call: string): string {
  return call.replace(":", " ");
}

/** How services say that the time of a request is wrong. */
export const skewed = /^(RequestTimeTooSkewed|RequestExpired|RequestInTheFuture)|Signature (expired|not yet current)/;

const cures: readonly (readonly [RegExp, string])[] = [
  [
    /block public|BlockPublic|public polic/i,
    'Block Public Access is enabled for the whole account or organization, so its buckets cannot be public. Set spec.platform.aws.issuerHosting.type to "S3CloudFront", and render again.',
  ],
  [
    /^BucketAlreadyExists/,
    "Names of buckets are shared by all accounts. Set spec.platform.aws.issuerHosting.bucket to another name, and render again.",
  ],
  [/^CNAMEAlreadyExists/, "Another distribution serves this domain. Remove the domain from it first."],
  [skewed, clockCure],
  // IAM User Guide, "Troubleshoot access denied error messages".
  [
    /(service|resource) control policy/,
    "A policy of the organization denies this, and no policy of the account can allow it. Ask the administrators of the organization for an exception.",
  ],
  [
    /permissions boundary/,
    "The permissions boundary of your credentials does not allow this. Use other credentials, or change the boundary.",
  ],
  [/session policy/, "The session policy of your credentials does not allow this. Use credentials without it."],
  [/VPC endpoint policy/, "The policy of the VPC endpoint does not allow this. Change it, or use another endpoint."],
  [
    /explicit deny/,
    "A statement denies this, and no other policy can allow it. Change that statement, or use other credentials.",
  ],
  [/^(AccessDenied|403$)/, "admin-policy.json of the export contains the permissions that are needed."],
  [/^LimitExceeded|^TooMany/, "Ask AWS for a larger quota of the account, or remove what is not used."],
];

/** Codes of credentials that AWS does not accept. */
export const badCredentials =
  /^(ExpiredToken|InvalidClientTokenId|UnrecognizedClient|InvalidAccessKeyId|SignatureDoesNotMatch|AuthFailure|InvalidToken)/;

/** An error of the SDK. */
export interface SdkError {
  readonly name?: string;
  readonly message?: string;
  /** The code of an answer with one. */
  readonly Code?: string;
  readonly Region?: string;
  readonly Endpoint?: string;
  /** Where the request went: {@link connect} adds it. */
  readonly url?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

/** An error of the SDK as one that names the request, and the code, the message and the ID of the answer. Names of errors are with or without "Exception" at the end. */
export function refusedBy(call: string, input: ValueMap, error: unknown): CloudError {
  if (error instanceof CloudError) return error;
  const { name = "", message = "", url = "", $metadata = {} } = error as SdkError;
  const { httpStatusCode: status = 0, requestId } = $metadata;
  const what = describedRequest(call, input);
  // The answer to a HEAD request has no body, so nothing shows whose it is.
  const page = /:Head/.test(call) && status !== 407 ? undefined : webPage(what, error as SdkError);
  if (page !== undefined) return page;
  // Nothing is known from an answer that is cut off, either.
  if (status < 300) return lostAnswer(what, { url, isRead: isRead(call) }, plain(error));
  const [line = ""] = message.split("\n");
  const code = name.replace(/Exception$/, "");
  const known =
    otherRegion(error as SdkError) ??
    cures.find(([form]) => form.test(`${code} ${line}`) || form.test(String(status)))?.[1];
  const isLogin = badCredentials.test(code) && known !== clockCure;
  const said = { status, code, message: line, requestId: requestId ?? "" };
  return refusedRequest(what, said, isLogin ? loginCure : known, isLogin ? "credentials" : code);
}

/** An answer that is not one of AWS; undefined if it can be one. */
export function webPage(
  what: string,
  { message = "", Code, url, $metadata, $response }: SdkError,
): CloudError | undefined {
  const { httpStatusCode: status = 0 } = $metadata ?? {};
  if (status === 407) return new CloudError(`${what}: 407. ${proxyLogin()}`, "", status);
  const isPage = Code === undefined && /html/.test($response?.headers?.["content-type"] ?? "");
  // An error of AWS is XML, so this is one of something else.
  if (!isPage && !(status >= 300 && parsing.test(message))) return undefined;
  return new CloudError(
    `${what} was not answered by AWS, but with ${isPage ? "a web page" : "another text"} and status ${status}. ${webPageCure(url)}`,
  );
}

/** What the SDK says of an answer of another form. */
export const parsing = /^@aws-sdk XML parse error/;

/** An error whose message is not about the parts of the SDK. */
function plain(error: unknown): unknown {
  return error instanceof Error && parsing.test(error.message)
    ? new Error("the answer is not valid XML, or is cut off")
    : error;
}

/** What to do if S3 says that the bucket is in another region. */
function otherRegion({
  name = "",
  message = "",
  Region,
  Endpoint = "",
  $metadata,
  $response,
}: SdkError): string | undefined {
  const isOther = /^(PermanentRedirect|IllegalLocationConstraint)/.test(name) || $metadata?.httpStatusCode === 301;
  if (!isOther && !(name === "AuthorizationHeaderMalformed" && /region/.test(message))) return undefined;
  const found =
    $response?.headers?.["x-amz-bucket-region"] ??
    Region ??
    (/expecting '([^']+)'|^The (\S+) location constraint/.exec(message)?.slice(1).find(Boolean) ||
      /s3[.-]([a-z0-9-]+)\.amazonaws\./.exec(Endpoint)?.[1]);
  const where = found !== undefined && /^[a-z0-9-]+$/.test(found) ? `the region ${found}` : "another region";
  return `The bucket is in ${where}, or the request went to the endpoint of that region. Set spec.platform.aws.issuerHosting.bucket to another name, and render again. If AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL is set, it must be an endpoint of the region of the package.`;
}

/** Whether a call changes nothing. */
export function isRead(call: string): boolean {
  return /:(Get|List|Head)/.test(call);
}

/** A request and its resource, as messages name them. */
export function describedRequest(call: string, input: ValueMap): string {
  const names = ["RoleName", "OpenIDConnectProviderArn", "Url", "Bucket", "Key", "Id", "Resource"];
  const about = names.flatMap((name) => (typeof input[name] === "string" ? [input[name]] : []));
  return [callName(call), ...about].join(" ");
}
