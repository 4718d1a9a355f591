import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newPackage, sampleRequests } from "./cluster-package.ts";
import { temporary } from "./temporary.ts";

const request = (
  name: string,
  secret: string,
  account: string,
  annotations: string,
) => `apiVersion: cloudcredential.openshift.io/v1
kind: CredentialsRequest
metadata:
  name: ${name}
  namespace: openshift-cloud-credential-operator${annotations}
spec:
  providerSpec:
    apiVersion: cloudcredential.openshift.io/v1
    kind: AWSProviderSpec
    statementEntries:
    - effect: Allow
      action:
      - elasticfilesystem:*
      resource: '*'
  secretRef:
    name: ${secret}
    namespace: shelf-system
  serviceAccountNames:
  - ${account}
`;

const subscription = `# The shelf driver, from the community's catalog.
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata:
  name: shelf
  namespace: shelf-system
spec:
  channel: stable # the only one
  name: shelf-operator
  source: community-operators
  sourceNamespace: openshift-marketplace
  config:
    env:
    # Written by hand.
    - name: LOG_LEVEL
      value: "4"
`;

/** What installs an operator with two roles, by file name. */
export const shelf: Readonly<Record<string, string>> = {
  "controller.yaml": request("shelf", "shelf-credentials", "shelf-controller", ""),
  "node.yaml": request(
    "shelf-node",
    "shelf-node-credentials",
    "shelf-node",
    "\n  annotations:\n    credentials.openshift.io/role-arns-vars: NODE_ROLEARN",
  ),
  "subscription.yaml": subscription,
};

export const shelfArn = (secret: string) => `arn:aws:iam::123456789012:role/demo-shelf-system-${secret}`;

/** The Subscription as it is rendered: two variables and the approval, and every other byte as it was. */
export const shelfSubscribed = `${subscription}    - name: ROLEARN
      value: "${shelfArn("shelf-credentials")}"
    - name: NODE_ROLEARN
      value: "${shelfArn("shelf-node-credentials")}"
  installPlanApproval: Manual
`;

/** Writes files below a directory. */
export function putFiles(directory: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
}

/** The sample's requests, or others, with those of the operator and its Subscription below `shelf`. */
export function requestsWithOperator(others: string = sampleRequests): string {
  const directory = join(temporary(), "requests");
  cpSync(others, directory, { recursive: true });
  putFiles(join(directory, "shelf"), shelf);
  return directory;
}

/** A package of `ccf init` with the sample's requests, or others, and the operator's. */
export function packageWithOperator(others?: string): string {
  return newPackage(requestsWithOperator(others));
}

/** Where a package of `ccf init` has the operator's Subscription. */
export const subscriptionPath = "credentials-requests/shelf/subscription.yaml";
