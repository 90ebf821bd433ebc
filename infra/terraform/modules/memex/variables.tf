variable "project" {
  description = "The id of the Google Cloud project."
  type        = string
}

variable "environment" {
  description = "What this deployment is called in budgets."
  type        = string
}

variable "location" {
  description = "The region of functions, workflows and buckets."
  type        = string
  default     = "us-central1"
}

variable "database_location" {
  description = "Where Firestore is; a region, or a multi-region such as nam5. Empty: the location."
  type        = string
  default     = ""
}

variable "database" {
  description = "The Firestore database."
  type        = string
  default     = "(default)"
}

variable "runtime" {
  description = "The runtime of the functions."
  type        = string
  default     = "python313"
}

variable "settings" {
  description = "Settings of the functions beside those that Terraform knows; docs/settings.md lists them."
  type        = map(string)
  default     = {}
}

variable "secret_names" {
  description = "Which secrets have a value; the functions whose row names them get them."
  type        = set(string)
  default     = ["API_TOKENS", "GEMINI_API_KEY"]
}

variable "secret_values" {
  description = "Their values. They are sent on and not kept in the state."
  type        = map(string)
  default     = {}
  sensitive   = true
  ephemeral   = true
}

variable "secret_version" {
  description = "Another number sends the values again."
  type        = number
  default     = 1
}

variable "protected" {
  description = "Whether database and files outlive a destroy."
  type        = bool
  default     = true
}

variable "backup_days" {
  description = "How long daily backups are kept, 98 days at most."
  type        = number
  default     = 14
}

variable "site" {
  description = "The name of the page's site, as in https://{site}.web.app. Empty: the project's id."
  type        = string
  default     = ""
}

variable "alert_emails" {
  description = "Who hears of alerts and of spending."
  type        = set(string)
  default     = []
}

variable "billing_account" {
  description = "The billing account that the budget watches. Empty: no budget."
  type        = string
  default     = ""
}

variable "monthly_budget" {
  description = "What a month may cost before everyone hears of it."
  type        = number
  default     = 50
}

variable "currency" {
  description = "The currency of the billing account."
  type        = string
  default     = "USD"
}
