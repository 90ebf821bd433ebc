# The functions of the manifest, from the packages of `make package`.

terraform {
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}

variable "project" { type = string }
variable "location" { type = string }
variable "runtime" { type = string }
variable "bucket" { type = string }

variable "packages" {
  description = "The folder with one zip a function."
  type        = string
}

variable "functions" {
  description = "By name: the row of the manifest."
  type = map(object({
    entry_point     = string
    invoker         = string
    service_account = string
    callers         = list(string)
    memory          = string
    cpu             = number
    timeout_seconds = number
    concurrency     = number
    threads         = number
    min_instances   = number
    max_instances   = number
    secrets         = list(string)
    env             = map(string)
  }))
}

variable "emails" { type = map(string) }
variable "build_account" { type = string }

variable "settings" {
  description = "What every function finds in its environment."
  type        = map(string)
}

variable "function_url" {
  description = "The address that every function must turn out to have, {name} standing for its name."
  type        = string
}

variable "secret_ids" { type = map(string) }

locals {
  callers = merge([
    for name, row in var.functions : {
      for caller in row.invoker == "public" ? ["allUsers"] : row.callers : "${name} ${caller}" => [name, caller]
    }
  ]...)
}

# Each build leaves an image of more than a gigabyte: of every function the last three are kept, so that one can go back.
resource "google_artifact_registry_repository" "images" {
  project       = var.project
  location      = var.location
  repository_id = "memex-functions"
  format        = "DOCKER"
  description   = "Images of the functions"

  cleanup_policies {
    id     = "keep-the-last"
    action = "KEEP"
    most_recent_versions {
      keep_count = 3
    }
  }
  cleanup_policies {
    id     = "delete-the-rest"
    action = "DELETE"
    condition {
      older_than = "86400s"
    }
  }
}

resource "google_storage_bucket_object" "package" {
  for_each = var.functions
  bucket   = var.bucket
  name     = "functions/${each.key}-${filemd5("${var.packages}/${each.key}.zip")}.zip"
  source   = "${var.packages}/${each.key}.zip"
}

resource "google_cloudfunctions2_function" "each" {
  for_each    = var.functions
  project     = var.project
  location    = var.location
  name        = each.key
  description = "Memex ${each.key}"

  build_config {
    runtime           = var.runtime
    entry_point       = each.value.entry_point
    service_account   = var.build_account
    docker_repository = google_artifact_registry_repository.images.id
    source {
      storage_source {
        bucket = var.bucket
        object = google_storage_bucket_object.package[each.key].name
      }
    }
  }

  service_config {
    available_memory                 = each.value.memory
    available_cpu                    = tostring(each.value.cpu)
    timeout_seconds                  = each.value.timeout_seconds
    max_instance_request_concurrency = each.value.concurrency
    min_instance_count               = each.value.min_instances
    max_instance_count               = each.value.max_instances
    service_account_email            = var.emails[each.value.service_account]
    ingress_settings                 = each.value.invoker == "public" ? "ALLOW_ALL" : "ALLOW_INTERNAL_ONLY"
    all_traffic_on_latest_revision   = true
    environment_variables            = merge(var.settings, each.value.env, { THREADS = tostring(each.value.threads) })

    dynamic "secret_environment_variables" {
      for_each = [for name in each.value.secrets : name if contains(keys(var.secret_ids), name)]
      content {
        key        = secret_environment_variables.value
        project_id = var.project
        secret     = var.secret_ids[secret_environment_variables.value]
        version    = "latest"
      }
    }
  }

  lifecycle {
    postcondition {
      condition     = self.service_config[0].uri == replace(var.function_url, "{name}", each.key)
      error_message = "The function has another address than FUNCTION_URL says, so it would refuse its callers: see docs/deploy.md, Addresses."
    }
  }
}

# A function is a service of Cloud Run, and that is where it is said who may call it.
resource "google_cloud_run_v2_service_iam_member" "caller" {
  for_each = local.callers
  project  = var.project
  location = var.location
  name     = google_cloudfunctions2_function.each[each.value[0]].name
  role     = "roles/run.invoker"
  member   = each.value[1] == "allUsers" ? "allUsers" : "serviceAccount:${var.emails[each.value[1]]}"
}

output "names" {
  description = "By name: the service, once its callers may call it."
  value       = { for name, function in google_cloudfunctions2_function.each : name => function.name }
  depends_on  = [google_cloud_run_v2_service_iam_member.caller]
}
