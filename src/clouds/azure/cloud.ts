import type { Cloud } from "../cloud.ts";
import { azureNames } from "./names.ts";

/** Microsoft Azure. Its requests are compared; nothing is rendered for it yet. */
export const azure: Cloud = azureNames;
