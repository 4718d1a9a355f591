// The stand-in's distributions of Amazon CloudFront.
import { checkMatch, etag } from "./cloudfront-access.mjs";
import { checkConfig, checkWhole, completed, distributionConfig } from "./cloudfront-config.mjs";
import { arn, checkTags, date, idOf, own, requestTags, resourceTags, tagged } from "./common.mjs";
import { AwsError } from "./errors.mjs";

/** @import { Distribution, Need, Operation, Situation, Value } from "./types.ts" */

const config = `{${distributionConfig}}`;
const tags = "{Items:[{Key!>1, Value}]}";

/** @param {string} id @param {Situation} situation @returns {Distribution} */
function found(id, { state }) {
  const distribution = own(state.distributions, id);
  if (distribution !== undefined) return distribution;
  throw new AwsError("NoSuchDistribution", "The specified distribution does not exist.");
}

/** @param {Value} parameters @param {Situation} situation @returns {Distribution} */
function tagsOf({ Resource }, situation) {
  const prefix = arn(situation, "cloudfront", "distribution/");
  if (!Resource.startsWith(prefix)) throw new AwsError("InvalidArgument", `Invalid ARN: ${Resource}`);
  const distribution = own(situation.state.distributions, Resource.slice(prefix.length));
  if (distribution !== undefined) return distribution;
  throw new AwsError("NoSuchResource", "The specified resource does not exist.");
}

/** @param {string} action @param {(parameters: Value) => Need["keys"]} keys @returns {Operation["needs"]} */
function needs(action, keys = () => ({})) {
  return (parameters, situation) => {
    const id = parameters.Id ?? parameters.Resource.replace(/^.*\//, "");
    const there = resourceTags(own(situation.state.distributions, id)?.tags ?? []);
    const resource = arn(situation, "cloudfront", `distribution/${id}`);
    return [{ action: `cloudfront:${action}`, resource, keys: { ...there, ...keys(parameters) } }];
  };
}

/** The fields that lists contain, too. @param {string} Id @param {Distribution} distribution @param {Situation} situation */
function summary(Id, distribution, situation) {
  return {
    Id,
    ARN: arn(situation, "cloudfront", `distribution/${Id}`),
    Status: distribution.pending > 0 ? "InProgress" : "Deployed",
    LastModifiedTime: date,
  };
}

/** @param {string} id */
export const domainOf = (id) => `${idOf("d", id, 14).toLowerCase()}.cloudfront.net`;

/** @param {string} Id @param {Distribution} distribution @param {Situation} situation */
function described(Id, distribution, situation) {
  return {
    ...summary(Id, distribution, situation),
    InProgressInvalidationBatches: 0,
    DomainName: domainOf(Id),
    ActiveTrustedSigners: { Enabled: false, Quantity: 0 },
    ActiveTrustedKeyGroups: { Enabled: false, Quantity: 0 },
    DistributionConfig: distribution.config,
    ...icp(distribution.config),
  };
}

/** @param {Value} config @returns {Value} */
function icp({ Aliases }) {
  const items = Aliases?.Items ?? [];
  const each = items.map((/** @type {string} */ CNAME) => ({ CNAME, ICPRecordalStatus: "APPROVED" }));
  return items.length > 0 ? { AliasICPRecordals: each } : {};
}

/** @param {string} Id @param {Distribution} distribution @param {Situation} situation */
function listed(Id, distribution, situation) {
  const { config: all } = distribution;
  const { CallerReference: _, DefaultRootObject, Logging, ContinuousDeploymentPolicyId, ...rest } = all;
  return {
    ...summary(Id, distribution, situation),
    DomainName: domainOf(Id),
    ...rest,
    ...icp(all),
  };
}

/** Whether a list does not contain it yet. @param {Distribution} distribution */
function isUnlisted(distribution) {
  const { unlisted = 0 } = distribution;
  distribution.unlisted = Math.max(0, unlisted - 1);
  return unlisted > 0;
}

/** Counts one more read of a distribution. @param {Distribution} distribution */
function seen(distribution) {
  distribution.pending = Math.max(0, distribution.pending - 1);
}

/** @type {Record<string, Operation>} */
const itself = {
  ListDistributions: {
    parameters: "",
    pages: ["DistributionList", "Items"],
    needs: () => [{ action: "cloudfront:ListDistributions", resource: "*" }],
    run: (_, situation) => {
      const all = Object.entries(situation.state.distributions).filter(([, one]) => !isUnlisted(one));
      const Items = all.map(([id, one]) => listed(id, one, situation));
      for (const [, one] of all) seen(one);
      return Items.length > 0 ? { DistributionList: { Items } } : {};
    },
  },
  CreateDistributionWithTags: {
    parameters: `DistributionConfigWithTags!:{DistributionConfig!:${config}, Tags!:${tags}}`,
    changes: true,
    needs: ({ DistributionConfigWithTags: { Tags } }, situation) => {
      const resource = arn(situation, "cloudfront", "distribution/*");
      const keys = requestTags(Tags.Items ?? []);
      return ["CreateDistribution", "TagResource"].map((text) => ({ action: `cloudfront:${text}`, resource, keys }));
    },
    run: ({ DistributionConfigWithTags: { DistributionConfig, Tags } }, situation) => {
      const { state } = situation;
      const reference = DistributionConfig.CallerReference;
      const before = own(state.callerReferences, reference);
      if (before !== undefined) {
        const message = `The caller reference that you are using to create a distribution is associated with another distribution. Already exists: ${before}`;
        throw new AwsError("DistributionAlreadyExists", message);
      }
      const id = idOf("E", `distribution ${reference}`, 14);
      checkConfig(DistributionConfig, id, state);
      checkTags(Tags.Items ?? [], "InvalidTagging");
      const distribution = {
        config: completed(DistributionConfig),
        tags: tagged([], Tags.Items ?? []),
        version: 1,
        pending: situation.settings.deployment,
        unlisted: situation.settings.listLag,
      };
      state.distributions[id] = distribution;
      state.callerReferences[reference] = id;
      return {
        Location: `https://cloudfront.amazonaws.com/2020-05-31/distribution/${id}`,
        ETag: etag(id, 1),
        Distribution: described(id, { ...distribution, pending: 1 }, situation),
      };
    },
  },
  GetDistribution: {
    parameters: "Id!",
    needs: needs("GetDistribution"),
    run: ({ Id }, situation) => {
      const distribution = found(Id, situation);
      const answer = { ETag: etag(Id, distribution.version), Distribution: described(Id, distribution, situation) };
      seen(distribution);
      return answer;
    },
  },
  GetDistributionConfig: {
    parameters: "Id!",
    needs: needs("GetDistributionConfig"),
    run: ({ Id }, situation) => {
      const distribution = found(Id, situation);
      return { ETag: etag(Id, distribution.version), DistributionConfig: distribution.config };
    },
  },
  UpdateDistribution: {
    parameters: `DistributionConfig!:${config}, Id!, IfMatch`,
    changes: true,
    needs: needs("UpdateDistribution"),
    run: ({ Id, IfMatch, DistributionConfig }, situation) => {
      const distribution = found(Id, situation);
      checkMatch(IfMatch, etag(Id, distribution.version));
      checkWhole(DistributionConfig);
      if (DistributionConfig.CallerReference !== distribution.config.CallerReference) {
        throw new AwsError("IllegalUpdate", "The update contains modifications that are not allowed.");
      }
      checkConfig(DistributionConfig, Id, situation.state);
      distribution.config = completed(DistributionConfig);
      distribution.version += 1;
      distribution.pending = situation.settings.deployment;
      return {
        ETag: etag(Id, distribution.version),
        Distribution: described(Id, { ...distribution, pending: 1 }, situation),
      };
    },
  },
  DeleteDistribution: {
    parameters: "Id!, IfMatch",
    changes: true,
    needs: needs("DeleteDistribution"),
    run: ({ Id, IfMatch }, situation) => {
      const distribution = found(Id, situation);
      checkMatch(IfMatch, etag(Id, distribution.version));
      if (distribution.config.Enabled || distribution.pending > 0) {
        const message = "The distribution you are trying to delete has not been disabled.";
        throw new AwsError("DistributionNotDisabled", message);
      }
      delete situation.state.distributions[Id];
    },
  },
};

/** @type {Record<string, Operation>} */
const itsTags = {
  ListTagsForResource: {
    parameters: "Resource!",
    needs: needs("ListTagsForResource"),
    run: (parameters, situation) => ({ Tags: { Items: tagsOf(parameters, situation).tags } }),
  },
  TagResource: {
    parameters: `Resource!, Tags!:${tags}`,
    changes: true,
    needs: needs("TagResource", ({ Tags }) => requestTags(Tags.Items ?? [])),
    run: (parameters, situation) => {
      const distribution = tagsOf(parameters, situation);
      const all = tagged(distribution.tags, parameters.Tags.Items ?? []);
      checkTags(parameters.Tags.Items ?? [], "InvalidTagging");
      checkTags(all, "InvalidTagging");
      distribution.tags = all;
    },
  },
  UntagResource: {
    parameters: "Resource!, TagKeys!:{Items:[>1]}",
    changes: true,
    needs: needs("UntagResource", ({ TagKeys }) => ({ "aws:TagKeys": TagKeys.Items ?? [] })),
    run: (parameters, situation) => {
      const distribution = tagsOf(parameters, situation);
      distribution.tags = distribution.tags.filter(({ Key }) => !(parameters.TagKeys.Items ?? []).includes(Key));
    },
  },
};

/** @type {Record<string, Operation>} */
export const cloudfrontDistributions = { ...itself, ...itsTags };
