# The root module of several clusters in one state: a module block for each export, and a provider block for each account.
# A failure in one cluster stops the plan of all, so prefer a root module for each cluster.

provider "aws" {
  alias  = "production"
  region = "us-east-2"
  # assume_role { role_arn = "arn:aws:iam::123456789012:role/terraform" }
}

module "demo" {
  source    = "../../out/demo/terraform"
  providers = { aws = aws.production }
}

module "demo-east" {
  source    = "../../out/demo-east/terraform"
  providers = { aws = aws.production }
}

output "clusters" {
  value = {
    demo      = module.demo
    demo-east = module.demo-east
  }
}
