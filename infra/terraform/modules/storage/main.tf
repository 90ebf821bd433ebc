# Two buckets: what people and the archive keep, and the packages that functions are built from.

terraform {
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}

variable "project" { type = string }
variable "location" { type = string }
variable "protected" { type = bool }

variable "origins" {
  description = "Pages that upload to signed addresses."
  type        = list(string)
}

variable "emails" { type = map(string) }

variable "grants" {
  type = list(object({ account = string, role = string, on = string, when = string }))
}

resource "google_storage_bucket" "objects" {
  project                     = var.project
  name                        = "${var.project}-objects"
  location                    = var.location
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.protected

  # A mistaken delete can be undone for a month.
  versioning {
    enabled = true
  }
  lifecycle_rule {
    condition {
      days_since_noncurrent_time = 30
      with_state                 = "ARCHIVED"
    }
    action {
      type = "Delete"
    }
  }
  lifecycle_rule {
    condition {
      age = 7
    }
    action {
      type = "AbortIncompleteMultipartUpload"
    }
  }
  # The archive of trace events is read rarely, and never changes once its day is over.
  lifecycle_rule {
    condition {
      age            = 60
      matches_prefix = ["trace/"]
    }
    action {
      type          = "SetStorageClass"
      storage_class = "COLDLINE"
    }
  }
  cors {
    origin          = var.origins
    method          = ["GET", "PUT"]
    response_header = ["Content-Type", "Content-Length"]
    max_age_seconds = 3600
  }
}

resource "google_storage_bucket" "packages" {
  project                     = var.project
  name                        = "${var.project}-packages"
  location                    = var.location
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = true

  # A package that was replaced is kept for a while: it is what a rollback takes.
  versioning {
    enabled = true
  }
  lifecycle_rule {
    condition {
      days_since_noncurrent_time = 90
      with_state                 = "ARCHIVED"
    }
    action {
      type = "Delete"
    }
  }
}

resource "google_storage_bucket_iam_member" "granted" {
  for_each = {
    for row in var.grants : "${row.account} ${row.role} ${row.on}" => row if contains(["objects", "packages"], row.on)
  }
  bucket = each.value.on == "objects" ? google_storage_bucket.objects.name : google_storage_bucket.packages.name
  role   = each.value.role
  member = "serviceAccount:${var.emails[each.value.account]}"
}

output "objects" { value = google_storage_bucket.objects.name }

output "packages" {
  value      = google_storage_bucket.packages.name
  depends_on = [google_storage_bucket_iam_member.granted]
}
