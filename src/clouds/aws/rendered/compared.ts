import { jsonOrNull } from "../../../core/json.ts";
import { textAt, type Value } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import { audienceWords, entryWords, limitWords, plainText, type ValueWords } from "../../../diff/value-words.ts";
import { comparePermissions, isMore as moreThan } from "../../../permissions/comparison.ts";
import type { ComparedFiles } from "../../inspector.ts";
import { policyPermissions } from "../permissions/permissions.ts";

const session: ValueWords = {
  where:
    /\/(?:create|update)-role\.json MaxSessionDuration$|^ClusterIdentity spec\.platform\.aws\.roles\.maxSessionDuration$/,
  say: ({ old, new: now }) =>
    typeof old === "number" && typeof now === "number"
      ? {
          effect: now < old ? "narrowed" : "broadened",
          text: `~ its sessions last at most ${durationText(now)} (before: ${durationText(old)})`,
        }
      : undefined,
};

function durationText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), (seconds % 3600) / 60];
  if (!Number.isInteger(minutes)) return `${seconds} s`;
  return [hours > 0 || minutes === 0 ? `${hours} h` : "", minutes > 0 ? `${minutes} min` : ""].join(" ").trim();
}

const managedPolicy: ValueWords = {
  where: /\/attach-role-policy-\S+\.json $/,
  say: ({ old, new: now }) => {
    if (old === undefined && now !== undefined)
      return { effect: "broadened", text: `+ the managed policy ${policyIn(now)} is attached` };
    // Its denials go, too, and its document is not known.
    if (now === undefined && old !== undefined)
      return { effect: "broadened", text: `- the managed policy ${policyIn(old)} is no longer attached` };
    return undefined;
  },
};

function policyIn(file: Value): string {
  return quoteWhole(textAt(typeof file === "string" ? jsonOrNull(file) : file, ["PolicyArn"]));
}

// Who applies an export; compared as a set, as the permissions of an identity are.
const adminPolicy: ValueWords = {
  where: /^(\S+\/admin-policy\.json) Statement/,
  say: ({ match: [, place = ""], before, after, ...change }) => {
    const [old, now] = [before, after].map((file) => policyPermissions(jsonOrNull(String(file))));
    const isMore = moreThan(comparePermissions(old ?? [], now ?? []));
    return { effect: isMore ? "broadened" : "narrowed", text: plainText(place, change) };
  },
};

const provider = "/create-open-id-connect-provider\\.json ";

/** How a comparison reads and words the files of a role and of the issuer. */
export const awsCompared: ComparedFiles = {
  compared: /^(?:permissions|trust)-policy\.json Statement/,
  words: [
    session,
    managedPolicy,
    adminPolicy,
    limitWords(/^ClusterIdentity spec\.platform\.aws\.roles\.(?:permissionsBoundaryARN|requireAudience)$/),
    audienceWords(new RegExp(`${provider}ClientIDList\\[\\]$`)),
    entryWords(
      new RegExp(`${provider}ThumbprintList\\[\\]$`),
      (thumbprint) => `the certificate with the thumbprint ${quoteWhole(thumbprint)} is trusted for the issuer`,
      (thumbprint) =>
        `the certificate with the thumbprint ${quoteWhole(thumbprint)} is no longer trusted for the issuer`,
    ),
  ],
};
