# The workflows, from the same sources that the local cloud runs.

terraform {
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}

variable "project" { type = string }
variable "location" { type = string }
variable "root" { type = string }

variable "workflows" {
  description = "By name: the row of the manifest."
  type = map(object({
    source          = string
    service_account = string
    env             = map(string)
  }))
}

variable "emails" { type = map(string) }
variable "function_url" { type = string }

resource "google_workflows_workflow" "each" {
  for_each            = var.workflows
  project             = var.project
  region              = var.location
  name                = each.key
  description         = "Memex ${each.key}"
  service_account     = var.emails[each.value.service_account]
  source_contents     = file("${var.root}/${each.value.source}")
  call_log_level      = "LOG_ERRORS_ONLY"
  deletion_protection = false
  user_env_vars = {
    for name, value in each.value.env : name => startswith(value, "function:")
    ? replace(var.function_url, "{name}", trimprefix(value, "function:")) : value
  }
}

output "names" { value = [for workflow in google_workflows_workflow.each : workflow.name] }
