# Secrets, readable by the functions whose row names them. Their values pass through and are not kept in the state.

terraform {
  required_version = ">= 1.11"
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}

variable "project" { type = string }
variable "names" { type = set(string) }
variable "values_version" { type = number }

variable "secret_values" {
  type      = map(string)
  sensitive = true
  ephemeral = true
}

variable "readers" {
  description = "By secret: the short names of the accounts that read it."
  type        = map(set(string))
}

variable "emails" { type = map(string) }

locals {
  reads = merge([
    for name in var.names : { for account in try(var.readers[name], []) : "${name} ${account}" => [name, account] }
  ]...)
}

resource "google_secret_manager_secret" "each" {
  for_each  = var.names
  project   = var.project
  secret_id = each.value
  replication {
    auto {}
  }
}

resource "google_secret_manager_secret_version" "given" {
  for_each               = var.names
  secret                 = google_secret_manager_secret.each[each.value].id
  secret_data_wo         = lookup(var.secret_values, each.value, "")
  secret_data_wo_version = var.values_version
  deletion_policy        = "ABANDON"
}

resource "google_secret_manager_secret_iam_member" "reader" {
  for_each  = local.reads
  project   = var.project
  secret_id = google_secret_manager_secret.each[each.value[0]].secret_id
  role      = "roles/secretmanager.secretAccessor"
  member    = "serviceAccount:${var.emails[each.value[1]]}"
}

output "ids" {
  description = "The id of each secret that has a value and its readers."
  value       = { for name, secret in google_secret_manager_secret.each : name => secret.secret_id }
  depends_on  = [google_secret_manager_secret_version.given, google_secret_manager_secret_iam_member.reader]
}
