# Firestore: the database, its indexes and overrides from the file that the local cloud enforces, rules, backups.

terraform {
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}

variable "project" { type = string }
variable "location" { type = string }
variable "database" { type = string }
variable "protected" { type = bool }
variable "backup_days" { type = number }

locals {
  described = jsondecode(file("${path.module}/../../../firestore.indexes.json"))
  indexes = {
    for index in local.described.indexes : join(" ", concat(
      [index.collectionGroup, index.queryScope],
      [for field in index.fields : "${field.fieldPath}:${try(field.order, field.arrayConfig, "VECTOR")}"],
    )) => index
  }
  overrides = { for field in local.described.fieldOverrides : "${field.collectionGroup} ${field.fieldPath}" => field }
}

resource "google_firestore_database" "this" {
  project                           = var.project
  name                              = var.database
  location_id                       = var.location
  type                              = "FIRESTORE_NATIVE"
  concurrency_mode                  = "OPTIMISTIC"
  point_in_time_recovery_enablement = "POINT_IN_TIME_RECOVERY_ENABLED"
  delete_protection_state           = var.protected ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED"
  deletion_policy                   = var.protected ? "ABANDON" : "DELETE"
}

resource "google_firestore_index" "each" {
  for_each    = local.indexes
  project     = var.project
  database    = google_firestore_database.this.name
  collection  = each.value.collectionGroup
  query_scope = each.value.queryScope

  dynamic "fields" {
    for_each = each.value.fields
    content {
      field_path   = fields.value.fieldPath
      order        = try(fields.value.order, null)
      array_config = try(fields.value.arrayConfig, null)

      dynamic "vector_config" {
        for_each = try([fields.value.vectorConfig], [])
        content {
          dimension = vector_config.value.dimension
          flat {}
        }
      }
    }
  }
}

resource "google_firestore_field" "each" {
  for_each   = local.overrides
  project    = var.project
  database   = google_firestore_database.this.name
  collection = each.value.collectionGroup
  field      = each.value.fieldPath

  index_config {
    dynamic "indexes" {
      for_each = each.value.indexes
      content {
        order        = try(indexes.value.order, null)
        array_config = try(indexes.value.arrayConfig, null)
        query_scope  = indexes.value.queryScope
      }
    }
  }

  dynamic "ttl_config" {
    for_each = try(each.value.ttl, false) ? [1] : []
    content {}
  }
}

resource "google_firestore_backup_schedule" "daily" {
  project   = var.project
  database  = google_firestore_database.this.name
  retention = "${var.backup_days * 86400}s"
  daily_recurrence {}
}

# Functions come with accounts, which rules do not bind; everyone else is refused everything.
resource "google_firebaserules_ruleset" "deny" {
  project = var.project
  source {
    files {
      name    = "firestore.rules"
      content = file("${path.module}/firestore.rules")
    }
  }
  depends_on = [google_firestore_database.this]
}

resource "google_firebaserules_release" "deny" {
  project      = var.project
  name         = var.database == "(default)" ? "cloud.firestore" : "cloud.firestore/${var.database}"
  ruleset_name = google_firebaserules_ruleset.deny.name
}

output "database" { value = google_firestore_database.this.name }
