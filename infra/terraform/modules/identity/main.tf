# One account a function and workflow, with what roles.json says, and why, and nothing more.

terraform {
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}

variable "project" { type = string }

variable "conditions" {
  description = "Which conditional roles apply: always, vertex, agent-engine."
  type        = set(string)
}

locals {
  table = jsondecode(file("${path.module}/../../roles.json"))
  rows = flatten([
    for account, granted in local.table.accounts : [
      for capability, why in granted : [
        for row in local.table.capabilities[capability] : merge(row, { account = account })
        if contains(var.conditions, row.when)
      ]
    ]
  ])
  grants = { for row in local.rows : "${row.account} ${row.role} ${row.on}" => row... }
}

resource "google_service_account" "each" {
  for_each     = local.table.accounts
  project      = var.project
  account_id   = each.key
  display_name = "Memex ${each.key}"
  description  = substr(join(" ", values(each.value)), 0, 256)
}

resource "google_project_iam_member" "granted" {
  for_each = { for key, rows in local.grants : key => rows[0] if rows[0].on == "project" }
  project  = var.project
  role     = each.value.role
  member   = google_service_account.each[each.value.account].member
}

resource "google_service_account_iam_member" "self" {
  for_each           = { for key, rows in local.grants : key => rows[0] if rows[0].on == "self" }
  service_account_id = google_service_account.each[each.value.account].name
  role               = each.value.role
  member             = google_service_account.each[each.value.account].member
}

output "emails" {
  description = "Address by short name."
  value       = { for name, account in google_service_account.each : name => account.email }
  depends_on  = [google_project_iam_member.granted]
}

output "grants" {
  description = "What other modules grant on what they own: rows of account, role and on."
  value       = [for key, rows in local.grants : rows[0] if !contains(["project", "self"], rows[0].on)]
}

output "ids" {
  description = "Full name by short name, as builds want it."
  value       = { for name, account in google_service_account.each : name => account.id }
  depends_on  = [google_project_iam_member.granted]
}
