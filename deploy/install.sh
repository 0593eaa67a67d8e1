#!/bin/sh
# Installs the Casefile executable: downloads it, checks the signature of the list of sums and the sum of the file, and
# moves it into place. Nothing is changed when a check fails.
#
#   curl -fsSL @BASE_URL@/install.sh | sh
#   curl -fsSL @BASE_URL@/install.sh | sh -s -- --dir /usr/local/bin --version @VERSION@
#   curl -fsSL @BASE_URL@/install.sh | sh -s -- --uninstall
set -eu

base_url=${CASEFILE_BASE_URL:-@BASE_URL@}
public_key=${CASEFILE_PUBLIC_KEY:-@PUBLIC_KEY@}
version=${CASEFILE_VERSION:-@VERSION@}
dir=${CASEFILE_INSTALL_DIR:-$HOME/.local/bin}
action=install

fail() {
  echo "install.sh: $*" >&2
  exit 1
}
usage() {
  cat <<'USAGE'
Usage: install.sh [--version X.Y.Z] [--dir FOLDER] [--uninstall]

  --version X.Y.Z   the release to install
  --dir FOLDER      the folder of the executable (default: ~/.local/bin)
  --uninstall       remove the executable; data directories stay

The signature is checked with minisign, or with OpenSSL 1.1.1 or newer where minisign is missing.
USAGE
}

while [ $# -gt 0 ]; do
  case $1 in
    --version) [ $# -ge 2 ] || fail "--version needs a value, such as 0.2.0"; version=${2#v}; shift 2 ;;
    --dir) [ $# -ge 2 ] || fail "--dir needs a folder"; dir=$2; shift 2 ;;
    --uninstall) action=uninstall; shift ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done

case $version in
  '' | *[!0-9A-Za-z.+-]*) fail "\"$version\" is not a version, such as 0.2.0" ;;
esac

if [ "$action" = uninstall ]; then
  [ -e "$dir/casefile" ] || fail "there is no $dir/casefile; name its folder with --dir"
  rm -f "$dir/casefile"
  echo "Removed $dir/casefile. Data directories (casefile-data) were kept; remove them yourself."
  exit 0
fi

case $(uname -s) in
  Linux)
    # The native libraries need glibc.
    if [ -e /lib/ld-musl-x86_64.so.1 ] || [ -e /lib/ld-musl-aarch64.so.1 ]; then
      [ -e /lib64/ld-linux-x86-64.so.2 ] || [ -e /lib/ld-linux-aarch64.so.1 ] ||
        fail "this Linux has musl instead of glibc (Alpine?); use the OCI image, or a distribution with glibc"
    fi
    system=linux ;;
  Darwin) system=darwin ;;
  *) fail "there is no executable for $(uname -s); on Windows download casefile-$version-windows-x64.exe" ;;
esac
case $(uname -m) in
  x86_64 | amd64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) fail "there is no executable for the processor $(uname -m)" ;;
esac
[ "$system-$machine" != darwin-x64 ] || fail "there is no executable for Macs with Intel processors; run from source"
file=casefile-$version-$system-$machine

if command -v curl >/dev/null 2>&1; then
  fetch() { curl -fsSL --proto '=https,http' --max-redirs 5 --retry 2 -o "$2" "$1"; }
elif command -v wget >/dev/null 2>&1; then
  fetch() { wget -q --tries=3 -O "$2" "$1"; }
else
  fail "neither curl nor wget is installed"
fi
if command -v sha256sum >/dev/null 2>&1; then
  sum() { sha256sum "$1" | cut -d' ' -f1; }
elif command -v shasum >/dev/null 2>&1; then
  sum() { shasum -a 256 "$1" | cut -d' ' -f1; }
else
  fail "neither sha256sum nor shasum is installed"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# The Ed25519 key and signature inside minisign's files, checked by OpenSSL: 2 bytes of algorithm ("Ed"), 8 of key id, then
# the 32 bytes of the key or the 64 of the signature.
openssl_verifies() {
  printf '%s' "$public_key" | openssl base64 -d -A >"$work/key.raw" || return 1
  sed -n 2p "$2" | tr -d '\r\n' | openssl base64 -d -A >"$work/signature.raw" || return 1
  [ "$(wc -c <"$work/key.raw")" -eq 42 ] && [ "$(wc -c <"$work/signature.raw")" -eq 74 ] || return 1
  [ "$(dd if="$work/signature.raw" bs=1 count=2 2>/dev/null)" = Ed ] || return 1
  {
    printf '\060\052\060\005\006\003\053\145\160\003\041\000'
    tail -c 32 "$work/key.raw"
  } >"$work/key.der"
  tail -c 64 "$work/signature.raw" >"$work/signature"
  openssl pkeyutl -verify -pubin -inkey "$work/key.der" -keyform DER -rawin -in "$1" -sigfile "$work/signature" \
    >/dev/null 2>&1
}
has_openssl() { openssl pkeyutl -help 2>&1 | grep -q -- -rawin; }

fetch "$base_url/v$version/SHA256SUMS" "$work/SHA256SUMS" ||
  fail "cannot download $base_url/v$version/SHA256SUMS; is there a release $version?"
fetch "$base_url/v$version/SHA256SUMS.minisig" "$work/SHA256SUMS.minisig" ||
  fail "release $version has no signature"
if command -v minisign >/dev/null 2>&1; then
  minisign -V -q -P "$public_key" -m "$work/SHA256SUMS" -x "$work/SHA256SUMS.minisig" >/dev/null 2>&1 ||
    fail "the signature of SHA256SUMS is not by the key $public_key; nothing was installed"
elif has_openssl; then
  openssl_verifies "$work/SHA256SUMS" "$work/SHA256SUMS.minisig" ||
    fail "the signature of SHA256SUMS is not by the key $public_key; nothing was installed"
else
  fail "install minisign or OpenSSL 1.1.1 to check the signature; nothing was installed"
fi

wanted=$(awk -v name="$file" '$2 == name { print $1 }' "$work/SHA256SUMS")
[ -n "$wanted" ] || fail "release $version has no $file"
echo "Downloading $file"
fetch "$base_url/v$version/$file" "$work/$file" || fail "cannot download $base_url/v$version/$file"
[ "$(sum "$work/$file")" = "$wanted" ] || fail "the sum of $file is not the one in SHA256SUMS; nothing was installed"

mkdir -p "$dir" || fail "cannot create $dir; choose another with --dir"
chmod 755 "$work/$file"
# In the same folder first: the last step is a rename, so a running service keeps its file and nobody sees half of one.
[ ! -d "$dir/casefile" ] || fail "$dir/casefile is a directory; choose another folder with --dir"
part=$(mktemp "$dir/.casefile.XXXXXX" 2>/dev/null) || fail "cannot write to $dir; choose another with --dir, or use sudo"
cat "$work/$file" >"$part" && chmod 755 "$part" && mv -f "$part" "$dir/casefile" || {
  rm -f "$part"
  fail "cannot write to $dir; is its disk full?"
}
installed=$("$dir/casefile" --version 2>/dev/null) || fail "$dir/casefile does not start on this machine"
echo "Installed casefile $installed in $dir"
case :$PATH: in
  *":$dir:"*) command=casefile ;;
  *)
    command=$dir/casefile
    echo "Add the folder to your PATH:  export PATH=\"$dir:\$PATH\"" ;;
esac
echo "Try it:  $command serve"
