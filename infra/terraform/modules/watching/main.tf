# Alerts, each with what it means and what to do, and one dashboard.

terraform {
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}

variable "project" { type = string }
variable "alert_emails" { type = set(string) }

variable "failures_topic" {
  description = "The topic of the trace events."
  type        = string
}

locals {
  alerts = jsondecode(file("${path.module}/alerts.json"))
  charts = {
    "Requests by function"     = ["run.googleapis.com/request_count", "cloud_run_revision", "ALIGN_RATE", "resource.label.service_name"]
    "Latency, 95 in 100, ms"   = ["run.googleapis.com/request_latencies", "cloud_run_revision", "ALIGN_PERCENTILE_95", "resource.label.service_name"]
    "Instances"                = ["run.googleapis.com/container/instance_count", "cloud_run_revision", "ALIGN_MAX", "resource.label.service_name"]
    "Executions that ended"    = ["workflows.googleapis.com/finished_execution_count", "workflows.googleapis.com/Workflow", "ALIGN_DELTA", "metric.label.status"]
    "Messages not yet taken"   = ["pubsub.googleapis.com/subscription/num_undelivered_messages", "pubsub_subscription", "ALIGN_MAX", "resource.label.subscription_id"]
    "Reads of Firestore"       = ["firestore.googleapis.com/document/read_count", "firestore_instance", "ALIGN_RATE", "metric.label.type"]
    "Writes of Firestore"      = ["firestore.googleapis.com/document/write_count", "firestore_instance", "ALIGN_RATE", "metric.label.op"]
    "Time billed, by function" = ["run.googleapis.com/container/billable_instance_time", "cloud_run_revision", "ALIGN_RATE", "resource.label.service_name"]
  }
}

resource "google_monitoring_notification_channel" "email" {
  for_each     = var.alert_emails
  project      = var.project
  display_name = "Memex: ${each.value}"
  type         = "email"
  labels       = { email_address = each.value }
}

# Nobody reads this one: what it holds is the number of failures of the last ten minutes, which an alert looks at.
resource "google_pubsub_subscription" "failed" {
  project                    = var.project
  name                       = "watch-failed"
  topic                      = var.failures_topic
  filter                     = "attributes.type = \"failed\""
  message_retention_duration = "600s"
  ack_deadline_seconds       = 10

  expiration_policy {
    ttl = ""
  }
}

resource "google_logging_metric" "each" {
  for_each = { for name, alert in local.alerts : name => alert.log if can(alert.log) }
  project  = var.project
  name     = "memex-${each.key}"
  filter   = each.value
  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"
  }
}

resource "google_monitoring_alert_policy" "each" {
  for_each              = local.alerts
  project               = var.project
  display_name          = "Memex: ${each.key}"
  combiner              = "OR"
  notification_channels = [for channel in google_monitoring_notification_channel.email : channel.id]

  conditions {
    display_name = each.key
    condition_threshold {
      filter          = each.value.filter
      comparison      = "COMPARISON_GT"
      threshold_value = each.value.above
      duration        = "0s"
      aggregations {
        alignment_period     = "${each.value.seconds}s"
        per_series_aligner   = each.value.aligner
        cross_series_reducer = each.value.aligner == "ALIGN_PERCENTILE_95" ? "REDUCE_MAX" : "REDUCE_SUM"
      }
    }
  }
  documentation {
    mime_type = "text/markdown"
    content   = "${each.value.means}\n\n${each.value["do"]}"
  }
  alert_strategy {
    auto_close = "86400s"
  }

  depends_on = [google_logging_metric.each, google_pubsub_subscription.failed]
}

resource "google_monitoring_dashboard" "memex" {
  project = var.project
  dashboard_json = jsonencode({
    displayName = "Memex"
    mosaicLayout = {
      columns = 12
      tiles = [
        for index, title in keys(local.charts) : {
          xPos   = 6 * (index % 2)
          yPos   = 4 * floor(index / 2)
          width  = 6
          height = 4
          widget = {
            title = title
            xyChart = {
              dataSets = [{
                plotType = "LINE"
                timeSeriesQuery = {
                  timeSeriesFilter = {
                    filter = "metric.type=\"${local.charts[title][0]}\" AND resource.type=\"${local.charts[title][1]}\""
                    aggregation = {
                      alignmentPeriod    = "300s"
                      perSeriesAligner   = local.charts[title][2]
                      crossSeriesReducer = local.charts[title][2] == "ALIGN_PERCENTILE_95" ? "REDUCE_MAX" : "REDUCE_SUM"
                      groupByFields      = [local.charts[title][3]]
                    }
                  }
                }
              }]
            }
          }
        }
      ]
    }
  })
}

output "channels" { value = [for channel in google_monitoring_notification_channel.email : channel.id] }
