/** Findings about the service accounts of OLM operators. */
export const explanations = {
  "service-account-replaced": {
    severity: "warning",
    cause: "A request named a service account or an audience other than the one that is generated for it.",
    cure: "In the review, check which one is intended. To keep the old service account, set `serviceAccountID` in an override.",
  },
} as const;
