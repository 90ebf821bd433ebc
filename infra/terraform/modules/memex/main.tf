# The whole of Memex in one project: what functions/manifest.yaml lists, and all that it stands on.

terraform {
  required_version = ">= 1.11"
  required_providers {
    google      = { source = "hashicorp/google", version = "~> 6.50" }
    google-beta = { source = "hashicorp/google-beta", version = "~> 6.50" }
  }
}

locals {
  root     = "${path.module}/../../../.."
  manifest = yamldecode(file("${local.root}/functions/manifest.yaml"))
  site     = var.site == "" ? var.project : var.site

  # What a row leaves out, as shared/contracts/manifest.py has it; a test compares the two.
  defaults = {
    callers         = []
    memory          = "256Mi"
    cpu             = 1
    timeout_seconds = 60
    concurrency     = 8
    threads         = 8
    min_instances   = 0
    max_instances   = 10
    secrets         = []
    env             = {}
  }
  functions = { for row in local.manifest.functions : row.name => merge(local.defaults, row) }
  workflows = { for row in local.manifest.workflows : row.name => merge({ env = {} }, row) }
  readers = {
    for name in var.secret_names :
    name => toset([for row in values(local.functions) : row.service_account if contains(row.secrets, name)])
  }
  vertex = contains(
    [for name in ["MODEL_BACKEND", "RESEARCH_BACKEND"] : lookup(var.settings, name, "")], "vertex"
  )
  conditions = toset(concat(
    ["always"],
    local.vertex ? ["vertex"] : [],
    lookup(var.settings, "SESSIONS", "firestore") == "agent-engine" ? ["agent-engine"] : [],
  ))

  function_url = lookup(var.settings, "FUNCTION_URL", module.address.function_url)

  # What functions find in their environment, as infra/local/environment.py gives it in the local cloud.
  settings = merge({
    GOOGLE_CLOUD_PROJECT = var.project
    MEMEX_LOCATION       = var.location
    MEMEX_DATABASE       = var.database
    FUNCTION_URL         = local.function_url
    FUNCTION_CALLERS = join(";", [
      for name, row in local.functions : "${name}=${join(",", [for caller in row.callers : module.identity.emails[caller]])}"
      if length(row.callers) > 0
    ])
    OBJECTS_URL  = "gs://${module.storage.objects}"
    CORS_ORIGINS = "https://${local.site}.web.app,https://${local.site}.firebaseapp.com"
  }, var.settings)
}

module "project" {
  source  = "../project"
  project = var.project
}

module "identity" {
  source     = "../identity"
  project    = var.project
  conditions = local.conditions
  depends_on = [module.project]
}

module "data" {
  source      = "../data"
  project     = var.project
  location    = var.database_location == "" ? var.location : var.database_location
  database    = var.database
  protected   = var.protected
  backup_days = var.backup_days
  depends_on  = [module.project]
}

module "storage" {
  source     = "../storage"
  project    = var.project
  location   = var.location
  protected  = var.protected
  origins    = ["https://${local.site}.web.app", "https://${local.site}.firebaseapp.com"]
  emails     = module.identity.emails
  grants     = module.identity.grants
  depends_on = [module.project]
}

module "messages" {
  source  = "../messages"
  project = var.project
  number  = module.project.number
  topics  = toset([for row in local.manifest.topics : row.name])
  emails  = module.identity.emails
  grants  = module.identity.grants
}

module "secrets" {
  source         = "../secrets"
  project        = var.project
  names          = var.secret_names
  secret_values  = var.secret_values
  values_version = var.secret_version
  readers        = local.readers
  emails         = module.identity.emails
}

module "address" {
  source   = "../address"
  project  = var.project
  location = var.location
  account  = module.identity.emails["scheduler"]
}

module "functions" {
  source        = "../functions"
  project       = var.project
  location      = var.location
  runtime       = var.runtime
  bucket        = module.storage.packages
  packages      = "${local.root}/dist"
  functions     = local.functions
  emails        = module.identity.emails
  build_account = module.identity.ids["builder"]
  settings      = local.settings
  function_url  = local.function_url
  secret_ids    = module.secrets.ids
  depends_on    = [module.project]
}

module "workflows" {
  source       = "../workflows"
  project      = var.project
  location     = var.location
  root         = local.root
  workflows    = local.workflows
  emails       = module.identity.emails
  function_url = local.function_url
  depends_on   = [module.project]
}

module "triggers" {
  source            = "../triggers"
  project           = var.project
  location          = var.location
  database_location = var.database_location == "" ? var.location : var.database_location
  database          = module.data.database
  number            = module.project.number
  functions         = local.functions
  services          = module.functions.names
  function_url      = local.function_url
  topics            = module.messages.topics
  dead_topics       = module.messages.dead
  eventarc_email    = module.identity.emails["eventarc"]
  scheduler_email   = module.identity.emails["scheduler"]
}

module "hosting" {
  source     = "../hosting"
  project    = var.project
  site       = local.site
  depends_on = [module.project]
}

module "watching" {
  source         = "../watching"
  project        = var.project
  alert_emails   = var.alert_emails
  failures_topic = module.messages.topics["trace-events"]
}

module "budget" {
  source          = "../budget"
  count           = var.billing_account == "" ? 0 : 1
  billing_account = var.billing_account
  number          = module.project.number
  name            = var.environment
  amount          = var.monthly_budget
  currency        = var.currency
  channels        = module.watching.channels
}

output "function_url" {
  description = "The address of a function, {name} standing for its name."
  value       = local.function_url
}

output "public" {
  description = "The addresses that people and clients use."
  value = {
    for name, row in local.functions : name => replace(local.function_url, "{name}", name)
    if row.invoker == "public"
  }
}

output "private" {
  description = "The addresses that must refuse everyone else."
  value = {
    for name, row in local.functions : name => replace(local.function_url, "{name}", name)
    if row.invoker == "private"
  }
}

output "page" { value = module.hosting.url }
output "site" { value = local.site }
output "project" { value = var.project }
