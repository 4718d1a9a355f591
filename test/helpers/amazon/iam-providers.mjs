// The stand-in's OpenID Connect providers of AWS IAM.
import { arn, checkTags, date, own, requestTags, resourceTags, tagged } from "./common.mjs";
import { AwsError } from "./errors.mjs";

/** @import { Need, Operation, Provider, Situation, Value } from "./types.ts" */

const name = "OpenIDConnectProviderArn!>20";
const tags = "[{Key!>1, Value!}]";

/** @param {Value} parameters @param {Situation} situation @returns {Provider} */
function found({ OpenIDConnectProviderArn }, { state }) {
  const provider = own(state.providers, OpenIDConnectProviderArn);
  if (provider !== undefined) return provider;
  throw new AwsError("NoSuchEntity", `OpenIDConnect Provider not found for arn ${OpenIDConnectProviderArn}`);
}

/** @param {string} action @param {(parameters: Value) => Need["keys"]} keys @returns {Operation["needs"]} */
function needs(action, keys = () => ({})) {
  return (parameters, { state }) => {
    const resource = parameters.OpenIDConnectProviderArn;
    const there = resourceTags(own(state.providers, resource)?.tags ?? []);
    return [{ action: `iam:${action}`, resource, keys: { ...there, ...keys(parameters) } }];
  };
}

/** @param {string} text */
const lower = (text) => text.toLowerCase();

/** @param {Situation} situation @param {string} url */
const arnOf = (situation, url) => arn(situation, "iam", `oidc-provider/${url.replace("https://", "")}`);

/** @param {string[]} thumbprints */
function checkThumbprints(thumbprints) {
  if (thumbprints.some((thumbprint) => !/^[0-9a-f]{40}$/i.test(thumbprint))) {
    throw new AwsError("InvalidInput", "Thumbprint must be 40 hexadecimal digits");
  }
  if (thumbprints.length > 5) throw new AwsError("InvalidInput", "Thumbprint list must contain fewer than 5 entries.");
}

/** @type {Record<string, Operation>} */
export const iamProviders = {
  CreateOpenIDConnectProvider: {
    parameters: `Url!>1, ClientIDList:[>1], ThumbprintList:[>40], Tags:${tags}`,
    changes: true,
    needs: ({ Url, Tags = [] }, situation) => {
      const resource = arnOf(situation, Url);
      const keys = requestTags(Tags);
      const create = { action: "iam:CreateOpenIDConnectProvider", resource, keys };
      return Tags.length === 0 ? [create] : [create, { ...create, action: "iam:TagOpenIDConnectProvider" }];
    },
    run: ({ Url, ClientIDList = [], ThumbprintList = [], Tags = [] }, situation) => {
      if (!/^https:\/\/[^/?#\s]+(\/[^?#\s]*)?$/.test(Url))
        throw new AwsError("ValidationError", "Invalid Open ID Connect Provider URL");
      const OpenIDConnectProviderArn = arnOf(situation, Url);
      if (own(situation.state.providers, OpenIDConnectProviderArn) !== undefined) {
        const message = `Provider with url ${Url} already exists.`;
        throw new AwsError("EntityAlreadyExists", message);
      }
      checkTags(Tags, "InvalidInput", lower);
      checkThumbprints(ThumbprintList);
      situation.state.providers[OpenIDConnectProviderArn] = {
        url: Url.replace("https://", ""),
        clientIds: [...new Set(/** @type {string[]} */ (ClientIDList))],
        // AWS looks for one itself where none is given.
        thumbprints: ThumbprintList.length > 0 ? ThumbprintList.map(lower) : ["0".repeat(40)],
        tags: tagged([], Tags),
      };
      return { OpenIDConnectProviderArn, ...(Tags.length > 0 ? { Tags: tagged([], Tags) } : {}) };
    },
  },
  GetOpenIDConnectProvider: {
    parameters: name,
    needs: needs("GetOpenIDConnectProvider"),
    run: (parameters, situation) => {
      const { url, clientIds, thumbprints, tags } = found(parameters, situation);
      const Tags = tags.length > 0 ? { Tags: tags } : {};
      return { Url: url, ClientIDList: clientIds, ThumbprintList: thumbprints, CreateDate: date, ...Tags };
    },
  },
  ListOpenIDConnectProviders: {
    parameters: "",
    needs: (_, situation) => [
      { action: "iam:ListOpenIDConnectProviders", resource: arn(situation, "iam", "oidc-provider/*") },
    ],
    run: (_, { state }) => ({ OpenIDConnectProviderList: Object.keys(state.providers).map((Arn) => ({ Arn })) }),
  },
  ListOpenIDConnectProviderTags: {
    parameters: name,
    pages: ["Tags"],
    needs: needs("ListOpenIDConnectProviderTags"),
    run: (parameters, situation) => ({ Tags: found(parameters, situation).tags }),
  },
  TagOpenIDConnectProvider: {
    parameters: `${name}, Tags!:${tags}`,
    changes: true,
    needs: needs("TagOpenIDConnectProvider", ({ Tags }) => requestTags(Tags)),
    run: (parameters, situation) => {
      const provider = found(parameters, situation);
      checkTags(parameters.Tags, "InvalidInput", lower);
      const all = tagged(provider.tags, parameters.Tags, lower);
      checkTags(all, "InvalidInput", lower);
      provider.tags = all;
    },
  },
  UntagOpenIDConnectProvider: {
    parameters: `${name}, TagKeys!:[>1]`,
    changes: true,
    needs: needs("UntagOpenIDConnectProvider", ({ TagKeys }) => ({ "aws:TagKeys": TagKeys })),
    run: (parameters, situation) => {
      const provider = found(parameters, situation);
      provider.tags = provider.tags.filter(({ Key }) => !parameters.TagKeys.map(lower).includes(lower(Key)));
    },
  },
  AddClientIDToOpenIDConnectProvider: {
    parameters: `${name}, ClientID!>1`,
    changes: true,
    needs: needs("AddClientIDToOpenIDConnectProvider"),
    run: (parameters, situation) => {
      const provider = found(parameters, situation);
      provider.clientIds = [...new Set([...provider.clientIds, parameters.ClientID])];
    },
  },
  RemoveClientIDFromOpenIDConnectProvider: {
    parameters: `${name}, ClientID!>1`,
    changes: true,
    needs: needs("RemoveClientIDFromOpenIDConnectProvider"),
    run: (parameters, situation) => {
      const provider = found(parameters, situation);
      provider.clientIds = provider.clientIds.filter((clientID) => clientID !== parameters.ClientID);
    },
  },
  UpdateOpenIDConnectProviderThumbprint: {
    parameters: `${name}, ThumbprintList!:[>40]`,
    changes: true,
    needs: needs("UpdateOpenIDConnectProviderThumbprint"),
    run: (parameters, situation) => {
      const provider = found(parameters, situation);
      checkThumbprints(parameters.ThumbprintList);
      provider.thumbprints = parameters.ThumbprintList.map(lower);
    },
  },
  DeleteOpenIDConnectProvider: {
    parameters: name,
    changes: true,
    needs: needs("DeleteOpenIDConnectProvider"),
    run: (parameters, situation) => {
      found(parameters, situation);
      delete situation.state.providers[parameters.OpenIDConnectProviderArn];
    },
  },
};
