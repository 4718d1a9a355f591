/*
 * The findings of several packages in one run, and of single commands: a table each. The tables of `ccf export` and `ccf import`, of
 * what reaches a cloud, of packages, and of files are in their directories.
 */

/** The findings about several packages in one run. */
export const fleet = {
  "cluster-not-compared": {
    severity: "warning",
    cause:
      "A command compares the packages that it processes with all packages that it finds. The ClusterIdentity of one that it does not process is invalid or cannot be read, so it is unknown what that cluster uses.",
    cure: "Run `ccf validate` for the package that the message names, and fix what it reports.",
  },
  "cluster-not-unique": {
    severity: "error",
    cause:
      "Two packages claim what only one cluster can have: the same ClusterIdentity name, resource prefix, or name of a component identity in one account, project, or subscription; the same issuer URL; or the same bucket, storage account, distribution, pool, or ID that the cloud assigned to an identity. Usually, one package is a copy of the other. If both are applied, one replaces what the other cluster uses, such as its published signing keys.",
    cure: "Remove the package that is the copy, and create one with `ccf init DIR --like OTHER`, which copies settings only. Or make it another cluster: edit its ClusterIdentity by hand, because `ccf set` does not change `metadata.name`, and set all fields in the messages to other values at once. If it shares signing keys, create its own with `ccf create-key-pair`. If the copy contains rendered files, delete those with the annotation `fn.cloudcredential.dev/generated-by` and the file that `ccf set-identities` wrote, and render it.",
  },
  "package-removed": {
    severity: "warning",
    cause:
      "A path of `--touched` is gone, and it was the Kptfile, the ClusterIdentity or a generated file of a directory that is not a package anymore. The package was deleted, moved, or made invisible to the check. `ccf render --check` exits with 2. If generated objects are still in the directory, the finding is the error `generated-orphan`.",
    cure: "If the cluster is gone or its package was moved, add `--allow removal` to `ccf render --check` for this change. Otherwise restore the file.",
  },
  "package-skipped": {
    severity: "warning",
    cause:
      "The search of `--recursive` skipped a package because `.krmignore` hides it, or a symbolic link that leads to a directory outside its root, to nothing, or to a file with the name of a Kptfile or a YAML file. Nothing checks what is skipped, so `ccf render --check` exits with 2. A run that `--touched` limits reports touched paths instead (`touched-unchecked`).",
    cure: "Remove the pattern from `.krmignore`, or replace the link with the directory or the file itself. If the package must stay hidden, move it out of the root.",
  },
  "touched-unchecked": {
    severity: "warning",
    cause:
      "A path of `--touched` below the root of `--recursive` belongs to this project, but is in no package that the search finds: `.krmignore` excludes it, or a symbolic link replaced it. This includes every path in a hidden package, even a CredentialsRequest. The message names the package. A touched `.krmignore` names each package that it hides. Nothing checks the path, so `ccf render --check` exits with 2.",
    cure: "Remove the pattern from `.krmignore`, or replace the link with the directory or the file itself. If `.krmignore` hides a package on purpose, review the change without the check.",
  },
} as const;

/** The findings about the release that clusters are upgraded to. */
export const nextRelease = {
  "capabilities-by-requests": {
    severity: "warning",
    cause:
      "The ClusterIdentity does not enable all capabilities. In an upgrade, the cluster-version-operator enables a capability of its own if the next release makes a part of what the cluster has that capability. It decides by all manifests of both releases; here, the requests alone decided, so a capability that another manifest enables is missing.",
    cure: "Extract both releases with `ccf extract-release`, and name the directory of the release that the cluster runs with `--previous-release`. Without them, compare `spec.release.capabilities` with `status.capabilities.enabledCapabilities` of `ClusterVersion/version` after the upgrade.",
  },
  "capability-unknown": {
    severity: "warning",
    cause:
      "The ClusterIdentity does not enable all capabilities, and it is unknown whether the upgrade enables another one: a manifest that would make it so depends on a feature gate of unknown state. What needs the capability is shown as unknown.",
    cure: "Extract both releases with `ccf extract-release`, and name the directory of the release that the cluster runs with `--previous-release`. Or add the capability to `spec.release.capabilities` if the cluster has it.",
  },
} as const;

/** The findings of `ccf extract-release`, and of `--release`. */
export const extractRelease = {
  "release-directory-taken": {
    severity: "error",
    cause:
      "The output directory contains another release, the same release from another image, or a file that the command would write with other content. Nothing was written. A tag that names another image than before leads to this, too.",
    cure: "Name a new or empty directory. If a tag moved, find out why before you use the new image.",
  },
  "release-extract-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf extract-release` was killed or failed while it wrote. Each file that it wrote is complete. The directory `.ccf-extract-release` remains from that run.",
    cure: "No action is needed: this run writes the missing files.",
  },
  "release-not-verified": {
    severity: "warning",
    cause:
      "The signature of a release's image was not looked for: `--insecure-skip-verify` is set, or no key is known for the repository, as for OKD.",
    cure: "Omit the flag. For a mirror of Red Hat's releases, name the version, and the mirror with `--mirror`. For images that are signed with another key, use `--key`. If the image has no signature, verify its digest in another way, for example with the release page of the version.",
  },
  "release-payload-invalid": {
    severity: "error",
    cause:
      "The image contains manifests, but not those of a release: the metadata, the image references, or the requests are missing, two of them contradict each other, or a manifest is not YAML.",
    cure: "Check the name of the image or the file. If it is right, copy the image again.",
  },
  "release-version-differs": {
    severity: "error",
    cause: "The image of a version, or with a tag that names a version, contains another version.",
    cure: "Check the mirror: the image with the tag of the version is not that release. Copy it again, or name the image by its digest.",
  },
} as const;

/** The findings of `ccf create-key-pair`. */
export const createKeyPair = {
  "key-pair-in-git": {
    severity: "error",
    cause:
      "`ccf create-key-pair` would write a private key into a Git work tree that does not ignore it, or it is unknown whether Git ignores it. Nothing was written.",
    cure: "Set `--output-dir` to a directory outside the work tree, or add `serviceaccount-signer.private` and `bound-service-account-signing-key.key` to .gitignore. To write the keys anyway, use `--allow-in-git`.",
  },
  "key-pair-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf create-key-pair` was killed or failed while it wrote. Each file that it created is complete. The directory `.ccf-create-key-pair` remains from that run.",
    cure: "No action is needed: this run creates the missing files.",
  },
  "key-pair-mismatch": {
    severity: "error",
    cause: "The existing key files do not belong to the same pair, or the private key is missing. Nothing was written.",
    cure: "Remove the wrong file, put the private key next to the other files, or set another `--output-dir`.",
  },
  "private-key-permissions": {
    severity: "warning",
    cause: "Users other than the owner can access a private key file.",
    cure: "Run `chmod 600` on the file. If others could read the file, treat the key as compromised and create a new key pair.",
  },
  "key-pair-unusable": {
    severity: "error",
    cause:
      "An existing private key cannot be used: it cannot be read, is encrypted, or has a type or format that its reader does not accept. The OpenShift installer reads only RSA keys in PKCS#1. Nothing was written.",
    cure: "Follow the message. `openssl rsa -traditional` decrypts an RSA key and writes PKCS#1. With `--no-installer`, keys for kube-apiserver are accepted.",
  },
} as const;

/** Findings about what `ccf diff` cannot compare, or skips. */
export const diff = {
  "cluster-assumed": {
    severity: "info",
    cause:
      "Requests are compared for a cluster with the defaults, because nothing is known about the cluster. The cluster decides which requests are included.",
    cure: "Name its ClusterIdentity with `--identity FILE`, or use the other options of the cluster. If the defaults are right, no action is needed.",
  },
  "nothing-to-compare": {
    severity: "error",
    cause:
      "One of the two sides has no identity to compare: its requests are for another cloud, or a feature set, a feature gate, a capability or a profile excludes all of them. The answer would be that everything is new or gone.",
    cure: "Use the requests of the cluster's cloud and release, and the cluster's own ClusterIdentity or options.",
  },
  "role-definition-invalid": {
    severity: "error",
    cause:
      "A file in the directory of `--role-definitions` is not the definition of a role, or two files define the same role. If it were ignored, a role would be compared, or judged, by an older definition.",
    cure: "Save the output of the command that the message names in a file for each role, and remove other JSON files from the directory.",
  },
  "operators-not-compared": {
    severity: "info",
    cause:
      "A package with roles of OLM operators is compared with requests that do not include theirs, such as those of a release.",
    cure: "No action is needed. To see what changes for OLM operators, compare their own requests, or two packages.",
  },
} as const;

/** The findings of `ccf render`. */
export const render = {
  "kptfile-other-functions": {
    severity: "error",
    cause:
      "The package has functions of other projects in its pipeline, or packages inside it. `ccf render` runs only this project's functions, on one package.",
    cure: "Use `kpt fn render`. If the rest is rendered elsewhere, use `ccf render --only-ours`.",
  },
  "kptfile-invalid": {
    severity: "error",
    cause:
      "`ccf render` cannot run the pipeline of the Kptfile: it contains none of this project's functions, uses selectors or a condition, or names a configuration that does not exist. With selectors, kpt hides from a function what it generated before, and adds all objects again at every run.",
    cure: "Fix the pipeline. Remove selectors: a function reads only what it needs. With a condition, use `kpt fn render`.",
  },
  "operators-not-configured": {
    severity: "warning",
    cause:
      "The package contains requests of OLM operators, but its Kptfile does not run `configure-operators`, so nothing is generated for them. If a role that was rendered for one of them would be removed, this is an error.",
    cure: "Add `configure-operators` to the pipeline, after `generate-cloud-credentials` and with the same `configPath`.",
  },
  "package-not-rendered": {
    severity: "error",
    cause:
      "The package differs from what its requests and its ClusterIdentity render: a source changed after the last render, or a generated file was edited by hand. Nothing was written.",
    cure: "Run `ccf render DIR`, review the changes, and run the command again. Make changes in the ClusterIdentity, not in generated files.",
  },
  "prefix-preserved": {
    severity: "info",
    cause:
      "`ccf render --rename-from` set the resource prefix in the ClusterIdentity. The prefix used to be the name of the ClusterIdentity, which changed. The resources in the cloud keep their names.",
    cure: "No action is needed.",
  },
  "render-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf render`, or another command that writes to the package, was killed or failed while it wrote. Each file has either its old or its new content. The directory `.ccf-render` remains from that run.",
    cure: "No action is needed: the next `ccf render` finishes the work. `--check` and `--stdout` write nothing and do not finish the work.",
  },
} as const;

/** The findings of `ccf report`. */
export const report = {
  "action-not-named": {
    severity: "warning",
    cause:
      "The action of `--who-may` is in the notation of a cloud, but neither the packages nor the definitions of roles in `ccf` name it, and they do not name its service or they name an action with a similar name. Or it is a word that they do not contain, and that `ccf` does not know as an operation of an API. No list of a cloud's actions is complete, so the action may exist. The answer is correct for the action as you wrote it. But if you mistyped the action, it answers a different question.",
    cure: "Compare the action with the documentation of the cloud. If it is correct, no action is needed.",
  },
} as const;

/** The findings of `ccf add-key` and `ccf remove-key`. */
export const keys = {
  "signing-key-last": {
    severity: "error",
    cause:
      "`ccf remove-key` was to remove the last key of a package. Without a key, the package cannot be rendered, and with another one, every token of the cluster is refused until the cluster signs with it. This is a warning if `replace-key` is allowed.",
    cure: "Add the new key with `ccf add-key`, publish it, let the cluster sign with it, and remove the old key later. If the old key is compromised, add the new key, remove the old one with `--allow replace-key`, and follow docs/guides/key-rotation.md.",
  },
  "signing-key-not-found": {
    severity: "error",
    cause:
      "The ID on the command line of `ccf remove-key` is not the ID of a key of the package. A part of an ID is not accepted.",
    cure: "Use one of the IDs that the message lists.",
  },
  "signing-key-of-other-cluster": {
    severity: "error",
    cause:
      "`ccf add-key` was to add a key that another cluster has or would get, too. Anyone who has the private key of one cluster could sign the tokens of the others. Clusters that share a key already get the warning `signing-key-shared` instead.",
    cure: "Create a key pair for each cluster with `ccf create-key-pair`. If the clusters must share the key, accept the rule `signing-key-shared` in the ClusterIdentity of each of them.",
  },
} as const;

/** The findings of `ccf set`. */
export const set = {
  "identity-not-unique": {
    severity: "error",
    cause: "A package does not contain exactly one ClusterIdentity, so it is unknown which one to change.",
    cure: "Keep one ClusterIdentity in the package.",
  },
  "set-other-platform": {
    severity: "error",
    cause: "A field on the command line belongs to a different cloud from that of the package.",
    cure: "Name only packages of that cloud. In a file of `--values`, fields of other clouds are skipped.",
  },
  "set-placeholder-unknown": {
    severity: "error",
    cause:
      "A value contains a placeholder, such as `{partition}`, but the ClusterIdentity does not say what it stands for, or its cloud does not have it.",
    cure: "Set the field that the placeholder stands for, or name only packages that have it, for example with `--selector platform=<cloud>`. In a file of `--values`, write the value below `spec.platform.<cloud>`.",
  },
} as const;

/** The findings of `ccf set-identities`. */
export const setIdentities = {
  "assigned-id-changed": {
    severity: "error",
    cause:
      "For a request, the file and the package contain different IDs. A running cluster uses the identity with the ID in the package. If `replacement` is allowed, this is a warning.",
    cure: "Check that the file is for this cluster. If its identity was created again, use `--allow replacement`.",
  },
  "assigned-id-duplicate": {
    severity: "error",
    cause: "The file contains the same ID for two requests, but each request has its own identity.",
    cure: "Correct one of them, or print the ConfigMap again: `ccf apply --yes --quiet OUT`.",
  },
  "assigned-id-invalid": {
    severity: "error",
    cause: "A value in the file is not an ID of the cloud.",
    cure: "Write the ID that the message asks for. It is not the name of the identity.",
  },
  "assigned-id-missing": {
    severity: "error",
    cause:
      "The package contains the ID of a request, but the file does not. Without the ID, the Secret of the request could not be generated. If `removal` is allowed, this is a warning.",
    cure: "Add the ID to the file. If the identity no longer exists, use `--allow removal:<namespace>/<secret>`, as the message says.",
  },
  "assigned-id-unmatched": {
    severity: "error",
    cause: "The file contains an ID for a Secret that no request in the package names.",
    cure: "Correct the key, remove it from the file, or add the request to the package.",
  },
  "assigned-ids-unnamed": {
    severity: "warning",
    cause:
      "The file does not say which cluster its IDs belong to, so the command cannot tell whether they belong to this one. The keys are the same for every cluster.",
    cure: "Check where the file comes from. After the next render, run `ccf status`, which compares the IDs with the cloud.",
  },
  "assigned-ids-elsewhere": {
    severity: "error",
    cause: "An annotation of the file says that the IDs belong to another cluster.",
    cure: "Use the ConfigMap that `ccf apply` printed for the export of this cluster.",
  },
} as const;

/** Why `ccf update-requests` leaves a package as it is. */
export const updateRequests = {
  "no-request-for-package": {
    severity: "error",
    cause:
      "No request of the release is for the cluster of the package: all are for other clouds, or its feature set, gates, capabilities and profile exclude them. The package is unchanged.",
    cure: "Name the directory with the release's requests for the cloud of the package, or correct `spec.release` of the ClusterIdentity.",
  },
  "request-elsewhere": {
    severity: "error",
    cause:
      "The package has a request for the same Secret as the release, but not as a request of a release in `credentials-requests/`: it is in another directory, or belongs to an OLM operator.",
    cure: "If it is the previous release's request, move its file to `credentials-requests/`. If it belongs to an OLM operator, give it its own Secret.",
  },
  "request-file-shared": {
    severity: "error",
    cause:
      "The release has a file of the same name as a file of the package that also contains something else, which would be lost.",
    cure: "Move what the message names to another file.",
  },
  "transition-unfinished": {
    severity: "error",
    cause:
      "The package still has a request of the release before the previous one, and the new release changes the request for the same Secret again. An identity has what two releases need, not three.",
    cure: "If the upgrade to the release in the package is finished, run `ccf update-requests --final`, render, apply, and run the command again.",
  },
  "update-interrupted": {
    severity: "warning",
    cause:
      "An earlier `ccf update-requests` was killed or failed while it wrote. Each file has either its old or its new content. The directory `.ccf-update-requests` remains from that run.",
    cure: "No action is needed: the next run with the same options finishes the work. `--check` writes nothing and does not finish the work.",
  },
  "update-missing": {
    severity: "error",
    cause: "`--final --from DIR` found that the package does not have the requests of that release yet.",
    cure: "Run the command without `--final` first, render, apply, and upgrade the cluster. Or name the release that the cluster runs.",
  },
} as const;

/** Why `ccf upgradeable-to` refuses. */
export const upgradeableTo = {
  "permissions-missing": {
    severity: "error",
    cause:
      "The requests of the new release ask for permissions that the rendered identities do not have, or it is undecided whether they do.",
    cure: "Bring the release's requests into the package with `ccf update-requests --from DIR`, render, export and apply it, and run the command again. If it is undecided because of a role, provide its definition with `--role-definitions`.",
  },
  "status-invalid": {
    severity: "error",
    cause:
      "The file that `--status` names, or a file in the directory that it names, is not what `ccf status` writes with `--result` or `--results`.",
    cure: "Run `ccf status --result FILE`, or `ccf status --results DIR` for a directory.",
  },
  "status-not-in-sync": {
    severity: "error",
    cause: "The cloud differed from the package, or could not be read.",
    cure: "Run `ccf apply`, and then `ccf status --result FILE`, or `ccf status --results DIR`.",
  },
  "status-of-another-package": {
    severity: "error",
    cause:
      "The cloud was compared with another package, or with an earlier state of this package, or no result in the directory is for this package.",
    cure: "Apply the package, and then run `ccf status --result FILE`, or `ccf status --results DIR`.",
  },
  "status-outdated": {
    severity: "error",
    cause: "The cloud was found in sync too long ago and may have changed since.",
    cure: "Run `ccf status --result FILE`, or `ccf status --results DIR`, again.",
  },
  "upgrade-still-allowed": {
    severity: "warning",
    cause:
      "The command did not allow the upgrade, but the package already contains the annotation for the same release, for example from an earlier run. If the annotation was applied, the cluster accepts the upgrade.",
    cure: "Remove the annotation `cloudcredential.openshift.io/upgradeable-to` from the file, and apply the file. If the cluster is already upgrading, no action is needed.",
  },
} as const;

/** Findings about what `ccf verify-token` cannot find. */
export const verifyToken = {
  "identity-not-found": {
    severity: "error",
    cause: "The component identity given with `--identity` is not in the package or in an `--identity-file`.",
    cure: "Give its name or its whole ID, such as the email address of a service account. Or omit `--identity` to check every identity.",
  },
} as const;
