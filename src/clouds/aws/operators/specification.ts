import { type Finding, finding } from "../../../core/finding.ts";
import { prettyJson } from "../../../core/json.ts";
import type { Resource } from "../../../core/resource.ts";
import type { Specification } from "../../inspector.ts";
import {
  type Specified,
  secretText,
  shellQuote,
  specification,
  subscriptionText,
  tableRows,
  variablesOf,
} from "../../specification.ts";
import { awsNames, maxRoleName } from "../cluster/cluster.ts";
import { permissionsPolicy, trustPolicy } from "../identities/identity.ts";
import { type AwsRequest, readAwsRequest } from "../identities/request.ts";
import { noTokenPath, operatorWords, roleVariables, setTokenPath, tokenField, writtenFields } from "./operator.ts";

/** A role that an OLM operator's author asks administrators to create, and the variables for its ARN. */
type SpecifiedRole = Specified<AwsRequest>;

/** Specifies the roles that an OLM operator's CredentialsRequests require. */
export function specify(items: readonly Resource[]): Specification {
  return specification(items, {
    ...awsNames,
    read: (one) => readAwsRequest(one, new Map(), writtenFields),
    variables: roleVariables,
    advice: tokenFindings,
    script: roleScript,
    text: roleText,
  });
}

function tokenFindings({ resource, tokenPath }: AwsRequest): Finding[] {
  if (tokenPath !== undefined) return [];
  const message = `has ${noTokenPath}; ${setTokenPath}.`;
  return [finding("warning", "token-path-missing", message, { resource, field: tokenField })];
}

/**
 * The script with which an administrator creates the roles, for any POSIX shell. It gets the account and the partition from
 * the AWS CLI, and the issuer and the region from the cluster. In the trust policies, the issuer and the provider are shell
 * variables. Every value from a request is quoted, or is a DNS name.
 */
function roleScript(roles: readonly SpecifiedRole[]): string {
  const policies = roles.map(({ request }, index) => policyFunctions(request, index + 1));
  const calls = roles.map(({ request, variables }, index) => {
    const { secretNamespace, secretName } = request;
    const words = [`${secretNamespace}-${secretName}`, `${secretNamespace}/${secretName}`, variables.join(" ")];
    return `make_role ${words.map(shellQuote).join(" ")} trust_${index + 1} permissions_${index + 1}\n`;
  });
  return [scriptHead, ...policies, scriptTail, ...calls].join("");
}

function policyFunctions({ subjects, statements }: AwsRequest, number: number): string {
  const issuer = { url: "https://$issuer", providerArn: "$provider" };
  const trust = prettyJson(trustPolicy([issuer], subjects, undefined));
  const permissions = prettyJson(permissionsPolicy(statements, "aws").policy);
  return `
trust_${number}() {
  cat <<JSON
${trust}
JSON
}

permissions_${number}() {
  cat <<'JSON'
${permissions}
JSON
}
`;
}

const scriptHead = `#!/bin/sh
# Creates the roles of an operator on a cluster with short-term credentials on AWS, and prints their ARNs.
#
#   sh SCRIPT PREFIX
#
# PREFIX is the start of the roles' names, usually the cluster's name. oc must be logged in to the cluster, and the AWS CLI
# must have credentials for the cluster's account. Run the script again to update the roles that it created.
set -eu
AWS_PAGER=
LC_ALL=C
export AWS_PAGER LC_ALL

fail() {
  printf 'error: %s\\n' "$1" >&2
  exit 1
}

[ "$#" -eq 1 ] || fail "usage: sh $0 PREFIX"
prefix=$1
case $prefix in
  '' | *[!A-Za-z0-9_+=,.@-]*) fail "the prefix must contain only letters, digits and _+=,.@-" ;;
esac

url=$(oc get authentication.config.openshift.io cluster -o 'jsonpath={.spec.serviceAccountIssuer}')
issuer=\${url#https://}
case $issuer in
  "$url" | '' | *[!A-Za-z0-9._/-]*) fail "the cluster has no issuer for short-term credentials: \\"$url\\"" ;;
esac

AWS_REGION=$(oc get infrastructure.config.openshift.io cluster -o 'jsonpath={.status.platformStatus.aws.region}')
[ -n "$AWS_REGION" ] || fail "the cluster is not on AWS"
AWS_DEFAULT_REGION=$AWS_REGION
export AWS_REGION AWS_DEFAULT_REGION
caller=$(aws sts get-caller-identity --query '[Account, Arn]' --output text)
account=$(printf '%s\\n' "$caller" | cut -f 1)
partition=$(printf '%s\\n' "$caller" | cut -d : -f 2)
case $account:$partition in
  :* | *: | *[!a-z0-9:-]*) fail "the AWS CLI does not print the account of its credentials" ;;
esac
provider="arn:$partition:iam::$account:oidc-provider/$issuer"
aws iam get-open-id-connect-provider --open-id-connect-provider-arn "$provider" >/dev/null ||
  fail "the account $account has no provider for the cluster, or you may not read it: $provider"
`;

const scriptTail = `
# Name without prefix, Secret, variables, functions that print the policies.
make_role() {
  role=$(printf '%s-%s' "$prefix" "$1" | cut -c 1-${maxRoleName})
  trust=$($4)
  permissions=$($5 | sed "s/^\\( *\\"Resource\\": \\"arn:\\)aws:/\\1$partition:/")
  description="OpenShift role for $2"
  if found=$(aws iam get-role --role-name "$role" --query Role.Description --output text 2>/dev/null); then
    [ "$found" = "$description" ] || fail "the role $role already exists, but is not for $2; use another prefix"
    aws iam update-assume-role-policy --role-name "$role" --policy-document "$trust"
  else
    aws iam create-role --role-name "$role" --description "$description" \\
      --assume-role-policy-document "$trust" >/dev/null
  fi
  aws iam put-role-policy --role-name "$role" --policy-name "$role" --policy-document "$permissions"
  arn=$(aws iam get-role --role-name "$role" --query Role.Arn --output text)
  if [ -z "$3" ]; then printf '%s: %s\\n' "$2" "$arn"; fi
  for variable in $3; do printf '%s=%s\\n' "$variable" "$arn"; done
}

`;

/** The section for administrators in the operator's description, as Markdown: roles, script, and instructions. */
function roleText(roles: readonly SpecifiedRole[]): string {
  const roleWord = roles.length === 1 ? "a role" : `${roles.length} roles`;
  return `## Clusters with short-term credentials on AWS

The operator needs ${roleWord} in the cluster's AWS account. The script below contains the permissions.

| Secret | service accounts that use the role | variable with its ARN |
| --- | --- | --- |
${tableRows(roles)}

Before you install the operator, or update it to a version with other permissions, save this script as \`make-roles.sh\` and run
\`sh make-roles.sh PREFIX\`. PREFIX is the start of the roles' names, for example the cluster's name. \`oc\` must be logged in to
the cluster, and the AWS CLI must have credentials for the cluster's account. The script prints the ARNs.

\`\`\`sh
${roleScript(roles)}\`\`\`
${subscriptionText(variablesOf(roles), "ARNs")}${secretText(operatorWords.secretsSince)}`;
}
