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
  "name-taken": {
    severity: "error",
    cause: "An object of the same name is in the package, and this function did not make it. It is never overwritten.",
    cure: "Remove the object, or give the one that was made by hand another name.",
  },
  "path-taken": {
    severity: "error",
    cause: "The file of a generated object holds another object.",
    cure: "Move the other object to another file.",
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
    cure: "If it is the same cluster, `ccf render --rename-from OLD DIR` takes them over. If it is another cluster, give it a package of its own.",
  },
  "file-unreadable": {
    severity: "error",
    cause: "A file of the package is no YAML, or no UTF-8, and may hold what a function reads.",
    cure: "Correct the file, or name it in .krmignore.",
  },
  "file-skipped": {
    severity: "warning",
    cause:
      "A file of the package is not read: it is a symbolic link, holds something that is no Kubernetes object, or is no YAML and names nothing that a function reads. An error with `--stdout`, whose answer must be complete.",
    cure: "Put the file itself into the package, or name it in .krmignore.",
  },
  "file-changed": {
    severity: "error",
    cause:
      "A file of the package was changed by somebody else between the moment it was read and the moment it was to be written. Nothing was written.",
    cure: "Render again.",
  },
  "file-not-writable": {
    severity: "error",
    cause: "A file or directory that must change may not be written. Nothing was written.",
    cure: "Change its permissions, or render as its owner.",
  },
  "render-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf render` was killed, or could not go on, while it wrote. Each file is the old or the new one, whole; `.ccf-render` is what it left.",
    cure: "None is needed: `ccf render` makes the same change from the same sources. `--check` and `--stdout` write nothing, and leave it to be finished.",
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
    cause: "Fields of `issuerHosting` are set that do not go together.",
    cure: "Remove the one that does not belong to the type of hosting.",
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
    severity: "error",
    cause: "The issuer is a CloudFront distribution's domain, and AWS gives that when the distribution is made.",
    cure: "Set `distributionDomain`, or a `domain` of your own with its `certificateARN`.",
  },
  "cloudfront-not-available": {
    severity: "error",
    cause:
      "The config asks for `S3CloudFront`, whose distribution this version does not emit yet. `generate-cloud-credentials` works with it when the issuer is known.",
    cure: "Use `S3Public`, or `External` with `spec.issuer.url` and a distribution of your own.",
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
  "signing-key": {
    severity: "info",
    cause: "A public key is published: tokens signed with its private half will be believed.",
    cure: "None is needed; in a review, compare the key ID with the cluster's.",
  },
  "signing-key-invalid": {
    severity: "error",
    cause: "A signing key is no public key in PEM form that Kubernetes could sign with, or is too short.",
    cure: "Use the public key of the service account signer: RSA of at least 2048 bits, or ECDSA on P-256, P-384 or P-521.",
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
    cause: "Two requests that differ name the same Secret.",
    cure: "Remove one, or give it a Secret of its own.",
  },
  "no-service-account": {
    severity: "error",
    cause: "The request names no service account, so its role could be assumed by nobody.",
    cure: "Complete the request, or set `serviceAccountNames` in an override for its Secret.",
  },
  "subject-in-other-namespace": {
    severity: "warning",
    cause: "An override lets a service account of another namespace than the Secret's assume the role.",
    cure: "Check that it is meant.",
  },
  "override-unmatched": {
    severity: "error",
    cause: "An override is for a Secret that no request of this cluster has.",
    cure: "Correct its name, `<secret namespace>/<secret name>`, or remove it.",
  },
  "no-requests": {
    severity: "warning",
    cause: "No CredentialsRequest of the package counts for the cluster.",
    cure: "Put the release's requests into the package; the notes say why each that is there was left out.",
  },
  "role-name-too-long": {
    severity: "error",
    cause: "A role's name is over IAM's 64 characters, and `nameOverflow` is `Fail`.",
    cure: "Use a shorter `resourcePrefix`, an override, or `Truncate` or `Hash`.",
  },
  "role-name-collision": {
    severity: "error",
    cause:
      "Two requests would have the same role, most often because long names are cut at 64 characters. IAM does not tell names apart by case.",
    cure: "Set `nameOverflow: Hash`, use a shorter `resourcePrefix`, or override the name of one.",
  },
  "partition-rewritten": {
    severity: "info",
    cause: "The request names resources of the partition `aws`, and the cluster is in another.",
    cure: "None is needed; the role names the cluster's partition.",
  },
  "policy-too-large": {
    severity: "error",
    cause: "A policy is larger than IAM takes.",
    cure: "Name fewer service accounts, or use wildcards or managed policies for permissions.",
  },
  "policy-over-quota": {
    severity: "warning",
    cause: "A trust policy is larger than IAM takes by default.",
    cure: 'Have the account\'s quota "Role trust policy length" raised before you apply.',
  },
});
