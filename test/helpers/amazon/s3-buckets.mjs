// The stand-in's buckets of Amazon S3, and their settings.
import { arn, date, own, policyDocument, requestTags } from "./common.mjs";
import { AwsError } from "./errors.mjs";
import { publicAccessBlock } from "./state.mjs";

/** @import { Bucket, Need, Operation, Situation, Tag, Value } from "./types.ts" */

/** S3 returns all settings of a public access block. */
const openToAll = {
  ...{ BlockPublicAcls: false, IgnorePublicAcls: false, BlockPublicPolicy: false, RestrictPublicBuckets: false },
};

/** The parameters of nearly every call. */
const which = "Bucket!, ExpectedBucketOwner";

/** The bucket of a call, when it may be seen. @param {Value} parameters @param {Situation} situation @returns {Bucket} */
export function found({ Bucket, ExpectedBucketOwner }, { state }) {
  if (ExpectedBucketOwner !== undefined && !/^\d{12}$/.test(ExpectedBucketOwner)) {
    const message = "The value of the expected bucket owner parameter must be an AWS account ID";
    throw new AwsError("InvalidBucketOwnerAWSAccountID", message);
  }
  const bucket = own(state.buckets, Bucket);
  if (bucket === undefined) throw new AwsError("NoSuchBucket", "The specified bucket does not exist");
  const expected = ExpectedBucketOwner === undefined || ExpectedBucketOwner === bucket.owner;
  if (!expected || (bucket.owner !== state.account && bucket.open !== true)) {
    throw new AwsError("AccessDenied", "Access Denied");
  }
  return bucket;
}

/** Condition keys of a bucket. @param {Value} parameters @param {Situation} situation @returns {NonNullable<Need["keys"]>} */
export function keysOf({ Bucket }, { state }) {
  const owner = own(state.buckets, Bucket)?.owner;
  return owner === undefined ? {} : { "s3:ResourceAccount": owner, "aws:ResourceAccount": owner };
}

/** @param {string} action @returns {Operation["needs"]} */
export function needs(action) {
  return (parameters, situation) => {
    const resource = arn(situation, "s3", parameters.Bucket, true);
    return [{ action: `s3:${action}`, resource, keys: keysOf(parameters, situation) }];
  };
}

/** @param {string} name */
function checkName(name) {
  const valid = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !/\.\.|^(\d+\.){3}\d+$|^xn--|-s3alias$/.test(name);
  if (!valid) throw new AwsError("InvalidBucketName", "The specified bucket is not valid.");
}

/** The region of a new bucket. @param {string | undefined} location @param {string} endpoint the region that is asked. */
function regionOf(location, endpoint) {
  if (endpoint === "us-east-1") {
    if (location === "us-east-1") {
      throw new AwsError("InvalidLocationConstraint", "The specified location-constraint is not valid");
    }
    return location ?? endpoint;
  }
  if (location === endpoint) return endpoint;
  const message = `The ${location ?? "unspecified"} location constraint is incompatible for the region specific endpoint this request was sent to.`;
  throw new AwsError("IllegalLocationConstraintException", message);
}

/** @param {Value} document */
function isPublic(document) {
  return [document.Statement].flat().some(({ Effect, Principal, Condition = {} }) => {
    const everyone = Principal === "*" || [Principal?.AWS].flat().includes("*");
    const limits = /^aws:(SourceArn|SourceAccount|SourceVpc|SourceVpce|PrincipalOrgID|PrincipalArn|PrincipalAccount)$/i;
    const limited = Object.values(Condition).some((tests) => Object.keys(tests).some((key) => limits.test(key)));
    return Effect === "Allow" && everyone && !limited;
  });
}

/** S3 returns a policy in its own form: without white space, and with a single value instead of a list of one. @param {Value} document */
function inItsForm(document) {
  const one = (/** @type {string} */ name, /** @type {Value} */ value) =>
    Array.isArray(value) && value.length === 1 && name !== "Statement" ? value[0] : value;
  return JSON.stringify(document, one);
}

/** @param {Value} configuration */
function tagsOf({ Tags } = {}) {
  return Tags === undefined ? {} : { tags: Tags };
}

/** @type {Record<string, Operation>} */
const itself = {
  HeadBucket: {
    parameters: which,
    needs: needs("ListBucket"),
    run: (parameters, situation) => ({
      BucketArn: arn(situation, "s3", parameters.Bucket, true),
      BucketRegion: found(parameters, situation).region,
      AccessPointAlias: false,
    }),
  },
  CreateBucket: {
    parameters: "Bucket!, CreateBucketConfiguration:{LocationConstraint, Tags:[{Key!>1, Value!}]}, ObjectOwnership",
    olderParameters: "Bucket!, CreateBucketConfiguration:{LocationConstraint}, ObjectOwnership",
    changes: true,
    needs: (parameters, situation) => {
      const { LocationConstraint: location, Tags = [] } = parameters.CreateBucketConfiguration ?? {};
      const ofTags = requestTags(Tags);
      const keys = { ...(location === undefined ? {} : { "s3:locationconstraint": location }), ...ofTags };
      const resource = arn(situation, "s3", parameters.Bucket, true);
      const create = { action: "s3:CreateBucket", resource, keys };
      return Tags.length === 0 ? [create] : [create, { action: "s3:TagResource", resource, keys: ofTags }];
    },
    run: (parameters, situation) => {
      const { state, region: endpoint = "us-east-1" } = situation;
      const { Bucket } = parameters;
      checkName(Bucket);
      const region = regionOf(parameters.CreateBucketConfiguration?.LocationConstraint, endpoint);
      const there = own(state.buckets, Bucket);
      if (there !== undefined && there.owner !== state.account) {
        const message =
          "The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again.";
        throw new AwsError("BucketAlreadyExists", message);
      }
      if (there !== undefined && !(there.region === "us-east-1" && region === "us-east-1")) {
        const message = "Your previous request to create the named bucket succeeded and you already own it.";
        throw new AwsError("BucketAlreadyOwnedByYou", message);
      }
      // New buckets block public access.
      state.buckets[Bucket] = there ?? {
        owner: state.account,
        region,
        publicAccessBlock: publicAccessBlock(true),
        ...tagsOf(parameters.CreateBucketConfiguration),
        objects: {},
      };
      const Location = endpoint === "us-east-1" ? `/${Bucket}` : `http://${Bucket}.s3.amazonaws.com/`;
      return { Location, BucketArn: arn(situation, "s3", Bucket, true) };
    },
  },
  GetBucketLocation: {
    parameters: which,
    needs: needs("GetBucketLocation"),
    run: (parameters, situation) => {
      const { region } = found(parameters, situation);
      return { LocationConstraint: region === "us-east-1" ? null : region };
    },
  },
  DeleteBucket: {
    parameters: which,
    changes: true,
    needs: needs("DeleteBucket"),
    run: (parameters, situation) => {
      const { objects, versions = [] } = found(parameters, situation);
      if (Object.keys(objects).length + versions.length > 0)
        throw new AwsError("BucketNotEmpty", "The bucket you tried to delete is not empty");
      delete situation.state.buckets[parameters.Bucket];
    },
  },
  ListBuckets: {
    parameters: "",
    pages: ["Buckets"],
    needs: () => [{ action: "s3:ListAllMyBuckets", resource: "*" }],
    run: (_, { state }) => {
      const mine = Object.entries(state.buckets).filter(([, { owner }]) => owner === state.account);
      const Buckets = mine.map(([Name]) => ({ Name, CreationDate: date })).sort((a, b) => (a.Name < b.Name ? -1 : 1));
      return { Buckets, Owner: { ID: "0".repeat(64) }, Prefix: null };
    },
  },
};

/** @type {Record<string, Operation>} */
const itsAccess = {
  GetBucketLifecycleConfiguration: {
    parameters: which,
    needs: needs("GetLifecycleConfiguration"),
    run: (parameters, situation) => {
      const { lifecycle } = found(parameters, situation);
      if (lifecycle !== undefined) return { Rules: lifecycle };
      throw new AwsError("NoSuchLifecycleConfiguration", "The lifecycle configuration does not exist");
    },
  },
  GetPublicAccessBlock: {
    parameters: which,
    needs: needs("GetBucketPublicAccessBlock"),
    run: (parameters, situation) => {
      const { publicAccessBlock } = found(parameters, situation);
      if (publicAccessBlock !== undefined)
        return { PublicAccessBlockConfiguration: { ...openToAll, ...publicAccessBlock } };
      const message = "The public access block configuration was not found";
      throw new AwsError("NoSuchPublicAccessBlockConfiguration", message);
    },
  },
  PutPublicAccessBlock: {
    parameters: `${which}, PublicAccessBlockConfiguration!:{BlockPublicAcls:bool, IgnorePublicAcls:bool, BlockPublicPolicy:bool, RestrictPublicBuckets:bool}`,
    changes: true,
    needs: needs("PutBucketPublicAccessBlock"),
    run: (parameters, situation) => {
      // Settings that are not named are off.
      const given = { ...publicAccessBlock(), ...parameters.PublicAccessBlockConfiguration };
      found(parameters, situation).publicAccessBlock = given;
    },
  },
  DeletePublicAccessBlock: {
    parameters: which,
    changes: true,
    needs: needs("PutBucketPublicAccessBlock"),
    run: (parameters, situation) => {
      delete found(parameters, situation).publicAccessBlock;
    },
  },
  GetBucketPolicy: {
    parameters: which,
    needs: needs("GetBucketPolicy"),
    run: (parameters, situation) => {
      const { policy } = found(parameters, situation);
      if (policy === undefined) throw new AwsError("NoSuchBucketPolicy", "The bucket policy does not exist");
      return { Policy: policy };
    },
  },
  PutBucketPolicy: {
    parameters: `${which}, Policy!`,
    changes: true,
    needs: needs("PutBucketPolicy"),
    run: (parameters, situation) => {
      const bucket = found(parameters, situation);
      const document = policyDocument(parameters.Policy, "MalformedPolicy");
      const own = arn(situation, "s3", parameters.Bucket, true);
      for (const { Principal, Resource } of [document.Statement].flat()) {
        if (Principal === undefined) throw new AwsError("MalformedPolicy", "Missing required field Principal");
        const right = [Resource].flat().every((value) => value === own || value?.startsWith(`${own}/`));
        if (!right) throw new AwsError("MalformedPolicy", "Policy has invalid resource");
      }
      const blocks = [bucket.publicAccessBlock, situation.state.accountPublicAccessBlock];
      if (isPublic(document) && blocks.some((block) => block?.BlockPublicPolicy)) {
        const who = `User: ${situation.state.caller} is not authorized to perform: s3:PutBucketPolicy on resource: "${own}"`;
        const why = "public policies are blocked by the BlockPublicPolicy block public access setting.";
        throw new AwsError("AccessDenied", `${who} because ${why}`);
      }
      bucket.policy = inItsForm(document);
    },
  },
  DeleteBucketPolicy: {
    parameters: which,
    changes: true,
    needs: needs("DeleteBucketPolicy"),
    run: (parameters, situation) => {
      delete found(parameters, situation).policy;
    },
  },
};

/** @type {Record<string, Operation>} */
const itsTags = {
  GetBucketTagging: {
    parameters: which,
    needs: needs("GetBucketTagging"),
    run: (parameters, situation) => {
      const { tags } = found(parameters, situation);
      if (tags === undefined) throw new AwsError("NoSuchTagSet", "The TagSet does not exist");
      return { TagSet: tags };
    },
  },
  PutBucketTagging: {
    parameters: `${which}, Tagging!:{TagSet!:[{Key!>1, Value!}]}`,
    changes: true,
    needs: needs("PutBucketTagging"),
    run: (parameters, situation) => {
      const bucket = found(parameters, situation);
      /** @type {Tag[]} */
      const tags = parameters.Tagging.TagSet;
      if (new Set(tags.map(({ Key }) => Key)).size < tags.length) {
        throw new AwsError("InvalidTag", "Cannot provide multiple Tags with the same key");
      }
      checkSystemTags(bucket.tags ?? [], tags);
      if (tags.length > 50) throw new AwsError("BadRequest", "Bucket tag count cannot be greater than 50");
      if (tags.length > 0) bucket.tags = tags;
      else delete bucket.tags;
    },
  },
};

/** Tags that AWS services put on a bucket do not change. @param {Tag[]} before @param {Tag[]} after */
function checkSystemTags(before, after) {
  const system = (/** @type {Tag} */ tag) => tag.Key.startsWith("aws:");
  const kept = (/** @type {Tag[]} */ list, /** @type {Tag} */ tag) =>
    list.some(({ Key, Value }) => Key === tag.Key && Value === tag.Value);
  if (!after.filter(system).every((tag) => kept(before, tag))) {
    throw new AwsError("InvalidTag", "System tags cannot be added/updated by requester");
  }
  if (!before.filter(system).every((tag) => kept(after, tag))) {
    throw new AwsError("InvalidTag", "System tags cannot be removed by requester");
  }
}

/** @type {Record<string, Operation>} */
export const s3Buckets = { ...itself, ...itsAccess, ...itsTags };
