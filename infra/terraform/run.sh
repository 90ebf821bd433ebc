#!/bin/sh
# plan, deploy, smoke or destroy one environment: run.sh ACTION ENV. Run from the project's folder, by make.
set -eu

action=$1
env=${2:-}
here=infra/terraform/environments
python=${PYTHON:-.venv/bin/python}

stop() { printf '%s\n' "$*" >&2; exit 2; }

test -n "$env" || stop "Say which environment: make $action ENV=staging (there are: $(ls $here | tr '\n' ' '))"
test -d "$here/$env" || stop "There is no environment $env in $here (there are: $(ls $here | tr '\n' ' '))"
terraform=$(command -v terraform || command -v tofu || true)
test -n "$terraform" || stop "make $action needs terraform 1.11 or newer, or tofu 1.11, on the PATH: see docs/deploy.md"
test -f "$here/$env/terraform.tfvars" || stop "$here/$env/terraform.tfvars is missing: docs/deploy.md says what to put there"

tf() { "$terraform" -chdir="$here/$env" "$@"; }

case $action in
    plan)
        tf init -input=false >/dev/null
        tf plan -input=false
        ;;
    deploy)
        tf init -input=false >/dev/null
        tf apply -input=false ${AUTO_APPROVE:+-auto-approve}
        tf output -json | "$python" -m infra.terraform.hosting
        ;;
    smoke)
        tf output -json | "$python" -m infra.terraform.smoke
        ;;
    destroy)
        test "$env" != prod || test "${REALLY:-}" = prod || stop "That would end production: make destroy ENV=prod REALLY=prod"
        tf destroy -input=false
        ;;
    *) stop "There is no action $action" ;;
esac
