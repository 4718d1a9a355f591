/** How much a finding weighs: one error makes the function fail, a warning and a note do not. */
export type Severity = "error" | "warning" | "info";

/** What is said of a code in docs/findings.md, which is made from this table. */
export interface FindingExplanation {
  readonly severity: Severity;
  readonly cause: string;
  readonly cure: string;
}

function of<Code extends string>(table: Readonly<Record<Code, FindingExplanation>>): typeof table {
  return table;
}

/** Every code that a finding can have. Codes are stable: one that was released is never used for something else. */
export const findings = of({
  "not-a-resource-list": {
    severity: "error",
    cause: "Standard input is empty, too large, no UTF-8, no YAML, or holds something else than one ResourceList.",
    cure: "Run the function through kpt or kustomize, or give it a ResourceList: `kpt fn source DIR | ccf generate-cloud-credentials`. For a directory use `ccf render DIR`.",
  },
  "yaml-value": {
    severity: "error",
    cause:
      "An object that a function must read has no clear value: a key twice in one mapping, an unknown tag, an alias without its anchor, or aliases that repeat values without end.",
    cure: "Write the value out; the message names the object.",
  },
  "field-not-editable": {
    severity: "error",
    cause:
      "A field must be set in an object that is kept, and its text cannot be changed in one place alone, because an anchor or an alias is on the way.",
    cure: "Write the value out as a plain one, without anchor and alias.",
  },
  "object-removed": {
    severity: "info",
    cause: "An object that this function made before is no longer asked for.",
    cure: "None is needed; in a review, check that its component is meant to lose its credentials.",
  },
  "identities-lost": {
    severity: "error",
    cause:
      "Roles and Secrets that are rendered would be removed, and a running cluster may live on them: all of them, more than half, or some whose requests are still in the package and are left out by a field of `spec.release`; or the issuer is not known yet, and `spec.issuer.previous` names none. The message says what was not read. It is a warning where the removal is allowed.",
    cure: "Put the requests back, or correct the field. Where the removal is meant, `ccf render --allow removal DIR` or, for functions and plugins, the annotation `fn.cloudcredential.dev/allow: removal` on the ClusterIdentity allows it; one component is left out by `skip: true` in its override.",
  },
  "identity-removed": {
    severity: "warning",
    cause: "A rendered role and its Secret are removed, because the CredentialsRequest that asked for them is gone.",
    cure: "None is needed where a release or an uninstalled operator took the request away. Else put the request back, before the change reaches the cluster.",
  },
  "account-changed": {
    severity: "error",
    cause:
      "`spec.platform.aws.accountID` is another one than the package was rendered for: every Secret would name a role of the other account. It is a warning where `removal` is allowed.",
    cure: "Correct the account. A cluster in another account gets a package of its own.",
  },
  "role-path-changed": {
    severity: "error",
    cause:
      "`spec.platform.aws.roles.path` is another one than the package was rendered with: every Secret would name a role under the new path, and IAM neither moves a role nor lets two of one name exist. It is a warning where `removal` is allowed.",
    cure: "Set the path back. For roles that do not exist yet: `ccf render --allow removal DIR`.",
  },
  allowance: {
    severity: "warning",
    cause:
      "The ClusterIdentity has the annotation `fn.cloudcredential.dev/allow`, which lets every run take away what it names.",
    cure: "Remove the annotation when the change that it is for has been rendered.",
  },
  "allowance-unknown": {
    severity: "error",
    cause: "The annotation `fn.cloudcredential.dev/allow` holds a word that names nothing which can be allowed.",
    cure: "Use a comma list of `removal`, `replace-issuer` and `replace-key`.",
  },
  "file-empty": {
    severity: "warning",
    cause:
      "A YAML or JSON file of the package holds no object at all. A file of requests that was cut short or checked out without its content looks like this.",
    cure: "Put the content back, or delete the file.",
  },
  "release-name-unknown": {
    severity: "warning",
    cause:
      "`spec.release` names a capability, feature gate or cluster profile that no request of the package has and that is not in the list of OpenShift's own names of August 2026: most often it is misspelt, and the requests that are meant do not count.",
    cure: "Use the name that the message proposes. If the name is newer than the list, none is needed.",
  },
  "feature-gate-unknown": {
    severity: "warning",
    cause:
      "A request is for a feature gate, the feature set is not `Default`, and nothing says whether the set has the gate on. A render leaves the request out; a comparison counts it, so that it is never told to be gone.",
    cure: "Put the release's manifests `0000_50_cluster-config-api_featureGate-*.yaml`, or a dump of `FeatureGate/cluster`, into the package (for `ccf diff-permissions` the manifests beside the new requests, or `--feature-gate-manifests PATH`); or name the gate in `spec.release.featureGates`, with `-` before the name if it is off.",
  },
  "feature-set-contradiction": {
    severity: "error",
    cause:
      "`spec.release.featureSet` contradicts another statement: `OKD` with a version before 4.22, or, as a warning, a `FeatureGate/cluster` in the package with another feature set.",
    cure: "Correct the feature set or the version; or replace the dump.",
  },
  "skipped-major-version": {
    severity: "info",
    cause:
      "A request is for other major versions of OpenShift (`release.openshift.io/major-version`) than `spec.release.version`.",
    cure: "None is needed, unless the version is wrong.",
  },
  "major-version-ignored": {
    severity: "info",
    cause:
      "Requests are for certain major versions of OpenShift, and the ClusterIdentity does not say which version the cluster has.",
    cure: "Set `spec.release.version`.",
  },
  "name-taken": {
    severity: "error",
    cause: "An object of the same name is in the package, and this function did not make it. It is never overwritten.",
    cure: "Remove the object, or give the one that was made by hand another name.",
  },
  "path-taken": {
    severity: "error",
    cause:
      "The file of a generated object holds another object; a symbolic link or something else that is no regular file stands where one must be; or, in the directory of an export, something that no export wrote. It is never followed or overwritten.",
    cure: "Move it away, or the other object to another file. Export to a directory of its own.",
  },
  "path-collision": {
    severity: "error",
    cause:
      "Two generated objects would stand in the same file: `a-b` in the namespace `c` and `b` in `c-a` give one file name.",
    cure: "Give one of the two requests another Secret.",
  },
  "identity-renamed": {
    severity: "error",
    cause: "The package holds objects that were made for a ClusterIdentity of another name.",
    cure: "If it is the same cluster, `ccf render --rename-from OLD DIR` takes them over: it keeps the resource prefix, and names the Kptfile anew where that had the old name. If it is another cluster, give it a package of its own; the annotation `fn.cloudcredential.dev/generated-by` of an object says for which ClusterIdentity it was made.",
  },
  "file-unreadable": {
    severity: "error",
    cause: "A file of the package is no YAML, or no UTF-8, and may hold what a function reads.",
    cure: "Correct the file, or name it in .krmignore.",
  },
  "file-skipped": {
    severity: "warning",
    cause:
      "A file of the package is not read: it is a symbolic link, holds something that is no Kubernetes object, or holds a document that is no YAML and names nothing that a function reads. An error with `--stdout`, whose answer must be complete.",
    cure: "Put the file itself into the package, or name it in .krmignore.",
  },
  "item-skipped": {
    severity: "warning",
    cause:
      "An object on standard input is no YAML by the rules, such as one with a closing bracket as far left as its key, and names nothing that a function reads. It passes through as it came.",
    cure: "Indent the bracket further than its key, in the file that the object comes from.",
  },
  "file-changed": {
    severity: "error",
    cause:
      "A file was changed or made by somebody else between the moment it was read and the moment it was to be written. It is left as it is.",
    cure: "Run the command again.",
  },
  "file-not-writable": {
    severity: "error",
    cause: "A file or directory that must change may not be written. Nothing was written.",
    cure: "Change its permissions, or run the command as its owner.",
  },
  "render-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf render` was killed, or could not go on, while it wrote. Each file is the old or the new one, whole; `.ccf-render` is what it left.",
    cure: "None is needed: `ccf render` makes the same change from the same sources. `--check` and `--stdout` write nothing, and leave it to be finished.",
  },
  "package-not-rendered": {
    severity: "error",
    cause:
      "`ccf export` was asked for a package that differs from what its requests and its ClusterIdentity make: it was not rendered since a change, or a generated file was edited by hand. Nothing was written.",
    cure: "`ccf render DIR`, review what it changes, and export again. What was edited by hand belongs into the ClusterIdentity.",
  },
  "status-invalid": {
    severity: "error",
    cause: "The file that `--status` names is not what `status.sh --result FILE` writes when the cloud is in step.",
    cure: "Run `aws/status.sh --result FILE` in the export; it writes nothing where it finds differences.",
  },
  "status-of-another-package": {
    severity: "error",
    cause: "The cloud was compared with files of another package, or not those of this one as it is now.",
    cure: "Export the package, run `apply.sh`, then `status.sh --result FILE`.",
  },
  "status-outdated": {
    severity: "error",
    cause: "The cloud was found in step too long ago: somebody may have changed it since.",
    cure: "Run `status.sh --result FILE` again.",
  },
  "permissions-missing": {
    severity: "error",
    cause: "The requests of the release that a cluster shall upgrade to ask for what the rendered roles do not have.",
    cure: "Put the release's requests into the package, render, export, apply, and ask again.",
  },
  "role-unreadable": {
    severity: "error",
    cause: "A bundle below `aws/roles` is not as it is rendered, so that nobody can say what its role may do.",
    cure: "Run `ccf render DIR`, or take the file back from Git.",
  },
  "cluster-assumed": {
    severity: "info",
    cause: "Requests are compared, and which of them count depends on the cluster, of which nothing is known.",
    cure: "Give its ClusterIdentity with `--identity FILE`, or flags; none is needed where the defaults are right.",
  },
  "nothing-to-compare": {
    severity: "error",
    cause:
      "One of two sides has no identity that counts: its requests are for another cloud, or a feature set, a gate, a capability or a profile leaves all of them out. An answer would say that everything is new, or gone.",
    cure: "Give the requests of the cluster's cloud and release, and the cluster's own ClusterIdentity or flags.",
  },
  "operators-left-out": {
    severity: "info",
    cause:
      "A package with roles of operators is compared with requests that have none for them, such as those of a release.",
    cure: "None is needed. Compare the operators' own requests, or two packages, to see what changes for them.",
  },
  "permissions-broadened": {
    severity: "warning",
    cause:
      "A request asks for more than the role that was rendered for it has, or has no role yet; with what it no longer asks for, if there is any.",
    cure: "None is needed; in a review, check that its component is meant to have it. Grant it before the upgrade.",
  },
  "permissions-narrowed": {
    severity: "info",
    cause: "A request asks for less than the role that was rendered for it has, or is gone.",
    cure: "None is needed. Take it away after the upgrade: the components of the old release may use it until then.",
  },
  "nothing-rendered": {
    severity: "info",
    cause: "The package holds no role that was rendered before, so that there is nothing to compare its requests with.",
    cure: "None is needed.",
  },
  "export-file-edited": {
    severity: "error",
    cause:
      "A file of an export has another content than the one that was exported. It is neither overwritten nor removed, and nothing was written.",
    cure: "Make the change in the package, move the file away, and export again.",
  },
  "export-list-invalid": {
    severity: "error",
    cause: "The directory of an export has a file SHA256SUMS that no export wrote, or that was edited.",
    cure: "Export to a directory of its own. If the list was edited, take back the edit, or move away the list and the files.",
  },
  "export-of-another-cluster": {
    severity: "error",
    cause:
      "The directory that `ccf export` is to write holds the export of another cluster: its `aws/cluster.json` names another account, resource prefix or region, or it does not say whose the export is: it is missing, edited, or not in `SHA256SUMS`. A cluster cannot change its region. Or a script of that export was interrupted, or still runs, while `--replace` gives its place away. Nothing was written.",
    cure: "Export to a directory of its own. To overwrite what is there, give `--replace ACCOUNT/PREFIX/REGION` as the message names it (`--replace unknown` where it cannot be told); the cloud resources of that cluster stay as they are.",
  },
  "export-unlisted-input": {
    severity: "error",
    cause:
      "The directory of an export holds something that is not of the export and that its scripts would apply: a directory of a role, or an input file of a role or of the issuer. Nothing was written.",
    cure: "Move it away, or export to a directory of its own.",
  },
  "export-unlisted-files": {
    severity: "warning",
    cause:
      "The directory of an export holds files that are not of the export. They are left alone; in `aws/`, `manifests/` and `operators/` the installer or `oc apply -f` of the whole directory takes them, too. Files beside these directories are a note.",
    cure: "Move away what does not belong there, or export to a directory of its own.",
  },
  "export-left-out": {
    severity: "info",
    cause:
      "The package holds objects that no function makes, such as the CloudCredential that `ccf upgradeable-to` wrote. An export holds what functions make, because the installer gets it for a new cluster.",
    cure: "Apply them to the running cluster yourself, or let Argo CD, Flux or kustomize apply the package's manifests.",
  },
  "export-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf export` was killed, or could not go on, while it wrote. Each file is the old or the new one, whole; `.ccf-export` is what it left.",
    cure: "None is needed: `ccf export` finishes it. `--check` writes nothing, and leaves it to be finished. Run no script of the directory before.",
  },
  "admin-policy-unbounded": {
    severity: "warning",
    cause:
      "The policy for the administrator who applies an export, `admin-policy.json`, sets no permissions boundary: an administrator with this policy can create roles and policies, and so do anything in the account.",
    cure: "Set `spec.platform.aws.roles.permissionsBoundaryARN`; the policy then allows only roles with that boundary.",
  },
  "cluster-bundle-missing": {
    severity: "error",
    cause:
      "The package to export has roles but no `aws/cluster.yaml`, because its Kptfile does not run `generate-oidc-issuer`. Without the facts in it, the scripts cannot tell which account and which resources are the cluster's. Nothing was written.",
    cure: "Add `generate-oidc-issuer` to the pipeline of the Kptfile and the cluster's public key to `spec.issuer.signingKeys`. If others publish the issuer, set `spec.platform.aws.issuerHosting.type: External`. Then render, and export again.",
  },
  "key-pair-in-git": {
    severity: "error",
    cause:
      "`ccf create-key-pair` would write a private key into a Git work tree that does not ignore it, or that cannot be asked. Nothing was written.",
    cure: "Give `--output-dir` outside of it, or name `serviceaccount-signer.private` and `bound-service-account-signing-key.key` in .gitignore. `--allow-in-git` writes nevertheless.",
  },
  "key-pair-unusable": {
    severity: "error",
    cause:
      "A private key that is there cannot be used: it cannot be read, is encrypted, or is of a kind or form that its reader does not take. The OpenShift installer reads RSA keys in PKCS#1 alone. Nothing was written.",
    cure: "Follow the message; `openssl rsa -traditional` decrypts an RSA key and writes PKCS#1. With `--no-installer` keys of kube-apiserver are taken.",
  },
  "key-pair-mismatch": {
    severity: "error",
    cause:
      "Files of a key pair are there that are not of one pair, or the private key is missing. Nothing was written.",
    cure: "Remove the file that is wrong, put the private key beside the others, or give another directory.",
  },
  "key-pair-open": {
    severity: "warning",
    cause: "A private key that is there may be read or changed by others than its owner.",
    cure: "`chmod 600` it. If others could have read it, make a new key pair.",
  },
  "key-pair-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf create-key-pair` was killed, or could not go on, while it wrote. Each file that it made is whole; `.ccf-create-key-pair` is what it left.",
    cure: "None is needed: this run makes what is missing.",
  },
  "input-file-invalid": {
    severity: "error",
    cause:
      "A file that the command line names cannot be read, is larger than 1 MiB, is not UTF-8, or is not what its flag asks for.",
    cure: "Give the flag the file that `--help` says; the message names the file and what is wrong with it.",
  },
  "file-too-large": {
    severity: "error",
    cause:
      "A file of a package, a file that the command line names, or standard input has more than 48 MiB. A token, and a document that AWS reads, has at most 1 MiB: `input-file-invalid`.",
    cure: "Give a smaller file. If it is in a package and holds nothing that a function reads, name it in `.krmignore` or move it out.",
  },
  "role-not-found": {
    severity: "error",
    cause: "`ccf verify-token` was asked for a role that neither the package nor a `--role-file` has.",
    cure: "Give the role's name or its whole ARN, or leave `--role` out: then every role is checked.",
  },
  "kptfile-invalid": {
    severity: "error",
    cause:
      "The Kptfile's pipeline cannot be followed by `ccf render`: it runs none of this project's functions, has selectors, or names a configuration that is not there.",
    cure: "Correct the pipeline, or use `kpt fn render`.",
  },
  "kptfile-foreign": {
    severity: "error",
    cause:
      "The package has functions of others in its pipeline, or packages inside it, and `ccf render` runs only this project's functions over one package.",
    cure: "Use `kpt fn render`, or `ccf render --only-ours` if the rest is rendered elsewhere.",
  },
  "not-a-package": {
    severity: "error",
    cause: "The directory that a command names has neither a Kptfile nor a ClusterIdentity.",
    cure: "Name the directory of a package; the message names those that are in it. `ccf init` makes a new one.",
  },
  "config-missing": {
    severity: "error",
    cause: "There is no ClusterIdentity in functionConfig and none among the resources.",
    cure: "Name its file as `configPath` in the Kptfile, or run `ccf init`.",
  },
  "config-ambiguous": {
    severity: "error",
    cause: "Several ClusterIdentities that differ are among the resources, and functionConfig says nothing.",
    cure: "Give the one that is meant as functionConfig (`configPath` in a Kptfile).",
  },
  "config-wrong-kind": {
    severity: "error",
    cause: "functionConfig is an object of another kind.",
    cure: "Give a ClusterIdentity, or leave functionConfig out.",
  },
  "config-unknown-field": {
    severity: "error",
    cause: "The ClusterIdentity has a field that is not in its schema, or one that stands in the wrong place.",
    cure: "Correct the name; the message names the nearest known one.",
  },
  "config-missing-field": {
    severity: "error",
    cause: "A field that is required is left out.",
    cure: "Add it.",
  },
  "config-invalid-field": {
    severity: "error",
    cause: "A field of the ClusterIdentity has a value that its rule does not allow.",
    cure: "Follow the rule in the message. Numbers that are names, such as an account ID, need quotes.",
  },
  "platform-not-supported": {
    severity: "error",
    cause: "The ClusterIdentity is for a cloud that this version does not generate for.",
    cure: "Use `spec.platform.aws`, or a version that generates for that cloud.",
  },
  "private-key": {
    severity: "error",
    cause: "A field that is read or would be copied holds a private key. It is never printed.",
    cure: "Remove it, and make a new key pair: whoever could read the repository could read the key. Only the public key belongs into a package.",
  },
  "private-key-file": {
    severity: "error",
    cause:
      "A file of the package is itself a private key, in PEM or DER form, whatever its name and whether or not .krmignore names it. Nothing of it is printed. Keys inside of Kubernetes objects that no function reads are not looked for.",
    cure: "Move the file out of the package. If others could read the repository, treat the key as compromised and create a new key pair: the key stays in Git's history.",
  },
  "file-unchecked": {
    severity: "warning",
    cause: "A file of the package cannot be read, so it is unknown whether it is a private key.",
    cure: "Move the file out of the package, or make it readable.",
  },
  "region-unknown": {
    severity: "error",
    cause: "The region has the form of no AWS region, so its partition is not known.",
    cure: "Correct it. For a region of a new form, set `spec.platform.aws.partition`.",
  },
  "region-unlisted": {
    severity: "warning",
    cause: "The region has the right form, but is on no list known to this version.",
    cure: "Check it for a typing error; if it is right, `spec.platform.aws.partition` ends the warning.",
  },
  "region-contradiction": {
    severity: "error",
    cause: "Region, partition and the cluster's own Infrastructure do not agree.",
    cure: "Correct the one that is wrong.",
  },
  "hosting-contradiction": {
    severity: "error",
    cause:
      "Fields of `issuerHosting` are set that do not go together, or a bucket becomes private that a previous issuer is in.",
    cure: "Remove the one that does not belong to the type of hosting; give the new issuer a bucket of its own.",
  },
  "bucket-name-invalid": {
    severity: "error",
    cause: "The bucket's name breaks a rule of Amazon S3.",
    cure: "Set `spec.platform.aws.issuerHosting.bucket`.",
  },
  "issuer-contradiction": {
    severity: "error",
    cause: "`spec.issuer.url` is not where the documents will be.",
    cure: "Leave the URL out, or set the hosting type to `External`.",
  },
  "issuer-not-known-yet": {
    severity: "warning",
    cause:
      "The issuer is a CloudFront distribution's domain, and AWS gives that when the distribution is made. Until the config has it, nothing is emitted that would hold it.",
    cure: "Apply what is emitted (bucket, access control, distribution), write the domain that `apply.sh` prints into `distributionDomain` (`ccf set-distribution-domain` does it), and render again.",
  },
  "cloudfront-not-available": {
    severity: "error",
    cause:
      "The config asks for `S3CloudFront` in a partition where CloudFront has no endpoint: GovCloud, the European Sovereign Cloud, the isolated ones.",
    cure: "Use `S3Public`, or `External` with `spec.issuer.url`.",
  },
  "issuer-changed": {
    severity: "error",
    cause:
      "The package was rendered with another issuer, whose tokens roles would no longer trust: every component loses its access as soon as that is applied, until its token is of the new issuer. It is a warning where `replace-issuer` is allowed.",
    cure: "Add the old issuer to `spec.issuer.previous` while the cluster moves (docs/migration.md). For a cluster that does not exist yet: `ccf render --allow replace-issuer DIR`.",
  },
  "previous-issuer": {
    severity: "info",
    cause: "The config names an issuer in `spec.issuer.previous`: every role believes its tokens, too.",
    cure: "None is needed while the cluster moves. When it has moved, `destroy.sh --previous`, and remove the issuer from the config.",
  },
  "prefix-changed": {
    severity: "error",
    cause:
      "`spec.resourcePrefix`, or the name that it follows from, is another than the one that the package was rendered with. It names and tags every resource in the cloud: nothing there can be renamed, and what was made under the old prefix would be left behind, still trusted.",
    cure: "Set `spec.resourcePrefix` to the old prefix. For a new set of resources make a new package; for one that was never applied, delete the directory `aws` and render again.",
  },
  "prefix-kept": {
    severity: "info",
    cause:
      "`ccf render --rename-from` wrote the resource prefix into the config. It followed from the ClusterIdentity's name, and that is another one now; the resources in the cloud keep their names.",
    cure: "None is needed.",
  },
  "arn-mismatch": {
    severity: "error",
    cause: "An ARN of the config is of another partition, account or kind than the cluster's.",
    cure: "Correct it; the message says how it must begin.",
  },
  "tag-invalid": {
    severity: "error",
    cause: "A tag breaks a rule of AWS, or is one that the tool sets itself.",
    cure: "Correct or remove it.",
  },
  "signing-key-removed": {
    severity: "info",
    cause:
      "A key that the package published is published no longer: tokens that it signed are refused once that is applied.",
    cure: "None is needed when the cluster no longer signs with it and its last token has expired.",
  },
  "signing-key-replaced": {
    severity: "error",
    cause:
      "Every key that the package published goes in one step, so that every token of the cluster is refused until it signs with the new key. It is a warning where `replace-key` is allowed.",
    cure: "For a cluster that does not exist yet: `ccf render --allow replace-key DIR`. Else rotate in two steps: publish the old and the new key together, and remove the old one when the cluster no longer signs with it.",
  },
  "signing-key": {
    severity: "info",
    cause: "A public key is published: tokens signed with its private half will be believed.",
    cure: "None is needed; in a review, compare the key ID with the cluster's.",
  },
  "signing-key-invalid": {
    severity: "error",
    cause:
      "A signing key is not a PEM public key for an algorithm that Kubernetes signs with, or AWS must not trust it or is not documented to: RSA of fewer than 2048 bits or of 16384 and more, or with another exponent than 65537.",
    cure: "Use the public key of the service account signer: RSA of at least 2048 bits with the exponent 65537, as `ccf create-key-pair` and openssl make them, or ECDSA on P-256, P-384 or P-521.",
  },
  "signing-key-missing": {
    severity: "error",
    cause: "A signing key refers to a ConfigMap that is not in the list, stands in it twice, or has no such key.",
    cure: "Correct the reference, or put the ConfigMap into the package.",
  },
  "signing-key-repeated": {
    severity: "error",
    cause: "The same signing key is listed twice.",
    cure: "Remove one.",
  },
  "authentication-repeated": {
    severity: "error",
    cause: "More than one Authentication named `cluster` is in the package.",
    cure: "Remove all but one.",
  },
  "authentication-misplaced": {
    severity: "info",
    cause: "The Authentication stands in another file than the one that the installer reads.",
    cure: "For a new cluster move it to `manifests/cluster-authentication-02-config.yaml`; for a running one nothing is needed.",
  },
  "issuer-replaced": {
    severity: "warning",
    cause: "The Authentication named another issuer, and now names the config's.",
    cure: "In a review, check that the move is meant; list the old issuer in `spec.issuer.previous` while both must work.",
  },
  "skipped-deletion": {
    severity: "info",
    cause: "The request is annotated `release.openshift.io/delete`: a release asks for its removal.",
    cure: "None is needed.",
  },
  "skipped-other-cloud": { severity: "info", cause: "The request is for another cloud.", cure: "None is needed." },
  "skipped-feature-set": {
    severity: "info",
    cause: "The request is for another feature set than the cluster's.",
    cure: "If the cluster has that feature set, set `spec.release.featureSet`.",
  },
  "skipped-feature-gate": {
    severity: "info",
    cause:
      "The request needs a feature gate on that is off, or off that is on, or carries both a feature set and a feature gate.",
    cure: "If the cluster has the gate on, add it to `spec.release.featureGates`.",
  },
  "skipped-capability": {
    severity: "info",
    cause: "The request needs a capability that is not enabled.",
    cure: "If it is enabled, add it to `spec.release.capabilities`, or leave that field out.",
  },
  "skipped-profile": {
    severity: "info",
    cause: "The request is not for the cluster's profile.",
    cure: "If the cluster has another profile, set `spec.release.profile`.",
  },
  "skipped-excluded": {
    severity: "info",
    cause: "The request is excluded for the cluster's `excludeIdentifier`.",
    cure: "None is needed.",
  },
  "skipped-duplicate": {
    severity: "info",
    cause:
      "The same request, equal in value, stands in the package more than once; payload folders do that. It counts once.",
    cure: "None is needed.",
  },
  "skipped-override": {
    severity: "info",
    cause: "An override of the config leaves the request out.",
    cure: "None is needed.",
  },
  "skipped-operator": {
    severity: "info",
    cause:
      "The request is an operator's: it has the annotation `fn.cloudcredential.dev/subscription`, or the operator's Subscription is in the namespace of its Secret. `configure-operators` makes its role.",
    cure: "None is needed where the pipeline runs `configure-operators`. A request that names cluster profiles, as a release's do, is never an operator's without the annotation.",
  },
  "skipped-platform": {
    severity: "info",
    cause:
      "The request is the platform's, or a release's beside an operator's Subscription. `generate-cloud-credentials` makes its role.",
    cure: "None is needed. If it is an operator's, name the Subscription in the annotation `fn.cloudcredential.dev/subscription`.",
  },
  "secret-left-to-operator": {
    severity: "error",
    cause:
      "A rendered Secret would be removed although its request is still there: the request counts as an operator's now, since a Subscription came into the namespace of its Secret or an annotation names one; or `spec.platform.aws.operators.emitSecrets` is no longer set. It is a warning where `emitSecrets` is false or `removal` is allowed.",
    cure: "If the request is the platform's, move the Subscription to another namespace. If it is the operator's, the cloud-credential-operator makes the Secret from 4.14 on: set `spec.platform.aws.operators.emitSecrets: false`; before that, or to keep the rendered Secret, set it to `true`.",
  },
  "operators-not-configured": {
    severity: "warning",
    cause:
      "The package holds requests of operators, and its Kptfile does not run `configure-operators`: nothing is made for them. It is an error where a role that was rendered for one of them would be removed.",
    cure: "Add `configure-operators` to the pipeline, after `generate-cloud-credentials` and with the same `configPath`.",
  },
  "subscription-ambiguous": {
    severity: "error",
    cause:
      "A request could belong to several Subscriptions, or the one that it belongs to stands in the package more than once.",
    cure: "Name the Subscription in the request's annotation `fn.cloudcredential.dev/subscription`; remove copies.",
  },
  "subscription-unknown": {
    severity: "error",
    cause: "The annotation `fn.cloudcredential.dev/subscription` of a request names no Subscription of the package.",
    cure: "Correct it, `<name>` or `<namespace>/<name>`, or put the Subscription into the package.",
  },
  "subscription-unnamed": {
    severity: "warning",
    cause:
      "The name or the namespace of a Subscription is none that an object can have, such as a template that was not filled in.",
    cure: "Fill it in. Until then no request belongs to the Subscription, and requests in its namespace count as the platform's.",
  },
  "variable-invalid": {
    severity: "error",
    cause:
      "The annotation `credentials.openshift.io/role-arns-vars` of a request does not hold names of environment variables with commas between them: letters, digits and `_`, no digit first. Or it names a variable that says how programs start or whom they talk to, such as `PATH`, `LD_PRELOAD`, `KUBECONFIG`, `HTTPS_PROXY` or `AWS_ENDPOINT_URL`.",
    cure: "Correct it, such as `NODE_ROLEARN`, without spaces.",
  },
  "variable-shared": {
    severity: "error",
    cause:
      "Two requests ask for the same variable of one Subscription, or of one operator's specification, and their roles differ.",
    cure: "A request without the annotation `credentials.openshift.io/role-arns-vars` asks for `ROLEARN`. The operator's documentation says which variables it reads: name them there, or leave the annotation empty for a role that the operator is told in another way, such as in a resource of its own.",
  },
  "variable-taken": {
    severity: "error",
    cause: "The variable that a Subscription must have is there twice, or has its value from a Secret or ConfigMap.",
    cure: "Remove the entry; its value is written.",
  },
  "variable-replaced": {
    severity: "warning",
    cause:
      "A Subscription had another value, such as another role, in the variable of the role that is made for its request. What only waits to be filled in (nothing, `$ROLEARN`, `${ROLEARN}`, `<role_arn>`) is replaced without a word.",
    cure: "In a review, check that the operator is meant to have the new role. An override of the config can give the role the old name.",
  },
  "variable-left": {
    severity: "warning",
    cause:
      "A Subscription names a role of this cluster in a variable that no request asks for. Variables are never removed, because nothing says who wrote them.",
    cure: "Remove the entry if the request is gone; else correct the request.",
  },
  "install-plan-automatic": {
    severity: "warning",
    cause:
      "The config leaves install plans to be approved by themselves, so that an update can come that needs more permissions than the role has.",
    cure: "Set `spec.platform.aws.operators.installPlanApproval: Manual` in the ClusterIdentity, or `spec.installPlanApproval: Manual` in the Subscription. Leave it where the risk is acceptable.",
  },
  "install-plan-manual": {
    severity: "info",
    cause: "A Subscription named another approval of install plans than `Manual`, which the config asks for.",
    cure: "None is needed. `spec.platform.aws.operators.installPlanApproval: Automatic` in the config leaves Subscriptions as they are.",
  },
  "role-arn-replaced": {
    severity: "warning",
    cause: "`spec.providerSpec.stsIAMRoleARN` of a request was another role than the one that is made for it.",
    cure: "In a review, check which is meant. An override of the config can give the role another name.",
  },
  "token-path-missing": {
    severity: "warning",
    cause:
      "A request had a role, or is to have one, and no `spec.cloudTokenPath`; the cloud-credential-operator would name the token for the API server in its place, which AWS refuses.",
    cure: "For a render none is needed, the cluster's path is written; check that the operator mounts its token there. An author writes the path into the request.",
  },
  "provider-unknown": {
    severity: "warning",
    cause: "The request's `spec.providerSpec.kind` is of no cloud that is known.",
    cure: "Correct the kind if the request is meant for this cluster.",
  },
  "request-namespace": {
    severity: "warning",
    cause: "The request is not in the namespace in which the cloud-credential-operator looks for requests.",
    cure: "Set `metadata.namespace` to `openshift-cloud-credential-operator`.",
  },
  "request-unknown-field": {
    severity: "error",
    cause: "A statement of the request has a field that is not known. To pass over it could grant more than it says.",
    cure: "Correct the field's name, or remove it.",
  },
  "request-missing-field": {
    severity: "error",
    cause: "The request lacks a field without which it asks for nothing that can be granted.",
    cure: "Complete the request, or remove it.",
  },
  "request-invalid-field": {
    severity: "error",
    cause:
      "A field of the request has a value that its rule does not allow, so it is not let into a policy, a path or a Secret.",
    cure: "Follow the rule in the message.",
  },
  "request-template": {
    severity: "error",
    cause: "The request is a template in which a placeholder was not filled in.",
    cure: "Write the value in the place of the placeholder.",
  },
  "secret-shared": {
    severity: "error",
    cause:
      "Two requests that differ name the same Secret. Most often it is one request twice: an upgrade added the new release's file beside the old one's, and the message says what only one of them asks for.",
    cure: "Keep one of the two files, the one of the release that the cluster runs or upgrades to. If the requests are of different components, correct `spec.secretRef` of the one that is wrong.",
  },
  "request-repeated": {
    severity: "warning",
    cause:
      "The package holds one CredentialsRequest twice, with different Secrets. A cluster has one object of a name, so one of them is of another release.",
    cure: "Keep one of the two files, the one of the release that the cluster runs or upgrades to.",
  },
  "no-service-account": {
    severity: "error",
    cause: "The request names no service account, so that no pod could assume its role.",
    cure: "Write the service account of its pods into `spec.serviceAccountNames` of the request, or into `spec.platform.aws.overrides` of the ClusterIdentity: `<secret namespace>/<secret name>: {serviceAccountNames: [NAME]}`, as the message says it.",
  },
  "subject-in-other-namespace": {
    severity: "warning",
    cause: "An override lets a service account of another namespace than the Secret's assume the role.",
    cure: "Check that it is meant.",
  },
  "override-unmatched": {
    severity: "error",
    cause: "An override is for a Secret that no request of this cluster has.",
    cure: "Rename it to `<secret namespace>/<secret name>` of a request; the message says the one that was meant, as far as that can be told. Or remove it.",
  },
  "no-requests": {
    severity: "warning",
    cause:
      "No CredentialsRequest of the package counts for the cluster, so that no role and no Secret is emitted. It is an error in `ccf render --stdout`, `ccf argo-cd-generate` and kustomize: what their answer lacks is deleted from the cluster.",
    cure: "Put the release's requests into the package, or correct `spec.release`; the notes say why each request that is there was left out. Where the cluster is to have no credentials, allow `removal`.",
  },
  "role-name-too-long": {
    severity: "error",
    cause: "A role's name is over IAM's 64 characters, and `nameOverflow` is `Fail`.",
    cure: "Set `spec.platform.aws.roles.nameOverflow` to `Hash` or `Truncate`, or `roleName` in an override. A shorter `spec.resourcePrefix` helps a package alone that was never rendered: a rendered one refuses another prefix.",
  },
  "role-name-collision": {
    severity: "error",
    cause:
      "Two requests would have the same role, most often because long names are cut at 64 characters. IAM does not tell names apart by case.",
    cure: "Set `spec.platform.aws.roles.nameOverflow` to `Hash`, or `roleName` in an override of one. A shorter `spec.resourcePrefix` helps a package alone that was never rendered.",
  },
  "partition-rewritten": {
    severity: "info",
    cause: "The request names resources of the partition `aws`, and the cluster is in another.",
    cure: "None is needed; the role names the cluster's partition.",
  },
  "policy-too-large": {
    severity: "error",
    cause: "A policy is larger than IAM takes.",
    cure: "Name fewer service accounts (`spec.serviceAccountNames`, or `serviceAccountNames` in an override), or shorten the request's statements, such as with wildcards in actions. A managed policy of an override comes beside the inline one, and makes it no shorter.",
  },
  "policy-over-quota": {
    severity: "warning",
    cause: "A trust policy is larger than IAM takes by default.",
    cure: 'Have the account\'s quota "Role trust policy length" raised before you apply.',
  },
  "accept-without-reason": {
    severity: "error",
    cause:
      "An object accepts a rule's violation with `fn.cloudcredential.dev/accept`, or the ClusterIdentity does in `spec.accept`, and says no reason that can be read.",
    cure: "Write the reason into `fn.cloudcredential.dev/accept-reason`, or into `reason` of the entry. Until then nothing is accepted.",
  },
  "accept-unused": {
    severity: "warning",
    cause: "An object, or `spec.accept` of the ClusterIdentity, accepts a violation that is not there any more.",
    cure: "Remove the code from `fn.cloudcredential.dev/accept`, or the entry from `spec.accept`, so that it accepts nothing that comes later.",
  },
  "accept-unmatched": {
    severity: "warning",
    cause: "An entry of `spec.accept` names an object that is not there.",
    cure: "Correct the name, or remove the entry; the message names the nearest object.",
  },
  "accept-rule-unknown": {
    severity: "error",
    cause: "An entry of `spec.accept` names a rule that does not exist. What a generator refuses cannot be accepted.",
    cure: "Correct the code; the message names the nearest one.",
  },
  "accept-unknown": {
    severity: "warning",
    cause:
      "An object accepts a code that is no rule of docs/validation-rules.md. What a generator refuses cannot be accepted.",
    cure: "Correct the code; the message names the nearest one.",
  },
});
