# Create the virtual environment $2 with the Python $1, unless a usable one is there.

python=$1
venv=$2

if "$venv/bin/python" -c 'import sys, pip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
    exit 0
fi
echo "Creating $venv with $("$python" --version)"
rm -rf "$venv"
if ! "$python" -m venv "$venv"; then
    echo "$python cannot create virtual environments. On Debian and Ubuntu: apt install python3-venv" >&2
    exit 1
fi
