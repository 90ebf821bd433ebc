# Make the checkout this is run in importable from the virtual environment $1, and write the command memex into it.

set -e
root=$(pwd)
venv=$(cd "$1" && pwd)

"$venv/bin/python" -P -c '
import pathlib, sys, sysconfig
pathlib.Path(sysconfig.get_path("purelib"), "memex.pth").write_text(sys.argv[1] + "\n", encoding="utf-8")
' "$root"
cat > "$venv/bin/memex" <<END
#!/bin/sh
exec "$venv/bin/python" -P -m infra.cli "\$@"
END
chmod +x "$venv/bin/memex"
