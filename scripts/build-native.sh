#!/usr/bin/env bash
# Compiles Forebay's native code (core/src/main/c) into core/native, from where the build packs it into the
# jar: for this machine's processor, and for the other one where a cross compiler is installed. Does nothing
# if it is up to date. Without a C compiler it says so and succeeds: slower Java code serves instead.
#
# The library names no C library, so that it loads beside glibc and musl alike.
# The same compiler makes the same bytes: no path, time or build identity goes into the result.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sources=core/src/main/c
target=core/native/dev/forebay/image/native

say() { printf '%s\n' "$*" >&2; }

compile() { # COMPILER ARCHITECTURE
  local out=$target/linux-$2/libforebay.so
  if [ -f "$out" ] && [ -z "$(find "$sources" "${BASH_SOURCE[0]}" -newer "$out" -print -quit)" ]; then
    return 0
  fi
  mkdir -p "$(dirname "$out")"
  say "Compiling the native pixel code for $2 ..."
  (cd "$sources" && "$1" -std=c11 -O3 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -shared -s \
    -Wl,--build-id=none -Wl,-z,noexecstack -Wl,-z,relro,-z,now -nodefaultlibs -o "$OLDPWD/$out.new" \
    pixels.c -lgcc)
  mv "$out.new" "$out"
}

if [ "$(uname)" != Linux ]; then
  say "The native pixel code is built on Linux only; Java code serves instead."
  exit 0
fi
case $(uname -m) in
  x86_64) own=x86_64 other=aarch64 ;;
  aarch64 | arm64) own=aarch64 other=x86_64 ;;
  *)
    say "There is no native pixel code for $(uname -m); Java code serves instead."
    exit 0
    ;;
esac
compiler=${CC:-$(command -v gcc || command -v cc || true)}
if [ -z "$compiler" ]; then
  say "No C compiler was found, so pixels are processed by Java code, several times slower."
  say "  Debian, Ubuntu: apt-get install gcc libc6-dev, then build again"
  exit 0
fi
compile "$compiler" "$own"
if command -v "$other-linux-gnu-gcc" >/dev/null; then
  compile "$other-linux-gnu-gcc" "$other"
fi
