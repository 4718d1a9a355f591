/** What a run says of a ResourceList and of the objects that it owns. */
export const findings = {
  "item-skipped": {
    severity: "warning",
    cause:
      "An object on standard input is not valid YAML, such as one with a closing bracket as far left as its key, and names nothing that a function reads. It passes through as it came.",
    cure: "Indent the bracket further than its key, in the file that the object comes from.",
  },
  "name-taken": {
    severity: "error",
    cause: "An object of the same name is in the package, and this function did not make it. It is never overwritten.",
    cure: "Remove the object, or give the one that was made by hand another name.",
  },
  "not-a-resource-list": {
    severity: "error",
    cause: "Standard input is empty, too large, not UTF-8, not YAML, or is not exactly one ResourceList.",
    cure: "Run the function through kpt or kustomize, or give it a ResourceList: `kpt fn source DIR | ccf generate-cloud-credentials`. For a directory use `ccf render DIR`.",
  },
  "object-removed": {
    severity: "info",
    cause: "An object that this function made before is no longer needed.",
    cure: "None is needed; in a review, check that its component is meant to lose its credentials.",
  },
  "path-taken": {
    severity: "error",
    cause:
      "The file of a generated object holds another object; a symbolic link, or anything else that is not a regular file, is where one must be; or something that no export wrote is in the directory of an export. It is never followed or overwritten.",
    cure: "Move it away, or the other object to another file. Export to a directory of its own.",
  },
  "yaml-value": {
    severity: "error",
    cause:
      "An object that a function must read has no clear value: a key twice in one mapping, an unknown tag, an alias without its anchor, or aliases that repeat values without end.",
    cure: "Write the value out; the message names the object.",
  },
} as const;
