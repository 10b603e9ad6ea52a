#!/usr/bin/env bash
# Installs the Debian packages of packages.txt that are missing: install_packages.sh [test]
# Reports what it does on standard error; does nothing if all packages are installed.
set -euo pipefail

list=$(dirname "${BASH_SOURCE[0]}")/packages.txt
wanted=$(sed -e '/^#/d' -e '/^$/d' -e '/^\[test\]$/,$d' "$list")
if [[ ${1:-} == test ]]; then
    wanted+=$'\n'$(sed -e '1,/^\[test\]$/d' -e '/^#/d' -e '/^$/d' "$list")
fi

if ! command -v dpkg-query >/dev/null; then
    echo "warplens: this is no Debian or Ubuntu system, so packages are not installed for you." >&2
    echo "warplens: the build needs what these Debian packages hold: $(echo $wanted)" >&2
    exit 0
fi

missing=()
for package in $wanted; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo >/dev/null; then
        echo "warplens: these packages are missing and there is no sudo; install them as root:" >&2
        echo "    apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "warplens: installing ${#missing[@]} missing packages: ${missing[*]}" >&2
"${as_root[@]}" apt-get update -qq >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
