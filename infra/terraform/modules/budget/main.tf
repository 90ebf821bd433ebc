# What a month may cost, and who hears of it on the way there. A budget tells; it stops nothing.

terraform {
  required_providers {
    google = { source = "hashicorp/google", version = "~> 6.50" }
  }
}

variable "billing_account" { type = string }
variable "number" { type = string }
variable "name" { type = string }
variable "amount" { type = number }
variable "currency" { type = string }
variable "channels" { type = list(string) }

resource "google_billing_budget" "month" {
  billing_account = var.billing_account
  display_name    = "Memex ${var.name}"
  budget_filter {
    projects        = ["projects/${var.number}"]
    calendar_period = "MONTH"
  }
  amount {
    specified_amount {
      currency_code = var.currency
      units         = tostring(var.amount)
    }
  }
  dynamic "threshold_rules" {
    for_each = [0.5, 0.9, 1.0]
    content {
      threshold_percent = threshold_rules.value
      spend_basis       = "CURRENT_SPEND"
    }
  }
  threshold_rules {
    threshold_percent = 1.0
    spend_basis       = "FORECASTED_SPEND"
  }
  all_updates_rule {
    monitoring_notification_channels = var.channels
    disable_default_iam_recipients   = false
  }
}
