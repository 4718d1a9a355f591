/** The findings of `ccf report`. */
export const explanations = {
  "action-not-named": {
    severity: "warning",
    cause:
      "The action of `--who-may` is in the notation of a cloud, but neither the packages nor the definitions of roles in `ccf` name it, and they do not name its service or they name an action with a similar name. The answer is correct for the action as you wrote it. But if you mistyped the action, it answers a different question.",
    cure: "Compare the action with the documentation of the cloud. If it is correct, no action is needed.",
  },
} as const;
