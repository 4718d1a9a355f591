/** Findings about a ResourceList, and about the objects that a function owns. */
export const explanations = {
  "internal-error": {
    severity: "error",
    cause: "A function or a command failed because of a bug in this project. A function that fails changes nothing.",
    cure: "Report the bug, with the lines that standard error shows. If the message names a value of your input, change that value to avoid the bug.",
  },
  "item-skipped": {
    severity: "warning",
    cause:
      "An object on standard input is not valid YAML (for example, a closing bracket is not indented further than its key), and it names nothing that a function reads. It is passed through unchanged. For a list of objects that functions read or generate, such as a SecretList, it is an error: kubectl would apply its objects.",
    cure: "Correct the YAML in the file that the object comes from. For example, indent the bracket further than its key. Write the objects of a list as separate documents.",
  },
  "name-taken": {
    severity: "error",
    cause:
      "The package contains an object of the same name that this function did not generate. It is never overwritten.",
    cure: "Remove the object. If it was written by hand, you can rename it instead.",
  },
  "not-a-resource-list": {
    severity: "error",
    cause: "Standard input is empty, too large, not UTF-8, not YAML, or not exactly one ResourceList.",
    cure: "Run the function with kpt or kustomize, or pass it a ResourceList: `kpt fn source DIR | ccf generate-cloud-credentials`. To render a directory, use `ccf render DIR`.",
  },
  "object-lost": {
    severity: "error",
    cause:
      "An object that was rendered would be removed, and nothing in the input asks for it. If its removal is allowed, this is a warning.",
    cure: "Restore the input that the object was rendered from. If the removal is intended, run the command in the message, or set the annotation that it names.",
  },
  "object-removed": {
    severity: "info",
    cause: "An object that this function generated before is no longer needed.",
    cure: "No action is needed. In the review, check that the component should lose its credentials.",
  },
  "path-taken": {
    severity: "error",
    cause:
      "The file of a generated object contains another object, or its path is a symbolic link or anything other than a regular file; or the directory of an export contains something that no export wrote. It is never followed or overwritten.",
    cure: "Move the other object to another file, or move the link or file away. Use a separate directory for each export.",
  },
  "text-ambiguous": {
    severity: "error",
    cause:
      "Readers of YAML understand a text differently, so a tool that applies it may see an object that no command compared: a line begins with `---` and goes on; a line ends with U+0085, U+2028, or U+2029; a byte order mark is inside the text; an object has a tag on its `apiVersion`, `kind`, `name`, or `namespace`, a key twice, or a merge (`<<`) after a key that both have.",
    cure: "Write the place that the message names in the plain form that it describes.",
  },
  "yaml-value": {
    severity: "error",
    cause:
      "An object that a function must read has no unambiguous value: a mapping has a duplicate key, a tag is unknown, an alias has no anchor, or aliases repeat too many values.",
    cure: "Write the value out in the object that the message names.",
  },
} as const;
