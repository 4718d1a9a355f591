import type { Cloud } from "../cloud.ts";

/** Microsoft Azure. Requests for it are compared; nothing is rendered for it yet. */
export const azure: Cloud = { name: "azure", title: "Azure", providerKind: "AzureProviderSpec" };
