// One call, from its arguments to its result.
import { search } from "jmespath";
import { own } from "../amazon/common.mjs";
import { AwsError, NotCovered } from "../amazon/errors.mjs";
import { optionOf, shapeOf, wrongParameters } from "../amazon/parameters.mjs";
import { services as all, allowedBy, carryOut } from "../amazon/services.mjs";
import { parametersOf, splitOptions } from "./cli.mjs";
import { ClientError, told } from "./errors.mjs";
import { asJson, asText } from "./output.mjs";

/**
 * @import { Operation, Situation, State, Value } from "../amazon/types.ts"
 * @import { Call, How, Settings } from "./types.ts"
 * @import { Options } from "./cli.mjs"
 * @typedef {{ state: State, settings: Settings, policy: Value }} World
 * @typedef {{
 *   args: string[], environment: Record<string, string>, read: (name: string) => Buffer,
 *   write: (name: string, bytes: Buffer) => void, how: () => How | undefined,
 * }} Request
 * @typedef {{ status: number, stdout: string, stderr: string, kill: boolean }} Answer
 * @typedef {{ service: string, name: string, operation: Operation, parameters: Value, situation: Situation,
 *   streams: { input: (name: string) => Buffer, output: (bytes: Buffer) => void }, options: Options,
 * }} Read
 */

/** By the name of the service in the CLI. @type {Record<string, Record<string, Operation>>} */
export const services = { sts: all.sts, s3api: all.s3, iam: all.iam, cloudfront: all.cloudfront };

/** @param {Request} request @param {World} world @param {Call} call that is filled in. @returns {Answer} */
export function execute(request, world, call) {
  const { cli } = world.settings;
  /** @type {How | undefined} */
  let how;
  try {
    if (request.args[0] === "--version") return said(`aws-cli/${cli}.0.0 stand-in\n`);
    const read = readCall(request, world, call);
    how = request.how();
    if (how === "killed-before") return { ...said(""), kill: true };
    if (how === "refused") throw new AwsError("AccessDenied", "Access Denied");
    if (how === "unavailable") throw new AwsError("ServiceUnavailable", "Service Unavailable");
    if (how === "lost") throw lost(read, world, call);
    let answer = carriedOut(read, world, call);
    if (how === "lost-and-retried") answer = carriedOut(read, world, call);
    return { ...said(printed(answer, read, world.settings)), kill: how === "killed-after" };
  } catch (error) {
    call.error = error instanceof AwsError ? error.code : error instanceof NotCovered ? "not-covered" : "client";
    return { ...told(error, call.operation, cli), stdout: "", kill: how === "killed-before" || how === "killed-after" };
  }
}

/** @param {string} stdout @returns {Answer} */
const said = (stdout) => ({ status: 0, stdout, stderr: "", kill: false });

/** The call was carried out or refused, but the caller gets no response. @param {Read} read @param {World} world @param {Call} call */
function lost(read, world, call) {
  try {
    carriedOut(read, world, call);
  } catch (error) {
    if (!(error instanceof AwsError)) return error;
  }
  return connectionError(read.service);
}

/** @param {string} service */
function connectionError(service) {
  const host = service === "s3api" ? "s3" : service;
  const url = `"https://${host}.amazonaws.com/"`;
  const message = `Connection was closed before we received a valid response from endpoint URL: ${url}.`;
  return new ClientError("connection", message);
}

/** @param {Request} request @param {World} world @param {Call} call @returns {Read} */
function readCall({ args, environment, read, write }, { state, settings, policy }, call) {
  const { options, rest } = splitOptions(args, settings.cli);
  const [service = "", word = "", ...others] = rest;
  Object.assign(call, { service, operation: word });
  const operations = own(services, service) ?? {};
  const found = Object.entries(operations).find(([name]) => optionOf(name) === word);
  if (found === undefined) throw new NotCovered(`no operation "${service} ${word}"`);
  const [name, operation] = found;
  Object.assign(call, { operation: name, changes: operation.changes === true });

  const { parameters, file = "" } = parametersOf(others, operation, name, { read, cli: settings.cli });
  const region = regionOf(options, environment, settings.cli);
  const { olderParameters = operation.parameters } = operation;
  const wrong = wrongParameters(parameters, shapeOf(settings.bucketTags ? operation.parameters : olderParameters));
  if (wrong.length > 0) throw new ClientError("parameters", `Parameter validation failed:\n${wrong.join("\n")}`);
  call.parameters = parameters;
  const bucket = own(state.buckets, parameters["Bucket"]);
  call.foreign = bucket !== undefined && bucket.owner !== state.account;
  const allows = allowedBy(policy, state, service === "s3api" ? (region ?? "us-east-1") : "us-east-1");
  const output = options.output || environment["AWS_DEFAULT_OUTPUT"]?.slice(1) || "json";
  const situation = { state, region, allows, settings };
  const streams = { input: read, output: (/** @type {Buffer} */ bytes) => write(file, bytes) };
  return { service, name, operation, parameters, situation, streams, options: { ...options, output } };
}

/** @param {Options} options @param {Record<string, string>} environment @param {1 | 2} cli */
function regionOf({ region }, environment, cli) {
  // Version 1 does not look at AWS_REGION.
  const variables = cli === 1 ? ["AWS_DEFAULT_REGION"] : ["AWS_REGION", "AWS_DEFAULT_REGION"];
  const given =
    region ??
    variables
      .map((name) => environment[name])
      .find((value) => value)
      ?.slice(1);
  if (given !== undefined && !/^[a-z0-9][a-z0-9-]*$/.test(given)) {
    throw new ClientError("parameters", "Invalid region: region was not a valid DNS name.");
  }
  return given;
}

/** @param {Read} read @param {World} world @param {Call} call @returns {Value} */
function carriedOut({ service, operation, parameters, situation, streams }, { state }, call) {
  // CloudFront is where the partition aws is, for the US government too.
  const asked = partitionOf(situation.region);
  const there = service === "cloudfront" && asked !== "aws-cn" ? "aws" : asked;
  if (there !== state.partition) throw strange(service);
  const { Body, ...rest } = parameters;
  const given = Body === undefined ? rest : { ...rest, Body: streams.input(Body) };
  call.actions = [];
  const answer = carryOut(operation, given, situation, (action) => call.actions.push(action));
  if (!(answer?.Body instanceof Buffer)) return answer;
  const { Body: content, ...head } = answer;
  streams.output(content);
  return head;
}

/** @param {string | undefined} region */
function partitionOf(region = "us-east-1") {
  if (region.startsWith("cn-")) return "aws-cn";
  return region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
}

/** What a partition says to the credentials of another. @param {string} service */
function strange(service) {
  return service === "s3api"
    ? new AwsError("InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.")
    : new AwsError("InvalidClientTokenId", "The security token included in the request is invalid.");
}

/** @param {Value} answer @param {Read} read @param {Settings} settings */
function printed(answer, { operation, options }, { page }) {
  const { query, output } = options;
  const asked = (/** @type {Value} */ value) => (query === undefined ? value : searched(value, query));
  if (output === "json") return asJson(asked(answer ?? {}));
  if (output !== "text") throw new NotCovered(`output ${output}`);
  const pages = operation.pages === undefined ? [answer ?? {}] : pagesOf(answer, operation.pages, page);
  return pages.map((page) => asText(asked(page))).join("");
}

/** @param {Value} value @param {string} query */
function searched(value, query) {
  try {
    return search(value, query);
  } catch (error) {
    throw new ClientError("connection", error instanceof Error ? error.message : String(error));
  }
}

/** The pages in which a list comes. @param {Value} answer @param {string[]} path @param {number} size @returns {Value[]} */
function pagesOf(answer, path, size) {
  /** @type {Value[]} */
  const items = path.reduce((value, name) => value?.[name], answer) ?? [];
  if (items.length === 0) return [over(answer, path, path.length > 1 ? null : items)];
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => {
    const some = items.slice(index * size, (index + 1) * size);
    return over(index === 0 ? answer : {}, path, some);
  });
}

/** @param {Value} value @param {string[]} path @param {Value} list @returns {Value} */
function over(value, [first = "", ...rest], list) {
  return { ...value, [first]: rest.length === 0 ? list : over(value?.[first], rest, list) };
}
