# What calls functions by itself: changes of documents, messages, the time of day.

terraform {
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}

variable "project" { type = string }
variable "location" { type = string }
variable "database_location" { type = string }
variable "database" { type = string }
variable "number" { type = string }

variable "functions" {
  description = "By name: the trigger of the row and its timeout."
  type = map(object({
    timeout_seconds = number
    trigger = object({
      type     = string
      event    = optional(string)
      document = optional(string)
      topic    = optional(string)
      cron     = optional(string)
      retry    = optional(bool, true)
    })
  }))
}

variable "services" {
  description = "By function: its service."
  type        = map(string)
}

variable "function_url" { type = string }
variable "topics" { type = map(string) }
variable "dead_topics" { type = map(string) }
variable "eventarc_email" { type = string }
variable "scheduler_email" { type = string }

locals {
  on_documents = { for name, row in var.functions : name => row if row.trigger.type == "firestore" }
  on_messages  = { for name, row in var.functions : name => row if row.trigger.type == "pubsub" }
  scheduled    = { for name, row in var.functions : name => row if row.trigger.type == "schedule" }
}

# A trigger of Eventarc's own tries again for a day; the manifest's `retry: true` is what it does.
resource "google_eventarc_trigger" "document" {
  for_each                = local.on_documents
  project                 = var.project
  location                = var.database_location
  name                    = each.key
  service_account         = var.eventarc_email
  event_data_content_type = "application/protobuf"

  matching_criteria {
    attribute = "type"
    value     = each.value.trigger.event
  }
  matching_criteria {
    attribute = "database"
    value     = var.database
  }
  matching_criteria {
    attribute = "document"
    value     = each.value.trigger.document
    operator  = "match-path-pattern"
  }
  destination {
    cloud_run_service {
      service = var.services[each.key]
      region  = var.location
    }
  }

  lifecycle {
    precondition {
      condition     = each.value.trigger.retry
      error_message = "A trigger of Eventarc's own always tries again: the manifest must say retry: true."
    }
  }
}

# A subscription of ours instead of one that Eventarc makes: dead letters can be had of this one only. The topic stands in
# the path, from where functions-framework takes it. Events are in no order, and no subscriber needs one.
resource "google_pubsub_subscription" "each" {
  for_each                   = local.on_messages
  project                    = var.project
  name                       = "eventarc-${each.key}"
  topic                      = var.topics[each.value.trigger.topic]
  ack_deadline_seconds       = 600
  message_retention_duration = "604800s"
  enable_message_ordering    = false

  push_config {
    push_endpoint = "${replace(var.function_url, "{name}", each.key)}/${var.topics[each.value.trigger.topic]}"
    oidc_token {
      service_account_email = var.eventarc_email
      audience              = replace(var.function_url, "{name}", each.key)
    }
  }
  retry_policy {
    minimum_backoff = "10s"
    maximum_backoff = "600s"
  }
  dead_letter_policy {
    dead_letter_topic     = var.dead_topics[each.value.trigger.topic]
    max_delivery_attempts = 100
  }
  expiration_policy {
    ttl = ""
  }

  lifecycle {
    precondition {
      condition     = contains(keys(var.services), each.key) && each.value.trigger.retry
      error_message = "A message is delivered again until it is acknowledged: the manifest must say retry: true."
    }
  }
}

resource "google_pubsub_subscription_iam_member" "agent" {
  for_each     = local.on_messages
  project      = var.project
  subscription = google_pubsub_subscription.each[each.key].name
  role         = "roles/pubsub.subscriber"
  member       = "serviceAccount:service-${var.number}@gcp-sa-pubsub.iam.gserviceaccount.com"
}

resource "google_cloud_scheduler_job" "each" {
  for_each         = local.scheduled
  project          = var.project
  region           = var.location
  name             = each.key
  schedule         = each.value.trigger.cron
  time_zone        = "Etc/UTC"
  attempt_deadline = "${min(each.value.timeout_seconds, 1800)}s"

  http_target {
    uri         = "${replace(var.function_url, "{name}", each.key)}/"
    http_method = "POST"
    headers     = { "Content-Type" = "application/json" }
    body        = base64encode("{}")
    oidc_token {
      service_account_email = var.scheduler_email
      audience              = replace(var.function_url, "{name}", each.key)
    }
  }
  # What a run leaves undone the next one does.
  retry_config {
    retry_count = 0
  }

  lifecycle {
    precondition {
      condition     = contains(keys(var.services), each.key)
      error_message = "The function of the schedule is not deployed."
    }
  }
}
