# Print a Python from 3.11 to 3.13: the one given as $1, else the first fit one of those on the path.

fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null
}

if [ -n "${1:-}" ]; then
    if fits "$1"; then echo "$1"; exit 0; fi
    echo "PYTHON=$1 is not a Python from 3.11 to 3.13." >&2
    exit 1
fi
for python in python3 python3.13 python3.12 python3.11; do
    if fits "$python"; then echo "$python"; exit 0; fi
done
found=$(python3 --version 2>/dev/null || echo 'no python3')
echo "Memex needs Python 3.11, 3.12 or 3.13; here is $found. Install one, or name it: make PYTHON=/path/to/python3.12 ..." >&2
exit 1
