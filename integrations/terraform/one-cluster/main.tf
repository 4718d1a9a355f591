# The root module of one cluster: roots/demo/main.tf, if the package is in clusters/demo and its export in out/demo.
# Each cluster has its own root module, and so its own state. docs/guides/terraform.md describes it.
#
# Add a backend, and keep the provider block of your cloud.

provider "aws" {
  region = "us-east-2"
}

# provider "google" {}
#
# provider "azurerm" {
#   features {}
#   subscription_id = "22222222-2222-2222-2222-222222222222"
#   # Without it, the provider needs the keys of the storage account, which a package forbids by default.
#   storage_use_azuread = true
# }

# Import blocks name this module, so it has the name of the ClusterIdentity.
module "demo" {
  source = "../../out/demo/terraform"
}

output "demo" {
  value = module.demo
}
