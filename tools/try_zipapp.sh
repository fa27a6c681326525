#!/bin/sh
# Try the program in a single file, offline and without any package of the Python that runs it.
#
# try_zipapp.sh PYTHON FILE
set -eu
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
run() {
  env -i HOME="$home" PATH="$PATH" LANG=C.UTF-8 http_proxy=http://localhost:9 https_proxy=http://localhost:9 \
    "$python" -I "$file" "$@"
}
python=$1
file=$2
"$python" --version
run --sets base,adventures --seed k7f3 --format line
run --sets base,adventures --seed k7f3 --json > "$home/game.json"
run show "$home/game.json" --json | cmp - "$home/game.json"
run show "$home/game.json" --format html | grep -q sha256-
run show "$home/game.json" --lang ja | grep -q 地下貯蔵庫
test -n "$(run rules 呼び出し)"
echo 'cards: [{name: Topiary, set: base, cost: 3, types: [Action]}]' > "$home/own.yaml"
run cards Topiary --cards "$home/own.yaml" | grep -q Topiary  # This needs PyYAML.
run completion bash | grep -q COMPREPLY
run --sets nothing 2> "$home/error" && exit 1
grep -q "^Error: " "$home/error"
