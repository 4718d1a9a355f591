import { CloudError, refusedRequest, sentence } from "../../../apply/requests.ts";
import type { ValueMap } from "../../../core/resource.ts";

/** How to log in. */
export const loginCure =
  "Log in, for example with: aws sso login. The SDK reads environment variables, profiles, web identity, and the metadata of the instance.";

/** A request, as messages name it. */
export function nameOf(call: string): string {
  return call.replace(":", " ");
}

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
  [/^(AccessDenied|403$)/, "admin-policy.json of the export contains the permissions that are needed."],
  [/^LimitExceeded|^TooMany/, "Ask AWS for a larger quota of the account, or remove what is not used."],
];

const badCredentials =
  /^(ExpiredToken|InvalidClientTokenId|UnrecognizedClient|InvalidAccessKeyId|SignatureDoesNotMatch|RequestExpired|AuthFailure|InvalidToken)/;

/** An error of the SDK as one that names the request, and the code, the message and the ID of the answer. Names of errors are with or without "Exception" at the end. */
export function refusedBy(call: string, input: ValueMap, error: unknown): CloudError {
  if (error instanceof CloudError) return error;
  const {
    name = "",
    message = "",
    $metadata = {},
  } = error as {
    name?: string;
    message?: string;
    $metadata?: { httpStatusCode?: number; requestId?: string };
  };
  const { httpStatusCode: status = 0, requestId } = $metadata;
  const what = describedRequest(call, input);
  const [line = ""] = message.split("\n");
  // Nothing is known from an answer that is cut off, either.
  if (status < 300) {
    const said = [name, line].filter((part) => part !== "" && part !== "Error").join(" ");
    return new CloudError(
      `${what} failed: ${sentence(said)} Nothing is known about its effect. Run the same command again.`,
    );
  }
  const code = name.replace(/Exception$/, "");
  const isLogin = badCredentials.test(code);
  const cure = isLogin
    ? loginCure
    : cures.find(([form]) => form.test(`${code} ${line}`) || form.test(String(status)))?.[1];
  const said = { status, code, message: line, requestId: requestId ?? "" };
  return refusedRequest(what, said, cure, isLogin ? "credentials" : code);
}

/** A request and its resource, as messages name them. */
export function describedRequest(call: string, input: ValueMap): string {
  const names = ["RoleName", "OpenIDConnectProviderArn", "Url", "Bucket", "Key", "Id", "Resource"];
  const about = names.flatMap((name) => (typeof input[name] === "string" ? [input[name]] : []));
  return [nameOf(call), ...about].join(" ");
}
