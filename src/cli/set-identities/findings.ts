/** The findings of `ccf set-identities`. */
export const explanations = {
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
