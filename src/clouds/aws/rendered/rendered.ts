import { textAt, valueAt } from "../../../core/resource.ts";
import { compareText } from "../../../core/text.ts";
import { keysPath } from "../../../oidc/issuer-url.ts";
import {
  jsonIn,
  type RenderedBundle,
  type RenderedCluster,
  type RenderedIssuer,
  unknownIssuer,
  unreadableFindings,
  valueIn,
} from "../../rendered.ts";
import { awsNames } from "../cluster/cluster.ts";
import { providerArn, readIamArn, withoutScheme } from "../cluster/resource-names.ts";
import { type AwsFacts, discoveryFile, isIdentityBundle, providerFile, readFacts } from "./facts.ts";
import { type RenderedRole, readRole } from "./identity.ts";

/** What was rendered for a cluster on AWS. */
export interface RenderedAwsCluster extends RenderedCluster {
  readonly identities: readonly RenderedRole[];
}

/** Reads what a package or an export contains for AWS; undefined if nothing in it was rendered for AWS. */
export function readRendered(bundles: readonly RenderedBundle[]): RenderedAwsCluster | undefined {
  const facts = readFacts(bundles);
  const { account, region, resourcePrefix, home, providers } = facts;
  const roles = bundles.filter(isIdentityBundle);
  const publishing = bundles.find(({ files }) => issuerFiles.some((name) => files.has(name)));
  if (account === undefined && roles.length === 0 && publishing === undefined) return undefined;
  const [own, ...previous] = providers;
  const issuers = [currentIssuer(publishing, own, home), ...previous.flatMap(issuerOnly)];
  const identities = roles
    .map((bundle) => readRole(bundle, home, issuers))
    .sort((a, b) => compareText(a.key ?? "", b.key ?? ""));
  return {
    account,
    region,
    resourcePrefix,
    issuers,
    documentIssuer: textAt(valueIn(publishing, discoveryFile), ["issuer"]) || undefined,
    identities,
    findings: unreadableFindings(identities, "role-unreadable", awsNames.identityNoun),
  };
}

const issuerFiles = [discoveryFile, keysPath, providerFile];

function currentIssuer(
  bundle: RenderedBundle | undefined,
  given: string | undefined,
  home: AwsFacts["home"],
): RenderedIssuer {
  const create = valueIn(bundle, providerFile);
  const url = textAt(create, ["Url"]);
  const clientIds = valueAt(create, ["ClientIDList"]);
  const documents = { discovery: jsonIn(bundle, discoveryFile), keys: jsonIn(bundle, keysPath) };
  if (url === "") return { ...(issuerOnly(given)[0] ?? unknownIssuer), ...documents };
  const ids = Array.isArray(clientIds) ? clientIds.filter((clientID) => typeof clientID === "string") : undefined;
  const id = home === undefined ? undefined : providerArn(home, url);
  return { url: withoutScheme(url), id, clientIds: ids, ...documents };
}

// An issuer known only by its provider's ARN: the ARN contains its URL, but no file contains its client IDs.
function issuerOnly(arn = ""): RenderedIssuer[] {
  const url = readIamArn(arn)?.providerUrl;
  return url === undefined ? [] : [{ ...unknownIssuer, id: arn, url }];
}
