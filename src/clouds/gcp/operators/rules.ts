import type { OperatorRules } from "../../cloud.ts";

/** What messages about OLM operators say of GCP. */
export const operatorRules: OperatorRules = {
  secretsSince: "4.17",
  isName: (value) =>
    /^[a-z0-9-]+@[a-z0-9.-]+\.iam\.gserviceaccount\.com$/.test(value) || value.startsWith("//iam.googleapis.com/"),
};
