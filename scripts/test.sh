#!/usr/bin/env bash
# All tests: the build's checks, the Java tests of every module, the Python tests.
# `./forebay test` calls this with JAVA_HOME set to a JDK 25 or later.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'HELP'
Usage: ./forebay test [OPTION]... [TEST]

Runs every test and ends with a line `N passed, N failed`; the exit code is 0 only if none failed.

  TEST            only Java tests whose class matches, for example LoaderPromisesTest or 'Image*'
  --seed NUMBER   the seed of all generated inputs, as a failed test prints it
  --slow          also the tests that take minutes
  --no-install    do not install missing packages
  --help          this text

The tests compare with PyTorch, torchvision and Pillow, run by /usr/bin/python3 (or the interpreter
that PYTHON names). As root on Debian or Ubuntu, what is missing is installed by apt-get; elsewhere the
command says what to install.
HELP
}

say() { printf '%s\n' "$*" >&2; }
die() { say "forebay test: $*"; exit 2; }

slow=no
install=yes
pattern=
maven=(-B -ntp --fail-at-end)
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --slow) slow=yes; maven+=(-Dtest.excluded.groups=) ;;
    --no-install) install=no ;;
    --seed)
      [[ ${2:-} =~ ^-?[0-9]+$ ]] || die "--seed needs a whole number, not '${2:-}'"
      maven+=("-Dtests.seed=$2")
      shift
      ;;
    -*) die "unknown option $1; see ./forebay test --help" ;;
    *)
      [ -z "$pattern" ] || die "one TEST only; join several by a comma: $pattern,$1"
      pattern=$1
      ;;
  esac
  shift
done
[ -n "${JAVA_HOME:-}" ] || die "JAVA_HOME is not set; start the tests by ./forebay test"
command -v mvn >/dev/null || die "Maven 3.8.6 or later is needed: apt-get install maven, or brew install maven"
[ -z "$pattern" ] || maven+=("-Dtest=$pattern" -Dsurefire.failIfNoSpecifiedTests=false)
export PYTHON=${PYTHON:-/usr/bin/python3}

# The independent references, and the JPEG library where none could be bundled.
has_references() { "$PYTHON" -c 'import numpy, PIL, torch, torchvision' 2>/dev/null; }
has_jpeg() {
  compgen -G 'core/native/*.done' >/dev/null || [ "$(uname)" != Linux ] ||
    /sbin/ldconfig -p 2>/dev/null | grep -q 'libturbojpeg\.so\.0'
}

install_needs() {
  local packages=() log
  has_references || packages+=(python3-numpy python3-pil python3-torch python3-torchvision)
  has_jpeg || packages+=(libturbojpeg0)
  command -v "${CC:-gcc}" >/dev/null || packages+=(gcc libc6-dev)
  [ "${#packages[@]}" -gt 0 ] || return 0
  if [ "$install" = yes ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "Installing ${packages[*]} ..."
    log=$(mktemp)
    if ! { apt-get -q update && DEBIAN_FRONTEND=noninteractive \
      apt-get -q -y --no-install-recommends install "${packages[@]}"; } >"$log" 2>&1; then
      tail -20 "$log" >&2
    fi
    rm -f "$log"
  fi
  has_references || die "the tests need numpy, Pillow, torch and torchvision for $PYTHON:
  Debian, Ubuntu: apt-get install python3-numpy python3-pil python3-torch python3-torchvision
  elsewhere:      $PYTHON -m pip install numpy pillow torch torchvision
Another interpreter is named by PYTHON=/path/to/python3."
  has_jpeg || die "the tests need libjpeg-turbo: apt-get install libturbojpeg0, or npm for the build to fetch it"
}

# Maven's own word on each test class, without its chatter.
show_progress() {
  sed -un -e 's/\x1b\[[0-9;]*m//g' \
    -e '/^\[INFO\] Building Forebay/p' \
    -e '/Tests run:.* -- in /{s/^\[[A-Z]*\] *//;p}' \
    -e '/^\[ERROR\]/p' \
    -e '/^\[WARNING\].*\.java/p'
}

# Sums the reports of all modules: passed failed skipped.
count_java() {
  find . -path '*/target/surefire-reports/TEST-*.xml' -not -path './.git/*' -print0 |
    xargs -0 -r sed -n 's/^<testsuite .*/&/p' |
    awk '
      function number(name) {
        return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) + 0 : 0
      }
      { tests += number("tests"); failed += number("failures") + number("errors"); skipped += number("skipped") }
      END { printf "%d %d %d\n", tests - failed - skipped, failed, skipped }'
}

# Runs the program from the jars that the build made, as the launcher does: what only the tests' class
# path has is missing there. Prints its result as one line and counts it.
packaged() { # MODULE ARGUMENT...
  local module=$1 out error jars
  shift
  jars=("$module"/target/forebay-"$module"-*.jar)
  error=$(mktemp)
  if out=$("$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED \
    -cp "${jars[0]}:$module/target/lib/*" dev.forebay.cli.Main "$@" 2>"$error") &&
    "$PYTHON" -c 'import json, sys; json.loads(sys.stdin.read())' <<<"$out" 2>>"$error"; then
    passed=$((passed + 1))
    say "Packaged program: forebay $*: passed"
  else
    failed=$((failed + 1))
    say "Packaged program: forebay $*: FAILED"
    tail -20 "$error" >&2
  fi
  rm -f "$error"
}

run_packaged() {
  local recipe
  recipe=$(mktemp)
  printf 'dataset: { generated: { size: 1000 } }\nbatch: { size: 10 }\n' >"$recipe"
  packaged cli bench "$recipe" --digest --json
  packaged cli inspect "$recipe" --verify --json
  packaged djl demo --samples 240 --epochs 1 --json
  rm -f "$recipe"
}

scripts/fetch-libjpeg-turbo.sh
install_needs
scripts/build-native.sh
find . -path '*/target/surefire-reports' -not -path './.git/*' -prune -exec rm -rf {} +

started=$SECONDS
build_failed=0
mvn "${maven[@]}" verify 2>&1 | show_progress || build_failed=1
read -r passed failed skipped < <(count_java)
if [ "$build_failed" = 1 ] && [ "$failed" = 0 ]; then
  say "The build itself failed; it counts as one failure."
  failed=1
fi
if [ $((passed + failed)) = 0 ]; then
  say "No test was run${pattern:+: none matches $pattern}; that counts as one failure."
  failed=1
fi
if [ "$build_failed" = 0 ] && [ -z "$pattern" ]; then run_packaged; fi
[ "$skipped" = 0 ] || say "$skipped skipped"
[ "$slow" = yes ] || say "Tests tagged slow were left out; --slow runs them too."
say "Took $((SECONDS - started)) s"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
