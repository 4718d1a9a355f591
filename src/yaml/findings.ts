/** Findings about text that cannot be edited. */
export const explanations = {
  "field-not-editable": {
    severity: "error",
    cause:
      "A field of an object must be set, but its text cannot be changed in place: it has an anchor that is used elsewhere, it is an alias, or it has an unexpected type.",
    cure: "Write the field out as a plain value, without an anchor or alias.",
  },
} as const;
