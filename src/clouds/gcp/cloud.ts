import type { Cloud } from "../cloud.ts";
import { gcpNames } from "./names.ts";

/** Google Cloud. Its requests are compared; nothing is rendered for it yet. */
export const gcp: Cloud = gcpNames;
