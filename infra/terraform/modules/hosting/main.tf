# A site of Firebase Hosting for the page. Its files and headers are sent by `python -m infra.terraform.hosting`.

terraform {
  required_providers {
    google-beta = { source = "hashicorp/google-beta", version = "~> 6.50" }
  }
}

variable "project" { type = string }
variable "site" { type = string }

resource "google_firebase_project" "this" {
  provider = google-beta
  project  = var.project
}

resource "google_firebase_hosting_site" "this" {
  provider = google-beta
  project  = google_firebase_project.this.project
  site_id  = var.site
}

output "url" { value = google_firebase_hosting_site.this.default_url }
