// AWS as the client libraries of the AWS SDK for JavaScript (version 3) show it: their inputs, answers, and errors.
import { own } from "./common.mjs";
import { AwsError, NotCovered } from "./errors.mjs";
import { pageAsked, pageOf } from "./pages.mjs";
import { shapeOf, wrongParameters } from "./parameters.mjs";
import { allowedBy, carryOut, services } from "./services.mjs";

/** @import { Value, World } from "./types.ts" */

/** Whether the operation changes something. @param {string} call `iam:GetRole`. */
export function changes(call) {
  return operationOf(call).operation.changes === true;
}

/** @param {string} call */
function operationOf(call) {
  const [service = "", name = ""] = call.split(":");
  const operation = own(own(services, service) ?? {}, name);
  if (operation === undefined) throw new NotCovered(`the stand-in for AWS has no ${call}`);
  return { service, name, operation };
}

/**
 * Carries a request out.
 *
 * @param {World} world @param {string} call `iam:GetRole`. @param {Record<string, Value>} input @returns {Value}
 * @throws what the SDK throws.
 */
export function send(world, call, input) {
  const { service, name, operation } = operationOf(call);
  const { state, settings, policy } = world;
  const region = world.region;
  // The SDK omits what is undefined.
  const given = JSON.parse(JSON.stringify(input));
  const page = pageAsked(service, name, given);
  const wrong = wrongParameters(page.rest, shapeOf(operation.parameters));
  if (wrong.length > 0) throw new NotCovered(`${call}: ${wrong.join("; ")}`);
  const situation = { state, region, allows: allowedBy(policy, state, regionOf(service, region)), settings };
  try {
    const answer = carryOut(operation, page.rest, situation, (action) => world.used.add(action)) ?? {};
    return structuredClone(
      shown(service, name, answer, operation.pages, page.marker, Math.min(page.size, settings.page)),
    );
  } catch (error) {
    throw error instanceof AwsError ? asServiceException(error, service, name) : error;
  }
}

/** @param {string} service @param {string} region */
const regionOf = (service, region) => (service === "s3" ? region : "us-east-1");

/** @param {string} service @param {string} name @param {Value} answer @param {string[] | undefined} path @param {string | undefined} marker @param {number} size */
function shown(service, name, answer, path, marker, size) {
  const page = path === undefined ? answer : pageOf(service, name, answer, path, marker, size);
  if (service === "iam") return encoded(page);
  if (page.Body instanceof Buffer) return { ...page, Body: page.Body.toString("utf8") };
  return page;
}

const documents = ["AssumeRolePolicyDocument", "PolicyDocument"];

/** IAM encodes policy documents as in URLs (RFC 3986). @param {Value} value @returns {Value} */
function encoded(value) {
  if (Array.isArray(value)) return value.map(encoded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      documents.includes(name) && typeof one === "object" ? encodeURIComponent(JSON.stringify(one)) : encoded(one),
    ]),
  );
}

/** The errors of IAM that its model names end in "Exception". Others have the code as their name. */
const modeled =
  /^(NoSuchEntity|EntityAlreadyExists|DeleteConflict|LimitExceeded|MalformedPolicyDocument|InvalidInput|UnmodifiableEntity|ConcurrentModification|PolicyNotAttachable|ServiceFailure)$/;

/** @type {[RegExp, number][]} */
const statuses = [
  [/^(NoSuch\w*|NotFound|ObjectLockConfigurationNotFoundError)$/, 404],
  [/^(PreconditionFailed)$/, 412],
  [
    /AlreadyExists|AlreadyOwnedByYou|^(DeleteConflict|LimitExceeded|BucketNotEmpty|\w*InUse|DistributionNotDisabled)$/,
    409,
  ],
  [/^(AccessDenied|InvalidClientTokenId|InvalidAccessKeyId|InvalidObjectState)$/, 403],
];

let requests = 0;

/** @param {AwsError} error @param {string} service @param {string} operation @returns {Error} */
function asServiceException({ code, message }, service, operation) {
  const status = statuses.find(([form]) => form.test(code))?.[1] ?? 400;
  // HEAD has no body, so the library knows only the status.
  if (operation.startsWith("Head"))
    return serviceException(status === 404 ? "NotFound" : "Unknown", "UnknownError", status);
  return serviceException(service === "iam" && modeled.test(code) ? `${code}Exception` : code, message, status);
}

/** An error as the SDK throws it. @param {string} name @param {string} message @param {number} status @returns {Error} */
export function serviceException(name, message, status) {
  requests += 1;
  const $metadata = { httpStatusCode: status, requestId: `request-${requests}`, attempts: 1, totalRetryDelay: 0 };
  return Object.assign(new Error(message), { name, $fault: status < 500 ? "client" : "server", $metadata });
}
