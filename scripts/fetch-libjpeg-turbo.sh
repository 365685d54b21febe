#!/usr/bin/env bash
# Fetches prebuilt libjpeg-turbo libraries into core/native, from where the build packs them into the
# jar. Does nothing if they are there. Without npm or network it says so and succeeds: the libraries of
# the operating system, or else the JDK's decoder, serve instead.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

package=@julusian/jpeg-turbo
version=3.0.1
sha256=5dbd64fa34d0caaa651f738ff46fc1797e1b1f23a83d1fc3b6e4a066ea96c1c1
target=core/native/dev/forebay/image/native
stamp=core/native/$version.done

say() { printf '%s\n' "$*" >&2; }
give_up() {
  say "libjpeg-turbo is not bundled: $*; an installed libturbojpeg or the JDK's slower decoder serves instead"
  exit 0
}
hash_of() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1; }

[ ! -e "$stamp" ] || exit 0
command -v npm >/dev/null || give_up "npm is not installed"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "Fetching libjpeg-turbo (npm package $package $version) ..."
(cd "$work" && npm pack --silent "$package@$version" >/dev/null 2>"$work/npm.log") ||
  give_up "npm pack failed: $(tail -1 "$work/npm.log")"
archive=$(find "$work" -name '*.tgz')
found=$(hash_of "$archive")
if [ "$found" != "$sha256" ]; then
  say "The archive of $package $version has SHA-256 $found instead of $sha256; it is not used."
  exit 1
fi
tar -xzf "$archive" -C "$work"
rm -rf core/native
for build in linux-x64:linux-x86_64 linux-arm64:linux-aarch64 linux-x64-musl:linux-musl-x86_64; do
  mkdir -p "$target/${build#*:}"
  cp "$work/package/prebuilds/jpeg-turbo-${build%%:*}/libturbojpeg.so.0" "$target/${build#*:}/libturbojpeg.so"
done
cp "$work/package/LICENSE" "$target/LICENSE-jpeg-turbo-package.txt"
cp scripts/libjpeg-turbo-notice.txt "$target/LICENSE-libjpeg-turbo.txt"
touch "$stamp"
