import { jsonOrNull } from "../../../core/json.ts";
import { listAt, textAt, type Value } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import { audienceWords, type ValueWords } from "../../../diff/value-words.ts";
import type { ComparedFiles } from "../../inspector.ts";
import { nameOfRole } from "../permissions/terms.ts";

const properties = ["body", "properties"] as const;

const credential: ValueWords = {
  where: /\/federated-credential-\S+\.json $/,
  say: ({ old, new: now }) => {
    if (old === undefined && now !== undefined)
      return { effect: "broadened", text: `+ ${credentialText(now)} can use it` };
    if (now === undefined && old !== undefined)
      return { effect: "narrowed", text: `- ${credentialText(old)} can no longer use it` };
    return undefined;
  },
};

const assignment: ValueWords = {
  where: /\/role-assignment-\S+\.json $/,
  say: ({ old, new: now }) => {
    if (old === undefined && now !== undefined)
      return { effect: "broadened", text: `+ the role ${assignmentText(now)} is assigned` };
    if (now === undefined && old !== undefined)
      return { effect: "narrowed", text: `- the role ${assignmentText(old)} is no longer assigned` };
    return undefined;
  },
};

function assignmentText(file: Value): string {
  const value = typeof file === "string" ? jsonOrNull(file) : file;
  const role = textAt(value, [...properties, "roleDefinitionId"]);
  const [scope = ""] = textAt(value, ["url"]).split("/providers/Microsoft.Authorization/");
  // Not the name in the file, which may say anything.
  return `${quoteWhole(nameOfRole(role.slice(role.lastIndexOf("/") + 1)))} on ${quoteWhole(scope)}`;
}

function credentialText(file: Value): string {
  const value = typeof file === "string" ? jsonOrNull(file) : file;
  const [subject, issuer] = ["subject", "issuer"].map((field) => textAt(value, [...properties, field]));
  const audiences = listAt(value, [...properties, "audiences"]).map((one) => quoteWhole(String(one)));
  return `${quoteWhole(subject ?? "")} of the issuer ${quoteWhole(issuer ?? "")} with the audience ${audiences.join(" or ")}`;
}

/** How a comparison reads and words the files of a managed identity. */
export const azureCompared: ComparedFiles = {
  compared: /^role-definition\.json body\.properties\.permissions\[[^\]]*\]\.\w+\[\]$/,
  words: [credential, assignment, audienceWords(/\/federated-credential-\S+\.json body\.properties\.audiences\[\]$/)],
};
