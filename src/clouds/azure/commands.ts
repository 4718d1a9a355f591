import { canonicalJson } from "../../core/json.ts";
import type { WantedResource } from "../../core/wanted-resource.ts";
import { commandsFile, commandsText } from "../commands-text.ts";
import { clusterFile } from "../rendered.ts";
import { shellQuote } from "../specification.ts";
import { resourceUrl } from "./cluster/resource-names.ts";
import type { Api, ArmRequest } from "./requests.ts";
import { type AzureClusterFile, azureResources, kinds, nameOf } from "./resources.ts";

/*
 * The resources of a package as commands of the Azure CLI. Most commands are requests, because each file of a package is
 * one.
 */

const apis: Readonly<Record<string, Api>> = {
  [kinds.group]: "groups",
  [kinds.account]: "storage",
  [kinds.container]: "storage",
  [kinds.role]: "authorization",
  [kinds.identity]: "identities",
  [kinds.credential]: "identities",
  [kinds.assignment]: "authorization",
};

/**
 * The files that an export contains in addition to those of the bundles, by path: the commands that create everything.
 *
 * @param files of its bundle ConfigMaps, by path; complete.
 */
export function derivedFiles(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  // Without the facts about the cluster, it is not known where the resources belong.
  return new Map(files.has(`azure/${clusterFile}`) ? [[`azure/${commandsFile}`, azureCommands(files)]] : []);
}

function azureCommands(files: ReadonlyMap<string, string>): string {
  const { facts, wanted } = azureResources(files);
  const notes = wanted.some(({ kind }) => kind === kinds.document)
    ? ["To upload the documents, you need the role Storage Blob Data Contributor, which Owner does not include."]
    : [];
  return commandsText({
    form: "commands of the Azure CLI",
    place: `the subscription ${facts.subscriptionID}`,
    notes: facts.uploadAuth === "key" ? [] : notes,
    wanted,
    command: (one) => [creationCommand(facts, one)],
  });
}

/** The command that creates a resource from the file of an export. */
export function creationCommand(facts: AzureClusterFile, wanted: WantedResource): string {
  const { kind, id, part = "", source = "" } = wanted;
  const api = apis[kind];
  if (api === undefined) return uploadCommand(facts, wanted);
  const principal = `.body | .properties.principalId = ${JSON.stringify(`<the principal ID of ${nameOf(part)}>`)}`;
  const body = `jq ${shellQuote(kind === kinds.assignment ? principal : ".body")} ${shellQuote(source)}`;
  return `az rest --method put --url ${shellQuote(resourceUrl(id, api))} --body "$(${body})"`;
}

/** The command that creates or replaces a document of the issuer. */
export function uploadCommand(facts: AzureClusterFile, { name, body, source = "" }: WantedResource): string {
  const { blobEndpoint = "", storageAccount = "", container = "", uploadAuth = "login" } = facts;
  // The tool finds the key of an account by the name of the account.
  const account = uploadAuth === "key" ? ["--account-name", shellQuote(storageAccount)] : [];
  return [
    "az storage blob upload",
    ...["--blob-endpoint", shellQuote(blobEndpoint), ...account, "--auth-mode", uploadAuth],
    ...["--container-name", shellQuote(container), "--name", shellQuote(name), "--file", shellQuote(source)],
    ...["--content-type", String(body["contentType"]), "--overwrite", "--no-progress"],
  ].join(" ");
}

/** A request of Azure Resource Manager as a command. */
export function azRest([method, url, body]: ArmRequest): string {
  const said = body === undefined ? "" : ` --body ${shellQuote(canonicalJson(body))}`;
  return `az rest --method ${method.toLowerCase()} --url ${shellQuote(url)}${said}`;
}
