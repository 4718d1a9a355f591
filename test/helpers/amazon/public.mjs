// What everyone can read, without credentials: objects of public buckets, and what distributions serve.

import { domainOf } from "./cloudfront-distributions.mjs";
import { own } from "./common.mjs";
import { allowed } from "./policy.mjs";

/**
 * @import { Bucket, Distribution, Value, World } from "./types.ts"
 * @typedef {{ status: number, text: string }} Answer
 */

/** @type {Answer} */
const forbidden = { status: 403, text: "<Error><Code>AccessDenied</Code></Error>" };

/** Reads a URL. @param {World} world @param {string} url @returns {Answer} */
export function publicRead({ state }, url) {
  const { hostname, pathname } = new URL(url);
  const key = pathname.slice(1);
  const bucket = /^([a-z0-9-]+)\.s3\./.exec(hostname)?.[1];
  if (bucket !== undefined) return objectOf(own(state.buckets, bucket), bucket, key, isAnyone, {});
  const entry = Object.entries(state.distributions).find(
    ([id, { config }]) => domainOf(id) === hostname || (config.Aliases?.Items ?? []).includes(hostname),
  );
  if (entry === undefined) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: "ENOTFOUND" });
  return served(state, entry, key);
}

/** @param {World["state"]} state @param {[string, Distribution]} entry @param {string} key @returns {Answer} */
function served({ account, partition, buckets, originAccessControls }, [id, { config }], key) {
  const { Enabled, DefaultCacheBehavior: behavior, Origins } = config;
  if (!Enabled) return forbidden;
  const origin = (Origins.Items ?? []).find((/** @type {Value} */ one) => one.Id === behavior.TargetOriginId);
  const control = own(originAccessControls, origin?.OriginAccessControlId ?? "");
  const name = /^([a-z0-9-]+)\.s3\./.exec(origin?.DomainName ?? "")?.[1] ?? "";
  const isSigned = control?.config.SigningBehavior === "always";
  const source = { "aws:SourceArn": `arn:${partition}:cloudfront::${account}:distribution/${id}` };
  const isReader = isSigned ? isCloudFront : isAnyone;
  return objectOf(own(buckets, name), name, `${origin?.OriginPath ?? ""}${key}`, isReader, isSigned ? source : {});
}

/** @param {Value} principal */
const isAnyone = (principal) => principal === "*" || principal?.AWS === "*";
/** @param {Value} principal */
const isCloudFront = (principal) => isAnyone(principal) || principal?.Service === "cloudfront.amazonaws.com";

/**
 * @param {Bucket | undefined} bucket @param {string} name @param {string} key
 * @param {(principal: Value) => boolean} isReader @param {Record<string, string>} keys the condition keys of the request.
 * @returns {Answer}
 */
function objectOf(bucket, name, key, isReader, keys) {
  if (bucket === undefined) return { status: 404, text: "<Error><Code>NoSuchBucket</Code></Error>" };
  const policy = JSON.parse(bucket.policy ?? '{"Statement":[]}');
  const Statement = [policy.Statement].flat().filter(({ Principal }) => isReader(Principal));
  const need = { action: "s3:GetObject", resource: `arn:aws:s3:::${name}/${key}` };
  const isRestricted = keys["aws:SourceArn"] === undefined && bucket.publicAccessBlock?.RestrictPublicBuckets === true;
  if (isRestricted || bucket.payer === "Requester" || !allowed({ Statement }, need, keys)) return forbidden;
  const stored = own(bucket.objects, key);
  if (stored === undefined || stored.encryption !== undefined) return forbidden;
  const isPacked = stored.headers["ContentEncoding"] !== undefined;
  return isPacked ? { status: 200, text: "\u001f\ufffd" } : { status: 200, text: stored.body };
}
