import type { Cloud } from "../cloud.ts";
import { gcpNames } from "./names.ts";

/** Google Cloud. Requests for it are compared; nothing is rendered for it yet. */
export const gcp: Cloud = gcpNames;
