import { quoteWhole } from "../../../core/text.ts";
import { audienceWords, entryWords, limitWords, shownValue, type ValueWords } from "../../../diff/value-words.ts";
import type { ComparedFiles } from "../../inspector.ts";

const condition: ValueWords = {
  where: /\/provider\.json attributeCondition$/,
  say: ({ old, new: now }) => {
    if (now === undefined)
      return {
        effect: "broadened",
        text: `+ no condition limits the tokens of the issuer anymore: ${shownValue(old ?? "")}`,
      };
    if (old === undefined)
      return { effect: "narrowed", text: `- a condition limits the tokens of the issuer: ${shownValue(now)}` };
    return undefined;
  },
};

const disabled: ValueWords = {
  where: /\/(pool|provider)\.json disabled$/,
  say: ({ match, old = false, new: now = false }) => {
    if (old === false && now === true) return { effect: "narrowed", text: `- the ${match[1]} is disabled` };
    if (old === true && now === false) return { effect: "broadened", text: `+ the ${match[1]} is no longer disabled` };
    return undefined;
  },
};

/** How a comparison reads and words the files of a service account and of the provider. */
export const gcpCompared: ComparedFiles = {
  compared: /^bindings\.json (?:project\[\]|buckets(?:\..*)?)$|^role\.json includedPermissions\[\]$/,
  words: [
    limitWords(/^ClusterIdentity spec\.platform\.gcp\.attributeCondition$/),
    condition,
    disabled,
    audienceWords(/\/provider\.json oidc\.allowedAudiences\[\]$/),
    entryWords(
      /\/bindings\.json serviceAccount\[\]$/,
      (principal) => `${quoteWhole(principal)} can use it`,
      (principal) => `${quoteWhole(principal)} can no longer use it`,
    ),
  ],
};
