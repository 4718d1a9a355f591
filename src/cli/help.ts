import { functions } from "../../functions/registry.ts";
import type { KrmFunction } from "../krm/function.ts";

/** What `ccf --help` prints. */
export function mainHelp(): string {
  const width = Math.max(...functions.map((fn) => fn.name.length));
  return `ccf: short-term cloud credentials for OpenShift and OKD, rendered into Git

Usage:
  ccf create-key-pair        make the key pair of the service account signer, where there is none yet
  ccf init DIR [flags]       make a package: configuration, pipeline, requests
  ccf render [DIR] [flags]   run the package's functions and write the files that they make
  ccf validate [DIR] [flags] say what is wrong with a package, its install-config, or the cluster that it is for
  ccf export [DIR] [flags]   write plain files of a rendered package: scripts, documents, manifests
  ccf diff-permissions OLD NEW [flags]
                             say what another release changes in anyone's permissions
  ccf upgradeable-to VERSION --status FILE [DIR]
                             let a cluster upgrade whose cloud is in step with its package
  ccf set-distribution-domain DIR DOMAIN
                             write the domain that CloudFront gave into the configuration
  ccf explain [DIR] [flags]  say who may become each role, and what it may do
  ccf check-issuer URL       say whether AWS can read an issuer's documents, and whether they are the package's
  ccf verify-token [flags]   say what AWS would answer to a token, and why
  ccf role-spec FILE|DIR     print the script that makes an operator's roles, for the operator's description
  ccf argo-cd-generate       print what goes to the cluster, as Argo CD's plugin
  ccf FUNCTION < LIST        run one function on a ResourceList, as kpt and kustomize do
  ccf COMMAND --help         say more

Functions:
${functions.map((fn) => `  ${fn.name.padEnd(width)}   ${fn.summary}`).join("\n")}

Examples:
  ccf init clusters/demo --platform aws --name demo --account-id 123456789012 --region us-east-2 \\
    --public-key-file serviceaccount-signer.public --credentials-requests credrequests/
  ccf render clusters/demo
  ccf export clusters/demo --output-dir out
  kpt fn source clusters/demo | ccf generate-cloud-credentials

Exit codes: 0 done, 2 no (with --check: something would change; validate: something is wrong), 1 failed; functions exit 0 or 1.
Findings are explained in docs/findings.md.`;
}

export const createKeyPairHelp = `Make the key pair that a cluster signs service account tokens with. Keys that are there are used, and never replaced:
what is missing is derived from the private key. Each file is written whole or not at all.

Usage:
  ccf create-key-pair [flags]

Flags:
  --output-dir DIR       where the files are; the current directory where it is left out
  --no-installer         an ECDSA key on P-256 for kube-apiserver, in the place of an RSA key for the OpenShift installer
  --allow-in-git         write private keys into a Git work tree that does not ignore them
  -o, --output FORMAT    text or json

Files:
  serviceaccount-signer.private                the private key; it must never be in Git
  serviceaccount-signer.public                 the public key, for "ccf init --public-key-file"
  tls/bound-service-account-signing-key.key    the private key, where the installer looks for it in its directory

Examples:
  ccf create-key-pair --output-dir ../demo-keys
  cp -a ../demo-keys/tls INSTALLATION_DIRECTORY
  ccf create-key-pair --no-installer --output-dir /etc/kubernetes/signer -o json`;

export const diffPermissionsHelp = `As a command: say what changes in what each component may do, and in who may become it: before an upgrade, or in a
review. A side is a directory or a file of CredentialsRequests of any cloud, a rendered package, or an export. Order,
wildcards, and the way statements are cut make no difference; what cannot be decided counts as broadened, and says why.

Usage:
  ccf diff-permissions OLD NEW [flags]

Flags (for which cluster; left out, a side's own ClusterIdentity says it, or the other side's):
  --identity FILE         the ClusterIdentity
  --feature-set NAME      Default, TechPreviewNoUpgrade, ...
  --feature-gates LIST    gates that are on, or off with "-" before the name, separated by commas
  --feature-gate-manifests PATH
                          the new release's FeatureGate manifests: a file, or a directory that holds them
  --capabilities LIST     enabled capabilities, separated by commas; left out: all
  --profile NAME          cluster profile
  -o, --output FORMAT     text, markdown or json (schemas/permissions-diff.schema.json)

Exit codes: 0 nothing broadened, 2 broadened, 1 could not compare.

Examples:
  ccf diff-permissions credrequests-4.19/ credrequests-4.20/
  ccf diff-permissions clusters/demo credrequests-4.20/
  git worktree add ../main main && ccf diff-permissions ../main/clusters/demo clusters/demo -o markdown`;

export const upgradeableToHelp = `Write the annotation without which a cluster with manual credentials does not upgrade to another minor release, into
the package: cloudcredential.openshift.io/upgradeable-to on CloudCredential "cluster". It is written only when the cloud
was found in step with the package as it is now, within the last 24 hours. "ccf export" leaves the object out: apply it
from the package.

Usage:
  ccf upgradeable-to VERSION --status FILE [DIR] [flags]

  VERSION    major and minor, such as 4.20; of 4.20.3 the first two count
  DIR        the package; the current directory where it is left out

Flags:
  --status FILE                  what "aws/status.sh --result FILE" wrote in an export of the package
  --credentials-requests PATH    the release's requests: refuse where the rendered roles do not have all they ask for
  --only-ours                    pass over functions of others and packages inside the package

Exit codes: 0 written or there already, 2 refused, 1 could not tell.

Examples:
  out/aws/status.sh --result status.json
  ccf upgradeable-to 4.20 --status status.json clusters/demo --credentials-requests credrequests-4.20/`;
export const roleSpecHelp = `Print what an operator's author tells administrators about its roles on AWS, from its CredentialsRequests: the script
that makes them, for any POSIX shell, or the whole text for the operator's description.

Usage:
  ccf role-spec FILE|DIR [flags]

Flags:
  -o, --output FORMAT    text (the script) or markdown (the text with the script)

Examples:
  ccf role-spec bundle/manifests > make-roles.sh
  ccf role-spec credentials-request.yaml -o markdown >> description.md`;

export const initHelp = `Make a package for one cluster. It is written whole or not at all.

Usage:
  ccf init DIR [flags]

Flags (what is missing is asked for on a terminal; each answer is checked, and asked for again where it cannot be):
  --platform aws                 the cloud
  --name NAME                    name of the cluster; it prefixes every cloud resource
  --account-id ID                AWS account, 12 digits
  --region REGION                AWS region
  --public-key-file FILE         public key of the service account signer, in PEM form; "ccf create-key-pair" makes one
  --credentials-requests DIR     what "oc adm release extract --credentials-requests" wrote, or whole payload files
  --container                    the pipeline names images, not programs
  --image-prefix PREFIX          where the images are (with --container)

Examples:
  oc adm release extract --credentials-requests --cloud=aws --to=credrequests RELEASE_IMAGE
  ccf init clusters/demo --platform aws --name demo --account-id 123456789012 --region us-east-2 \\
    --public-key-file serviceaccount-signer.public --credentials-requests credrequests/`;

export const renderHelp = `Run the functions of a package's Kptfile that are this project's, and write the files that they make.
The same files as "kpt fn render", without kpt; what was made by hand keeps every byte that no function has to change.

Usage:
  ccf render [DIR] [flags]       DIR is the current directory where it is left out

Flags:
  --check                write nothing; exit 2 when something would change
  --stdout               write nothing; print what goes to the cluster
  --only-ours            pass over functions of others and packages inside the package
  --rename-from OLD      take over what was made while the ClusterIdentity was named OLD: the resource prefix stays, and
                         the Kptfile gets the new name where it had OLD
  --allow LIST           take away what a running cluster may live on: removal (of rendered roles and Secrets),
                         replace-issuer, replace-key; separated by commas
  -o, --output FORMAT    text or json

Examples:
  ccf render clusters/demo
  ccf render --check clusters/demo
  ccf render --allow removal clusters/demo
  ccf render --stdout clusters/demo | kubectl diff -f -`;

export const validateHelp = `Say what is wrong with a package: what the functions refuse or warn of, and what the rules of
docs/validation-rules.md find. Nothing is changed. A directory of requests without a ClusterIdentity is checked, too, and so is
what an operator's author ships: a ClusterServiceVersion with its requests.

Usage:
  ccf validate [DIR] [flags]       DIR is the current directory where it is left out

Flags:
  --install-config FILE    look at the installer's install-config.yaml, too
  --live FILE              compare with a cluster: what "oc get ... -o yaml" printed; "-" is standard input
  --strict                 exit 2 for warnings, too
  --time TIME              the time at which acceptances expire, such as "2027-01-31T12:00:00Z"; now where it is left out
  -o, --output FORMAT      text, json or sarif

A rule's finding is accepted in the ClusterIdentity, where no release loses it:
  spec: {accept: [{rule: CODE, object: SECRET_NAMESPACE/SECRET_NAME, reason: TEXT, until: "2027-06-30"}]}
or by two annotations of the object:
  fn.cloudcredential.dev/accept: CODE[, CODE]
  fn.cloudcredential.dev/accept-reason: TEXT

Exit codes: 0 nothing is wrong, 2 something is, 1 it could not be told.

Examples:
  ccf validate clusters/demo
  ccf validate clusters/demo --install-config install-config.yaml --strict
  ccf validate clusters/demo -o sarif > validate.sarif
  ccf validate bundle --strict
  oc get secrets,namespaces --all-namespaces -o yaml | ccf validate clusters/demo --live -`;

export const exportHelp = `Write plain files of a rendered package: what its bundles hold, and the manifests that the installer takes.
A package that is not as it is rendered is refused, so that nothing runs that was edited by hand in Git.

Usage:
  ccf export [DIR] --output-dir OUT [flags]       DIR is the current directory where it is left out

OUT must be apart from the package. What is in it afterwards:
  aws/           scripts, and below it the AWS CLI's input files and the documents of issuer and roles
  manifests/     Secrets and the cluster's Authentication, for the installer
  operators/     Secrets of operators, where the configuration asks for them, for the cluster that runs
  SHA256SUMS     the list of these files; files that are not in it are never touched, and are named

Objects for the cluster that no function makes, such as CloudCredential, are left out, and are named.

Flags:
  --output-dir OUT       the directory that is written; it need not exist
  --check                write nothing; exit 2 when something would change
  --replace NAME         overwrite the export of another cluster: ACCOUNT/PREFIX/REGION, or "unknown", as the error names it
  --only-ours            pass over functions of others and packages inside the package
  -o, --output FORMAT    text or json

Examples:
  ccf export clusters/demo --output-dir out
  ccf export clusters/demo --output-dir out --check
  cd out && sha256sum --check SHA256SUMS`;

export const distributionDomainHelp = `Write the domain that CloudFront gave a distribution into a package's ClusterIdentity. Nothing else of the file changes.
The first apply.sh of a package with the hosting type S3CloudFront prints the domain; the next render needs it.

Usage:
  ccf set-distribution-domain DIR DOMAIN

Examples:
  ccf set-distribution-domain clusters/demo d111111abcdef8.cloudfront.net`;

export const explainHelp = `Say of each role of a package who may become it and what it may do, as its policies stand in their files.

Usage:
  ccf explain [DIR] [flags]       DIR is a rendered package or an export; the current directory where it is left out

Flags:
  -o, --output FORMAT    text, markdown or json

Examples:
  ccf explain clusters/demo
  ccf explain out -o markdown > identities.md
  ccf explain clusters/demo -o json | jq -r '.identities[].role'`;

export const checkIssuerHelp = `Fetch an issuer's discovery document and keys as AWS does: over https, without credentials, within five seconds. With a
package, compare them with what it publishes. Redirects are not followed: whether AWS does is not documented. Keys are
fetched from the issuer's host alone; where the document names another one, it is asked only with --allow-host.

Usage:
  ccf check-issuer URL [flags]
  ccf check-issuer --package DIR [flags]

Flags:
  --package DIR          a rendered package, or the directory of an export, whose issuer is checked
  --ca-file FILE         certificates of authorities to trust beside the usual ones, in PEM form
  --connect-to HOST:PORT the server to ask, whatever host the URL names: to look at an issuer before its DNS name exists.
                         Certificate and Host header are still those of the URL
  --allow-host HOST      a host beside the issuer's that its keys may be fetched from; may be repeated
  --timeout SECONDS      how long an answer may take; 5 where it is left out
  -o, --output FORMAT    text or json

Examples:
  ccf check-issuer https://demo-oidc.s3.us-east-2.amazonaws.com
  ccf check-issuer --package clusters/demo
  ccf check-issuer https://oidc.example.com/demo --connect-to 192.0.2.10:443

Exit codes: 0 AWS can read it, 2 it cannot, or reads something else, 1 it cannot be told, or the command failed.`;

export const verifyTokenHelp = `Say what AWS would answer if a token were exchanged for a role (sts:AssumeRoleWithWebIdentity), and why. Nothing is sent
anywhere. The token is read from a file or standard input, never given as an argument; its signature is never printed.

Usage:
  ccf verify-token --token FILE|- --package DIR [flags]
  ccf verify-token --token FILE|- --role-file FILE [flags]

Flags:
  --token FILE           the token; - is standard input
  --package DIR          a rendered package, or the directory of an export: provider, documents, roles
  --role ROLE            the role, by name or ARN; every role where it is left out
  --time TIME            the time of the exchange, as 2026-01-31T12:00:00Z or seconds since the epoch; now where it is left out
  -o, --output FORMAT    text or json

What is live, in the place of what the package says:
  --discovery FILE       the issuer's .well-known/openid-configuration
  --jwks FILE            the keys at its jwks_uri
  --role-file FILE       what "aws iam get-role" prints; may be repeated
  --provider-file FILE   what "aws iam get-open-id-connect-provider" prints

Examples:
  oc create token ingress-operator -n openshift-ingress-operator --audience openshift > token
  ccf verify-token --token token --package clusters/demo
  ccf verify-token --token token --package out --role demo-openshift-ingress-operator-cloud-credentials -o json
  aws iam get-role --role-name demo-openshift-ingress-operator-cloud-credentials > role.json
  ccf verify-token --token - --package clusters/demo --role-file role.json < token

Exit codes: 0 a role accepts the token, 2 every role refuses it, 1 it cannot be told, or the command failed.`;

export const argoCdHelp = `Print what goes to the cluster, as the generate command of Argo CD's config management plugin.
It renders the package in the current directory, writes nothing, and fails rather than print a part.

Usage:
  ccf argo-cd-generate

Parameters, in ARGOCD_APP_PARAMETERS, as Argo CD passes them:
  overlay    a directory below the current one that holds the package
  cluster    the name that its ClusterIdentity must have; another is an error

Examples:
  ccf argo-cd-generate
  ARGOCD_APP_PARAMETERS='[{"name":"overlay","string":"clusters/demo"}]' ccf argo-cd-generate`;

/** What `ccf FUNCTION --help` prints. */
export function functionHelp({ name, summary }: KrmFunction): string {
  return `${name}: ${summary}

A KRM function: it reads a ResourceList on standard input and writes one to standard output. It needs no network, no
file and no environment. Its configuration is a ClusterIdentity, as functionConfig or among the items.

Usage:
  ccf ${name} < LIST

Examples:
  kpt fn source DIR | ccf ${name} | kpt fn sink OUT
  kpt fn eval DIR --exec "ccf ${name}"
  ccf render DIR`;
}
