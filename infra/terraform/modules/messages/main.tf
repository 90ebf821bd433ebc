# The manifest's topics, what may publish to them, and where messages go that nobody could work on.

terraform {
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}

variable "project" { type = string }
variable "topics" { type = set(string) }
variable "number" { type = string }
variable "emails" { type = map(string) }

variable "grants" {
  type = list(object({ account = string, role = string, on = string, when = string }))
}

resource "google_pubsub_topic" "each" {
  for_each                   = var.topics
  project                    = var.project
  name                       = each.value
  message_retention_duration = "86400s"
}

resource "google_pubsub_topic" "dead" {
  for_each                   = var.topics
  project                    = var.project
  name                       = "${each.value}-dead-letters"
  message_retention_duration = "604800s"
}

# Without a subscription a dead letter would be dropped at once. These wait to be read, and to be counted by an alert.
resource "google_pubsub_subscription" "dead" {
  for_each                   = var.topics
  project                    = var.project
  name                       = "${each.value}-dead-letters"
  topic                      = google_pubsub_topic.dead[each.value].id
  ack_deadline_seconds       = 60
  message_retention_duration = "604800s"
  retain_acked_messages      = false
  enable_message_ordering    = false

  expiration_policy {
    ttl = ""
  }
}

resource "google_pubsub_topic_iam_member" "granted" {
  for_each = { for row in var.grants : "${row.account} ${row.role} ${row.on}" => row if startswith(row.on, "topic:") }
  project  = var.project
  topic    = google_pubsub_topic.each[trimprefix(each.value.on, "topic:")].name
  role     = each.value.role
  member   = "serviceAccount:${var.emails[each.value.account]}"
}

# Pub/Sub itself moves dead letters, with an agent that needs leave to publish them.
resource "google_pubsub_topic_iam_member" "agent" {
  for_each = var.topics
  project  = var.project
  topic    = google_pubsub_topic.dead[each.value].name
  role     = "roles/pubsub.publisher"
  member   = "serviceAccount:service-${var.number}@gcp-sa-pubsub.iam.gserviceaccount.com"
}

output "topics" {
  value = { for name, topic in google_pubsub_topic.each : name => topic.id }
}

output "dead" {
  value      = { for name, topic in google_pubsub_topic.dead : name => topic.id }
  depends_on = [google_pubsub_topic_iam_member.agent]
}

output "dead_subscriptions" {
  value = [for subscription in google_pubsub_subscription.dead : subscription.name]
}
