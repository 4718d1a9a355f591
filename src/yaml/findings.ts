/** What keeps a text from being edited. */
export const findings = {
  "field-not-editable": {
    severity: "error",
    cause:
      "A field must be set in an object that is kept, and its text cannot be changed in one place alone, because an anchor or an alias is on the way.",
    cure: "Write the value out as a plain one, without anchor and alias.",
  },
} as const;
