/**
 * The regions whose managed identities take no federated credentials: a PUT is answered with 405, "Support for federated
 * identity credentials not enabled" (Microsoft Entra documentation, "Important considerations and restrictions for federated
 * identity credentials", of the date). Microsoft adds support region by region: in 2023, the list had ten others.
 */
export const unfederatedRegions: { readonly date: string; readonly regions: readonly string[] } = {
  date: "2024-02-28",
  regions: ["malaysiasouth", "newzealandnorth"],
};
