import { awsTerraform } from "./aws/terraform.ts";
import { azureTerraform } from "./azure/terraform.ts";
import { gcpTerraform } from "./gcp/terraform.ts";
import type { TerraformMapping } from "./terraform.ts";

/** What maps a package to resources of Terraform, by the name of the cloud. Only `ccf export` loads it. */
export const terraformMappings: Record<string, TerraformMapping> = {
  aws: awsTerraform,
  azure: azureTerraform,
  gcp: gcpTerraform,
};
