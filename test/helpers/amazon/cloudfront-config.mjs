// The configuration of a distribution: its fields, CloudFront's defaults and CloudFront's checks.
import { own } from "./common.mjs";
import { AwsError } from "./errors.mjs";
import { isMapping } from "./parameters.mjs";

/** @import { State, Value } from "./types.ts" */

const names = "{Quantity!:int, Items:[]}";
const methods = "{Quantity!:int, Items!:[], CachedMethods:{Quantity!:int, Items!:[]}}";
const signers = "{Enabled!:bool, Quantity!:int, Items:[]}";

const behavior = `
  TargetOriginId!, TrustedSigners:${signers}, TrustedKeyGroups:${signers}, ViewerProtocolPolicy!,
  AllowedMethods:${methods}, SmoothStreaming:bool, Compress:bool,
  LambdaFunctionAssociations:{Quantity!:int, Items:[{LambdaFunctionARN!, EventType!, IncludeBody:bool}]},
  FunctionAssociations:{Quantity!:int, Items:[{FunctionARN!, EventType!}]},
  FieldLevelEncryptionId, RealtimeLogConfigArn, CachePolicyId, OriginRequestPolicyId, ResponseHeadersPolicyId,
  GrpcConfig:{Enabled!:bool},
  ForwardedValues:{
    QueryString!:bool, Cookies!:{Forward!, WhitelistedNames:${names}}, Headers:${names}, QueryStringCacheKeys:${names}
  },
  MinTTL:int, DefaultTTL:int, MaxTTL:int`;

const origin = `
  Id!, DomainName!, OriginPath, CustomHeaders:{Quantity!:int, Items:[{HeaderName!, HeaderValue!}]},
  S3OriginConfig:{OriginAccessIdentity!, OriginReadTimeout:int},
  CustomOriginConfig:{
    HTTPPort!:int, HTTPSPort!:int, OriginProtocolPolicy!, OriginSslProtocols:{Quantity!:int, Items!:[]},
    OriginReadTimeout:int, OriginKeepaliveTimeout:int
  },
  ConnectionAttempts:int, ConnectionTimeout:int, OriginShield:{Enabled!:bool, OriginShieldRegion>1},
  OriginAccessControlId`;

/** What may be in it, as parameters.mjs reads it. */
export const distributionConfig = `
  CallerReference!, Aliases:${names}, DefaultRootObject, Origins!:{Quantity!:int, Items!>1:[{${origin}}]},
  OriginGroups:{Quantity!:int, Items:[{
    Id!, FailoverCriteria!:{StatusCodes!:{Quantity!:int, Items!>1:[int]}},
    Members!:{Quantity!:int, Items!>2:[{OriginId!}]}, SelectionCriteria
  }]},
  DefaultCacheBehavior!:{${behavior}}, CacheBehaviors:{Quantity!:int, Items:[{PathPattern!, ${behavior}}]},
  CustomErrorResponses:{Quantity!:int, Items:[{ErrorCode!:int, ResponsePagePath, ResponseCode, ErrorCachingMinTTL:int}]},
  Comment!, Logging:{Enabled:bool, IncludeCookies:bool, Bucket, Prefix}, PriceClass, Enabled!:bool,
  ViewerCertificate:{
    CloudFrontDefaultCertificate:bool, IAMCertificateId, ACMCertificateArn, SSLSupportMethod, MinimumProtocolVersion,
    Certificate, CertificateSource
  },
  Restrictions:{GeoRestriction!:{RestrictionType!, Quantity!:int, Items:[]}}, WebACLId, HttpVersion, IsIPV6Enabled:bool,
  ContinuousDeploymentPolicyId, Staging:bool`;

const none = { Quantity: 0 };

const ofOrigin = {
  Id: "",
  DomainName: "",
  OriginPath: "",
  CustomHeaders: none,
  ConnectionAttempts: 3,
  ConnectionTimeout: 10,
  OriginShield: { Enabled: false },
  OriginAccessControlId: "",
};

const ofBehavior = {
  TargetOriginId: "",
  TrustedSigners: { Enabled: false, Quantity: 0 },
  TrustedKeyGroups: { Enabled: false, Quantity: 0 },
  ViewerProtocolPolicy: "",
  AllowedMethods: { Quantity: 2, Items: ["HEAD", "GET"], CachedMethods: { Quantity: 2, Items: ["HEAD", "GET"] } },
  SmoothStreaming: false,
  Compress: false,
  LambdaFunctionAssociations: none,
  FunctionAssociations: none,
  FieldLevelEncryptionId: "",
  GrpcConfig: { Enabled: false },
};

const ofConfig = {
  CallerReference: "",
  Aliases: none,
  DefaultRootObject: "",
  Origins: none,
  OriginGroups: none,
  DefaultCacheBehavior: ofBehavior,
  CacheBehaviors: none,
  CustomErrorResponses: none,
  Comment: "",
  Logging: { Enabled: false, IncludeCookies: false, Bucket: "", Prefix: "" },
  PriceClass: "PriceClass_All",
  Enabled: false,
  ViewerCertificate: {
    CloudFrontDefaultCertificate: true,
    SSLSupportMethod: "vip",
    MinimumProtocolVersion: "TLSv1",
    CertificateSource: "cloudfront",
  },
  Restrictions: { GeoRestriction: { RestrictionType: "none", Quantity: 0 } },
  WebACLId: "",
  HttpVersion: "http2",
  IsIPV6Enabled: true,
  ContinuousDeploymentPolicyId: "",
  Staging: false,
};

/** A configuration with what CloudFront adds to it. @param {Value} config @returns {Value} */
export function completed(config) {
  const whole = over(ofConfig, config);
  whole.Origins.Items = whole.Origins.Items.map((/** @type {Value} */ item) => over(ofOrigin, item));
  if (whole.CacheBehaviors.Quantity > 0) {
    const items = whole.CacheBehaviors.Items;
    whole.CacheBehaviors.Items = items.map((/** @type {Value} */ item) => over(ofBehavior, item));
  }
  for (const behavior of [whole.DefaultCacheBehavior, ...(whole.CacheBehaviors.Items ?? [])]) omitEmpty(behavior);
  whole.ViewerCertificate = certificateOf(config.ViewerCertificate);
  return whole;
}

/** CloudFront does not say which policy a behavior does not have. @param {Value} behavior */
function omitEmpty(behavior) {
  for (const field of ["OriginRequestPolicyId", "ResponseHeadersPolicyId", "RealtimeLogConfigArn", "CachePolicyId"])
    if (behavior[field] === "") delete behavior[field];
}

/** CloudFront's default certificate is not merged with a given one. @param {Value} given */
function certificateOf(given = {}) {
  const { ACMCertificateArn, IAMCertificateId } = given;
  const Certificate = ACMCertificateArn ?? IAMCertificateId;
  if (Certificate === undefined) return structuredClone(ofConfig.ViewerCertificate);
  const CertificateSource = ACMCertificateArn === undefined ? "iam" : "acm";
  return { ...given, CloudFrontDefaultCertificate: false, Certificate, CertificateSource };
}

/** @param {Value} defaults @param {Value} given @returns {Value} */
function over(defaults, given) {
  if (!isMapping(defaults) || !isMapping(given) || "Quantity" in given) return structuredClone(given);
  const all = [...new Set([...Object.keys(defaults), ...Object.keys(given)])];
  return Object.fromEntries(
    all.map((name) => [name, name in given ? over(defaults[name], given[name]) : structuredClone(defaults[name])]),
  );
}

/** CloudFront requires a complete configuration in every update. */
const wanted = Object.keys(ofConfig).slice(0, Object.keys(ofConfig).indexOf("WebACLId") + 1);

/** @param {Value} config */
export function checkWhole(config) {
  for (const name of wanted.filter((text) => text !== "OriginGroups" && !(text in config))) {
    throw new AwsError("InvalidArgument", `The parameter ${name} is required.`);
  }
}

/** @param {Value} config @param {string} id @param {State} state */
export function checkConfig(config, id, state) {
  checkQuantities(config);
  const origins = config.Origins.Items;
  const behaviors = [config.DefaultCacheBehavior, ...(config.CacheBehaviors?.Items ?? [])];
  const ids = [...origins, ...(config.OriginGroups?.Items ?? [])].map(({ Id }) => Id);
  if (behaviors.some(({ TargetOriginId }) => !ids.includes(TargetOriginId))) {
    throw new AwsError("NoSuchOrigin", "One or more of your origins or origin groups do not exist.");
  }
  for (const origin of origins) checkOrigin(origin, state);
  for (const behavior of behaviors) checkCaching(behavior);
  checkCertificate(config.ViewerCertificate ?? {});
  checkAliases(config, id, state);
}

/** Caching is configured with a policy, or with the legacy settings. @param {Value} behavior */
function checkCaching({ CachePolicyId = "", ...rest }) {
  if (CachePolicyId === "" && rest.ForwardedValues === undefined) {
    throw new AwsError("InvalidArgument", "The parameter ForwardedValues is required.");
  }
  const old = ["ForwardedValues", "MinTTL", "DefaultTTL", "MaxTTL"].find((name) => name in rest);
  if (CachePolicyId === "" || old === undefined) return;
  const message = `The parameter ${old} cannot be used when a cache policy is associated to the cache behavior.`;
  throw new AwsError("InvalidArgument", message);
}

/** @param {Value} certificate */
function checkCertificate({ CloudFrontDefaultCertificate, ACMCertificateArn, IAMCertificateId }) {
  const given = [
    CloudFrontDefaultCertificate === true,
    ACMCertificateArn !== undefined,
    IAMCertificateId !== undefined,
  ];
  if (given.filter(Boolean).length < 2) return;
  throw new AwsError("InvalidViewerCertificate", "The specified viewer certificate is not valid.");
}

/** @param {Value} value @param {State} state */
function checkOrigin(value, state) {
  const control = value.OriginAccessControlId ?? "";
  if (control !== "" && own(state.originAccessControls, control) === undefined) {
    throw new AwsError("InvalidOriginAccessControl", "The origin access control is not valid.");
  }
  if ((value.S3OriginConfig === undefined) === (value.CustomOriginConfig === undefined)) {
    throw new AwsError(
      "InvalidArgument",
      "Exactly one of CustomOriginConfig, VpcOriginConfig and S3OriginConfig must be specified",
    );
  }
  if (!/^[a-z0-9.-]+\.[a-z0-9-]+$/i.test(value.DomainName)) {
    throw new AwsError("InvalidArgument", "The parameter origin name is not valid.");
  }
  if (value.S3OriginConfig !== undefined && !/\.s3[.-]/.test(value.DomainName)) {
    const message = "The parameter Origin DomainName does not refer to a valid S3 bucket.";
    throw new AwsError("InvalidArgument", message);
  }
}

/** @param {Value} config @param {string} id @param {State} state */
function checkAliases(config, id, state) {
  const aliases = config.Aliases?.Items ?? [];
  if (aliases.length === 0) return;
  if (
    config.ViewerCertificate?.ACMCertificateArn === undefined &&
    config.ViewerCertificate?.IAMCertificateId === undefined
  ) {
    const message =
      "To add an alternate domain name (CNAME) to a CloudFront distribution, you must attach a trusted certificate that validates your authorization to use the domain name.";
    throw new AwsError("InvalidViewerCertificate", message);
  }
  const others = Object.entries(state.distributions).filter(([other]) => other !== id);
  const taken = others.flatMap(([, other]) => other.config.Aliases?.Items ?? []);
  if (aliases.some((/** @type {string} */ alias) => taken.includes(alias))) {
    const message = "One or more of the CNAMEs you provided are already associated with a different resource.";
    throw new AwsError("CNAMEAlreadyExists", message);
  }
}

/** @param {Value} value */
function checkQuantities(value) {
  if (Array.isArray(value)) for (const one of value) checkQuantities(one);
  if (!isMapping(value)) return;
  if ("Quantity" in value && value.Quantity !== (value.Items ?? []).length) {
    throw new AwsError("InconsistentQuantities", "The value of Quantity and the size of Items don't match.");
  }
  for (const one of Object.values(value)) checkQuantities(one);
}
