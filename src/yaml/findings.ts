/** What keeps a text from being edited. */
export const findings = {
  "field-not-editable": {
    severity: "error",
    cause: "A field of an object that is kept must be set, but an anchor or an alias repeats its text elsewhere.",
    cure: "Write the value out, without an anchor or an alias.",
  },
} as const;
