import { ruleCode } from "../../../core/finding.ts";
import { textAt } from "../../../core/resource.ts";
import { quote } from "../../../core/text.ts";
import { requestTokenPath } from "../../../requests/credentials-request.ts";
import { ownerOf, subscriptionsOf } from "../../../requests/operators.ts";
import { fieldOfText } from "../../../rules/cloud.ts";
import { usersOf } from "../../../rules/operator.ts";
import type { Rule } from "../../../rules/rule.ts";
import { readSpec } from "../../request.ts";
import { type AwsCluster, awsIdentity } from "../cluster/cluster.ts";
import { awsRequestForm } from "../identities/request.ts";
import { noTokenPath, setTokenPath, tokenField } from "../operators/operator.ts";
import { secretFile } from "../rendered/secret.ts";

export const longLivedKey: Rule = {
  code: ruleCode("long-lived-key"),
  severity: "error",
  reads: "package",
  summary: "A Secret contains a long-lived AWS access key.",
  why: "Anyone who has read an access key can use it, from any machine, until it is deleted. A key in a package is in Git and stays in the Git history. Short-term credentials replace it, so there is no key to leak.",
  cure: "Treat the key as compromised: delete it in AWS, not only in Git. Let `generate-cloud-credentials` generate the Secret from the component's request.",
  check: ({ filedSecrets }) =>
    filedSecrets.flatMap((secret) => {
      const key = accessKeyIn(secret.texts);
      if (key === undefined) return [];
      const field = fieldOfText(secret, key);
      const message = `${quote(field)} contains a long-lived AWS access key. Treat the key as compromised: delete it in AWS, and use a role.`;
      return [{ message, resource: secret.resource, field }];
    }),
};

// The names of its two parts in any spelling: in a config file, for a shell, in JSON, as a key of a Secret.
const name = /awsaccesskeyid|awssecretaccesskey/;

// IAM User Guide, "IAM identifiers": access keys of users begin with AKIA.
const keyId = /\bAKIA[A-Z0-9]{16}\b/;

/** The first key of a Secret that is a part of an access key, or whose text contains one. */
export function accessKeyIn(texts: ReadonlyMap<string, string>): string | undefined {
  return [...texts.keys()].sort().find((key) => isKey(texts, key));
}

function isKey(texts: ReadonlyMap<string, string>, key: string): boolean {
  const text = texts.get(key) ?? "";
  return [key, text].some((text) => name.test(text.toLowerCase().replace(/[-_]/g, ""))) || keyId.test(text);
}

export const secretCopied: Rule = {
  code: ruleCode("secret-copied"),
  severity: "error",
  reads: "package",
  summary: "A Secret's credentials were copied from a page and not filled in, or have a form that no AWS SDK can read.",
  why: "A credentials Secret contains an AWS config file with lines of the form `name = value`. Some pages show it with `role_name:`, with colons, or with angle brackets in place of values. An SDK finds no usable role in such a file, so the component has no credentials.",
  cure: "Write `role_arn = <the whole ARN>` and `web_identity_token_file = <path>` with equal signs and whole values; or let `generate-cloud-credentials` generate the Secret from the component's request.",
  check: ({ filedSecrets }) =>
    filedSecrets
      .filter(({ isCopied }) => isCopied)
      .map((secret) => {
        const field = fieldOfText(secret, secretFile.key);
        const message = `"${field}" is not a valid AWS config file: it contains "role_name", a colon instead of an equal sign, or angle brackets. Write "role_arn = ..." with the whole ARN.`;
        return { message, resource: secret.resource, field };
      }),
};

export const requestTokenPathRule: Rule = {
  code: ruleCode("request-token-path"),
  severity: "warning",
  reads: "package",
  summary: "A request for AWS names its role, but not the path of its token.",
  why: "For a request with `spec.providerSpec.stsIAMRoleARN`, the cloud-credential-operator creates a Secret that names the role and the path of a token. If the request has no `spec.cloudTokenPath`, the Secret names the default token of every pod. That token is for the API server, and AWS refuses it.",
  cure: "Set `spec.cloudTokenPath` to the path where the operator mounts a token for the audience `openshift`, usually `/var/run/secrets/openshift/serviceaccount/token`.",
  check({ requests, operators, items, identity }) {
    const subscriptions = subscriptionsOf(items);
    // If the package contains the Deployment, the rule operator-token-mount checks what it mounts.
    const judged = new Set(
      operators.flatMap((operator) =>
        operator.requests.flatMap((request) => (usersOf(operator, request).length > 0 ? [request.resource] : [])),
      ),
    );
    return requests.flatMap((request) => {
      const { resource, copies, value } = request;
      const isTold = readSpec(value, awsRequestForm).stsIAMRoleARN === "" || requestTokenPath(value) !== "";
      // A render writes the path and reports token-path-missing.
      const isWritten = identity !== undefined && ownerOf(request, subscriptions).kind === "operator";
      if (isTold || isWritten || [resource, ...copies].some((resource) => judged.has(resource))) return [];
      const message = `has a role but ${noTokenPath}; ${setTokenPath}.`;
      return [{ message, resource, field: tokenField }];
    });
  },
};

export const liveRootCredentials: Rule = {
  code: ruleCode("live-root-credentials"),
  severity: "error",
  reads: "live",
  summary: "The cluster still contains the administrator's access key, `kube-system/aws-creds`.",
  why: "The Secret remains from the time when the cloud-credential-operator created credentials itself. In manual mode nothing needs it. Anyone who can read it has the installer's permissions in the account.",
  cure: "When every component uses its role, delete the Secret in the cluster and the key in AWS.",
  check: ({ liveSecrets, cloud: { rootSecret } }) =>
    liveSecrets
      .filter(({ key }) => key === rootSecret)
      .map(({ resource }) => {
        const message =
          "is still in the cluster. In manual mode nothing needs the administrator's access key; delete the Secret in the cluster and the key in AWS.";
        return { message, resource };
      }),
};

export const installConfigRegion: Rule = {
  code: ruleCode("install-config-region"),
  severity: "error",
  reads: "install-config",
  summary: "The install-config is for a different AWS region than the ClusterIdentity.",
  why: "If a bucket hosts the issuer, the region is part of the issuer's URL. The region also determines the partition in policies. An install-config for another region usually belongs to another cluster.",
  cure: "Use the install-config of this cluster, or correct `spec.platform.aws.region` and render again.",
  check: ({ installConfig, identity, cluster }) => {
    if (installConfig === undefined || identity === undefined) return [];
    const region = textAt(installConfig.value(), ["platform", "aws", "region"]);
    const own = (cluster as AwsCluster | undefined)?.region ?? awsIdentity(identity).aws.region;
    if (region === "" || own === undefined || region === own) return [];
    const field = "platform.aws.region";
    const message = `"${field}" is ${quote(region)}, but the region in the package is ${quote(own)}; use the install-config of this cluster, or correct the region in the package.`;
    return [{ message, resource: installConfig, field }];
  },
};
