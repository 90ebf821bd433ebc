# The APIs, and the agents by which Google's services act in this project.

terraform {
  required_version = ">= 1.11"
  required_providers {
    google      = { source = "hashicorp/google", version = "~> 6.50" }
    google-beta = { source = "hashicorp/google-beta", version = "~> 6.50" }
  }
}

variable "project" { type = string }

locals {
  services = [
    "aiplatform.googleapis.com",
    "artifactregistry.googleapis.com",
    "billingbudgets.googleapis.com",
    "cloudbuild.googleapis.com",
    "cloudfunctions.googleapis.com",
    "cloudresourcemanager.googleapis.com",
    "cloudscheduler.googleapis.com",
    "eventarc.googleapis.com",
    "firebase.googleapis.com",
    "firebasehosting.googleapis.com",
    "firebaserules.googleapis.com",
    "firestore.googleapis.com",
    "generativelanguage.googleapis.com",
    "iam.googleapis.com",
    "iamcredentials.googleapis.com",
    "logging.googleapis.com",
    "monitoring.googleapis.com",
    "pubsub.googleapis.com",
    "run.googleapis.com",
    "secretmanager.googleapis.com",
    "storage.googleapis.com",
    "workflowexecutions.googleapis.com",
    "workflows.googleapis.com",
  ]
  # A new project has these agents only once they are asked for, and triggers made before that fail.
  agents = {
    "eventarc.googleapis.com"       = "roles/eventarc.serviceAgent"
    "pubsub.googleapis.com"         = "roles/pubsub.serviceAgent"
    "workflows.googleapis.com"      = "roles/workflows.serviceAgent"
    "cloudscheduler.googleapis.com" = "roles/cloudscheduler.serviceAgent"
  }
}

resource "google_project_service" "each" {
  for_each           = toset(local.services)
  project            = var.project
  service            = each.value
  disable_on_destroy = false
}

resource "google_project_service_identity" "agent" {
  for_each   = local.agents
  provider   = google-beta
  project    = var.project
  service    = each.key
  depends_on = [google_project_service.each]
}

resource "google_project_iam_member" "agent" {
  for_each = local.agents
  project  = var.project
  role     = each.value
  member   = google_project_service_identity.agent[each.key].member
}

data "google_project" "this" {
  project_id = var.project
  depends_on = [google_project_service.each]
}

output "number" {
  value      = data.google_project.this.number
  depends_on = [google_project_iam_member.agent]
}
