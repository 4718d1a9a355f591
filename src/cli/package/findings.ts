/** Findings about the package of a cluster. */
export const explanations = {
  "generated-hidden": {
    severity: "error",
    cause:
      "`.krmignore` excludes the Kptfile of the package, a file with a generated object, a path that a function generates, or the file for the IDs that the cloud assigned. The command would neither compare the object with its sources nor remove it, but a tool that applies the directory would apply the object.",
    cure: "Remove the pattern from `.krmignore`. If the object is no longer needed, delete its file.",
  },
  "generated-orphan": {
    severity: "error",
    cause:
      "An object has the annotation `fn.cloudcredential.dev/generated-by`, but no function of the pipeline owns it: the function was taken out of the Kptfile, the annotation names another ClusterIdentity, the object was moved or copied to another file, or the Kptfile and the ClusterIdentity are gone. It is not compared with anything, so `ccf render --check` could not say whether it was changed. No flag allows this, because a function never removes what it does not own.",
    cure: "Add the function to the pipeline of the Kptfile. If the object is no longer needed, delete it. If you wrote it yourself, remove the annotation.",
  },
  "krmignore-too-large": {
    severity: "error",
    cause:
      "A `.krmignore` file has a size of more than 64 KiB, more than 1000 patterns, or a pattern with more than three `*` in one name. Its patterns would take too long to match, so it was not used, and it is unknown which files it excludes.",
    cure: "Exclude directories instead of individual files, or move the files out of the package.",
  },
  "not-a-package": {
    severity: "error",
    cause:
      "The directory named on the command line contains neither a Kptfile nor a ClusterIdentity, or its `.krmignore` excludes them.",
    cure: "Name the directory of a package; the message lists the packages inside the directory. To create a package, run `ccf init`. If `.krmignore` excludes the files, correct it.",
  },
  "object-hidden": {
    severity: "error",
    cause:
      "`.krmignore` excludes a file in `manifests/`, or a Secret, an Authentication, a CredentialsRequest, or a ClusterIdentity. No command reads the file, but a tool that applies the directory does, so it could replace a generated object without a change that a check sees.",
    cure: "Remove the line that the message names from `.krmignore`, or move the file out of the package.",
  },
} as const;
