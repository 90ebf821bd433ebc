# staging. Values that are yours alone go into terraform.tfvars, which is not committed; docs/deploy.md says which.

terraform {
  required_version = ">= 1.11"
  required_providers {
    google      = { source = "hashicorp/google", version = "~> 6.50" }
    google-beta = { source = "hashicorp/google-beta", version = "~> 6.50" }
  }
}

provider "google" {
  project               = var.project
  region                = var.location
  user_project_override = true
  billing_project       = var.project
}

provider "google-beta" {
  project               = var.project
  region                = var.location
  user_project_override = true
  billing_project       = var.project
}

variable "project" { type = string }

variable "location" {
  type    = string
  default = "us-central1"
}

variable "settings" {
  type    = map(string)
  default = {}
}

variable "secret_names" {
  type    = set(string)
  default = ["API_TOKENS", "GEMINI_API_KEY"]
}

variable "secret_values" {
  type      = map(string)
  default   = {}
  sensitive = true
  ephemeral = true
}

variable "secret_version" {
  type    = number
  default = 1
}

variable "alert_emails" {
  type    = set(string)
  default = []
}

variable "billing_account" {
  type    = string
  default = ""
}

module "memex" {
  source          = "../../modules/memex"
  project         = var.project
  environment     = "staging"
  location        = var.location
  settings        = var.settings
  secret_names    = var.secret_names
  secret_values   = var.secret_values
  secret_version  = var.secret_version
  alert_emails    = var.alert_emails
  billing_account = var.billing_account
  protected       = false
  backup_days     = 7
  monthly_budget  = 20
}

output "function_url" { value = module.memex.function_url }
output "public" { value = module.memex.public }
output "private" { value = module.memex.private }
output "page" { value = module.memex.page }
output "site" { value = module.memex.site }
output "project" { value = module.memex.project }
