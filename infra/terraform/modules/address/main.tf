# How this project's services are addressed, known before there is any function.
#
# A function must know its own address: it checks that tokens are meant for it, and Eventarc means the service's own. The
# part after the name is the same for all services of a project and region, so one that never runs tells it.

terraform {
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}

variable "project" { type = string }
variable "location" { type = string }

locals { name = "memex-address" }

resource "google_cloud_run_v2_service" "address" {
  project             = var.project
  location            = var.location
  name                = local.name
  description         = "Never called: its address tells that of every function."
  ingress             = "INGRESS_TRAFFIC_INTERNAL_ONLY"
  deletion_protection = false
  template {
    service_account = var.account
    scaling {
      min_instance_count = 0
      max_instance_count = 1
    }
    containers {
      image = "us-docker.pkg.dev/cloudrun/container/hello"
    }
  }
}

variable "account" { type = string }

output "function_url" {
  value = replace(google_cloud_run_v2_service.address.uri, "https://${local.name}", "https://{name}")
}
