// HTTP before moto 5.2, for what it does not do: tags of a bucket's creation, the expected owner of a bucket, CloudFront's
// If-Match, the whole configuration of a distribution, and who pays for requests of a bucket.
import { createServer, request as send } from "node:http";

/**
 * @import { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http"
 * @import { AddressInfo } from "node:net"
 * @typedef {{ status: number, headers: IncomingHttpHeaders, body: Buffer }} Answer
 * @typedef {{ method: string, path: string, headers: IncomingHttpHeaders, body: Buffer }} Asked
 */

/** The account of moto. */
const account = "123456789012";

export class MotoShim {
  /** How many requests there were. */
  requests = 0;
  /** Requests with such a body are refused: those of IAM and STS. @type {RegExp | undefined} */
  refused = undefined;
  #server;

  /** @param {Server} server @param {string} endpoint */
  constructor(server, endpoint) {
    this.#server = server;
    this.endpoint = endpoint;
  }

  /** @param {string} moto its endpoint. @returns {Promise<MotoShim>} */
  static async start(moto) {
    const server = createServer((incoming, outgoing) => {
      shim.requests += 1;
      answer(incoming, outgoing, moto, shim).catch((error) => outgoing.writeHead(502).end(String(error)));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
    const { port } = /** @type {AddressInfo} */ (server.address());
    const shim = new MotoShim(server, `http://127.0.0.1:${port}`);
    return shim;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** @param {IncomingMessage} incoming @param {ServerResponse} outgoing @param {string} moto @param {MotoShim} shim */
async function answer(incoming, outgoing, moto, shim) {
  const asked = await read(incoming);
  /** @type {Answer} */
  const { status, headers, body } =
    (shim.refused?.test(asked.body.toString("utf8")) ? notAuthorized : undefined) ??
    refusal(asked) ??
    (await unmatched(asked, moto)) ??
    (await payment(asked)) ??
    (await passed(asked, moto));
  const { "transfer-encoding": _, ...rest } = headers;
  const length = asked.method === "HEAD" ? {} : { "content-length": String(body.length) };
  outgoing.writeHead(status, { ...rest, ...length }).end(body);
}

/** @param {IncomingMessage} incoming @returns {Promise<Asked>} */
async function read(incoming) {
  const parts = [];
  for await (const part of incoming) parts.push(part);
  const { method = "GET", url = "/", headers } = incoming;
  return { method, path: url, headers, body: Buffer.concat(parts) };
}

/** What IAM and STS say to who may not do something. @type {Answer} */
const notAuthorized = {
  status: 403,
  headers: { "content-type": "text/xml" },
  body: Buffer.from(
    "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>not authorized</Message></Error><RequestId>shim</RequestId></ErrorResponse>",
  ),
};

/** @param {number} status @param {string} code @param {string} message @returns {Answer} */
function error(status, code, message) {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, headers: { "content-type": "application/xml" }, body: Buffer.from(text) };
}

/** @param {Asked} asked */
function refusal({ headers }) {
  const expected = headers["x-amz-expected-bucket-owner"];
  return expected === undefined || expected === account ? undefined : error(403, "AccessDenied", "Access Denied");
}

/** A change in CloudFront of something that is not in the state that the request expects. @param {Asked} asked @param {string} moto */
async function unmatched({ method, path, headers }, moto) {
  const thing = /^(\/2020-05-31\/(?:distribution|origin-access-control)\/\w+)(?:\/config)?$/.exec(path)?.[1];
  if (thing === undefined || !["PUT", "DELETE"].includes(method)) return undefined;
  const { "if-match": given, ...rest } = headers;
  const { "content-length": _, ...bare } = rest;
  const there = await forward({ method: "GET", path: thing, headers: bare, body: Buffer.alloc(0) }, moto);
  if (there.status !== 200 || given === there.headers["etag"]) return undefined;
  const [status, code] = given === undefined ? [400, "InvalidIfMatchVersion"] : [412, "PreconditionFailed"];
  const text = `<ErrorResponse xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>The If-Match version is missing or not valid.</Message></Error><RequestId>shim</RequestId></ErrorResponse>`;
  return { status, headers: { "content-type": "text/xml" }, body: Buffer.from(text) };
}

/** @param {Asked} asked @returns {Promise<Answer | undefined>} */
async function payment({ method, path }) {
  if (method !== "GET" || !/\?requestPayment/.test(path)) return undefined;
  const text = "<RequestPaymentConfiguration><Payer>BucketOwner</Payer></RequestPaymentConfiguration>";
  return { status: 200, headers: { "content-type": "application/xml" }, body: Buffer.from(text) };
}

/** The configurations of distributions as they were sent, by ID: moto forgets a part. @type {Map<string, string>} */
const configurations = new Map();
const configuration = /<DistributionConfig[\s>][\s\S]*<\/DistributionConfig>/;

/** @param {Asked} asked @param {Answer} made @returns {Answer} */
function withConfiguration({ method, path, body }, made) {
  const place = /^\/2020-05-31\/distribution(?:\/(\w+)(?:\/config)?)?(?:\?.*)?$/.exec(path);
  if (place === null || made.status >= 300) return made;
  const text = made.body.toString("utf8");
  const id = place[1] ?? /<Id>(\w+)<\/Id>/.exec(text)?.[1] ?? "";
  const sent = method === "GET" ? undefined : configuration.exec(body.toString("utf8"))?.[0];
  if (sent !== undefined) configurations.set(id, sent.replace(/^<DistributionConfig[^>]*>/, "<DistributionConfig>"));
  const whole = text
    .replace(configuration, (found) => configurations.get(id) ?? found)
    .replaceAll(/<Id>(\w+)<\/Id>(?=.*?<\/DistributionSummary>)/gs, (found, one) => `${found}${summaryOf(one)}`);
  const { "content-length": _, ...headers } = made.headers;
  return { ...made, headers, body: Buffer.from(whole) };
}

/** What a list says of a distribution. @param {string} id */
function summaryOf(id) {
  const known = configurations.get(id) ?? "";
  const names = ["Aliases", "Origins", "Comment", "Enabled"];
  return names.map((name) => new RegExp(`<${name}>.*?</${name}>`, "s").exec(known)?.[0] ?? "").join("");
}

/** @param {Asked} asked @param {string} moto */
async function passed(asked, moto) {
  const made = withConfiguration(asked, await forward(asked, moto));
  const tags = /<Tags>(.*)<\/Tags>/s.exec(asked.body.toString("utf8"))?.[1];
  const isCreation = asked.method === "PUT" && /^\/[a-z0-9.-]+\/?$/.test(asked.path) && tags !== undefined;
  if (!isCreation || made.status !== 200) return made;
  const body = Buffer.from(`<Tagging><TagSet>${tags}</TagSet></Tagging>`);
  const { "content-md5": _, "transfer-encoding": __, ...headers } = asked.headers;
  const path = `${asked.path.replace(/\/$/, "")}?tagging`;
  const tagged = await forward(
    { ...asked, path, body, headers: { ...headers, "content-length": String(body.length) } },
    moto,
  );
  return tagged.status < 300 ? made : tagged;
}

/** @param {Asked} asked @param {string} moto @returns {Promise<Answer>} */
function forward({ method, path, headers, body }, moto) {
  return new Promise((resolve, reject) => {
    const outgoing = send(`${moto}${path}`, { method, headers }, (incoming) => {
      read(incoming).then(
        (answered) => resolve({ status: incoming.statusCode ?? 500, headers: incoming.headers, body: answered.body }),
        reject,
      );
    });
    outgoing.on("error", reject).end(body);
  });
}
