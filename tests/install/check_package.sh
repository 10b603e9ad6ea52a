#!/usr/bin/env bash
# Builds the Debian package and tries it in a clean Debian root, as a lecturer's machine would install it: nothing but
# the package and what it depends on. Needs root, the network of the Debian archive, and mmdebstrap; no part of ctest.
#   tests/install/check_package.sh [FOLDER FOR THE ROOT]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

[[ $(id -u) == 0 ]] || { echo "check_package.sh: run it as root: it makes a Debian root and enters it" >&2; exit 2; }
command -v mmdebstrap > /dev/null || { echo "check_package.sh: install mmdebstrap first" >&2; exit 2; }
root=${1:-$(mktemp -d)}

say() { printf '\n== %s\n' "$*"; }
fail() { echo "check_package.sh: $*" >&2; exit 1; }
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/home/student LC_ALL=C.UTF-8 "$@"; }

say "package"
third_party/build.sh release warplens
rm -rf build/package
(cd build/release && cpack -G DEB -B "$OLDPWD/build/package" > /dev/null)
package=$(echo build/package/*.deb)
dpkg-deb --info "$package" | sed -n '/Package:/,$p'

say "a clean Debian root"
[[ -d $root/usr ]] || mmdebstrap --variant=apt bookworm "$root"
mkdir -p "$root/home/student"
mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
cp "$package" "$root/tmp/warplens.deb"
inside apt-get update -qq
inside DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --reinstall --no-install-recommends /tmp/warplens.deb > "$root/tmp/install.log" 2>&1 \
    || { tail -20 "$root/tmp/install.log"; fail "the package does not install"; }

say "what is installed works, without NVRTC, a GPU and a display"
[[ $(inside warplens list | grep -c .) -gt 60 ]] || fail "warplens list shows too few kernels"
inside warplens report saxpy > "$root/tmp/report.txt" || fail "warplens report saxpy failed"
grep -q "sectors" "$root/tmp/report.txt" || fail "the report of saxpy has no sectors"
inside warplens lesson check > /dev/null || fail "a lesson does not hold"
inside warplens shot transpose_tiled --set PAD=0 --view banks -o /tmp/banks.png || fail "no picture"
inside warplens shot transpose_tiled --view window -o /tmp/window.png || fail "no picture of the window"
for picture in banks window; do
    [[ $(head -c 4 "$root/tmp/$picture.png" | tail -c 3) == PNG ]] || fail "$picture.png is not a PNG file"
done
[[ -s $root/usr/share/man/man1/warplens.1.gz ]] || fail "the man page is missing"
inside bash -n /usr/share/bash-completion/completions/warplens || fail "the completion is not a Bash script"
inside sh -c 'grep -rqs wltrace /usr/share/mime/globs2' || fail "the file type .wltrace is not registered"
[[ -s $root/usr/share/icons/hicolor/scalable/apps/warplens.svg ]] || fail "the icon is missing"
grep -q "MimeType=.*x-warplens-trace" "$root/usr/share/applications/warplens.desktop" || fail "the desktop entry opens no traces"

say "it leaves nothing behind"
inside apt-get purge -y -qq warplens > /dev/null 2>&1
[[ ! -e $root/usr/share/warplens && ! -e $root/usr/bin/warplens ]] || fail "files stay after the package is removed"
say "the package works in a clean Debian root"
