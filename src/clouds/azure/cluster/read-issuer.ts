import { quote, quoteWhole } from "../../../core/text.ts";
import { defaults } from "../../../generated/schema-facts.ts";
import { urlProblem } from "../../../oidc/issuer-url.ts";
import type { Report } from "../../cloud.ts";
import type { AzureIdentity, Hosting } from "./cluster.ts";
import type { Environment } from "./regions.ts";
import { containerNameProblem, defaultStorageAccount } from "./resource-names.ts";

const base = "spec.platform.azure.issuerHosting";

/** Reads where the documents are published, and the issuer that follows from it; its URL is undefined after an error. */
export function readIssuer(
  identity: AzureIdentity,
  environment: Environment,
  report: Report,
): { readonly hosting: Hosting; readonly url: string | undefined } {
  const { azure, issuer, prefix } = identity;
  const given = azure.issuerHosting ?? {};
  for (const [index, url] of issuer.previous.entries()) checked(`spec.issuer.previous[${index}]`, url, report);
  if (given.type === "External") {
    for (const name of ["storageAccount", "container", "sku", "uploadAuth"] as const) {
      if (given[name] === undefined) continue;
      const field = `${base}.${name}`;
      const message = `"${field}" is set, but the type "External" has no storage account; remove the field or change the type.`;
      report("error", "hosting-contradiction", field, message);
    }
    return { hosting: { type: "External" }, url: externalUrl(issuer.url, report) };
  }
  const hosting: Hosting = {
    type: "BlobPublic",
    storageAccount: given.storageAccount ?? defaultStorageAccount(azure.subscriptionID, prefix),
    container: given.container ?? prefix,
    sku: given.sku ?? defaults[`${base}.sku`],
    uploadAuth: given.uploadAuth ?? defaults[`${base}.uploadAuth`],
  };
  checkContainer(hosting.container, given.container === undefined, report);
  const computed = `https://${hosting.storageAccount}.${environment.blobDomain}/${hosting.container}`;
  if (issuer.url === undefined || issuer.url === computed) return { hosting, url: computed };
  const message = `"spec.issuer.url" is ${quoteWhole(issuer.url)}, but with this hosting the issuer is ${quoteWhole(computed)}. Remove the URL, or set "${base}.type" to "External".`;
  return { hosting, url: report("error", "issuer-contradiction", "spec.issuer.url", message) };
}

function externalUrl(url: string | undefined, report: Report): string | undefined {
  if (url !== undefined) return checked("spec.issuer.url", url, report);
  const message = `"spec.issuer.url" is required for the hosting type "External": the URL from which Microsoft Entra reads the discovery document and the keys.`;
  return report("error", "config-missing-field", "spec.issuer.url", message);
}

// Tokens contain the issuer verbatim, and a URL parser could resolve an ambiguous URL to another host.
function checked(field: string, url: string, report: Report): string | undefined {
  const problem = urlProblem(url);
  if (problem === undefined) return url;
  return report("error", "config-invalid-field", field, `"${field}" is ${quoteWhole(url)}, which ${problem}.`);
}

function checkContainer(container: string, isDefault: boolean, report: Report): void {
  const problem = containerNameProblem(container);
  if (problem === undefined) return;
  const field = isDefault ? "spec.resourcePrefix" : `${base}.container`;
  const message = `the container's name ${quote(container)} ${problem}; set "${base}.container" to another name.`;
  report("error", "container-name-invalid", field, message);
}
