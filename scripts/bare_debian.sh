#!/bin/sh
# Proves that packages.txt is complete and that a new user needs nothing else: makes an empty Debian 12 beside this
# system, copies the checkout into it, and types ./rig demo there (and ./rig test if asked). Needs root and mmdebstrap.
#
# Usage: scripts/bare_debian.sh [demo|test]…        default: demo
#
# How this machine reaches packages (apt sources, proxies, certificates, registries) is read from it at run time.
set -eu

checkout=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
[ "$(id -u)" -eq 0 ] || { echo "Run this as root: it makes a system in a folder." >&2; exit 1; }
[ $# -gt 0 ] || set -- demo

folder=$(mktemp -d "${TMPDIR:-/tmp}/bare_debian.XXXXXX")
bare=$folder/root
trap 'rm -rf --one-file-system "$folder"' EXIT
trap 'exit 130' INT TERM
now() { date +%s; }

# The host's own way to the archive, without the rest of its apt settings.
apt-config dump | grep -E '^Acquire::(http|https|Retries|Languages|Check-Valid-Until)' >"$folder/apt.conf" || true
sources=$(find /etc/apt -maxdepth 2 -path '*/sources.list*' -size +0 '(' -name '*.list' -o -name '*.sources' ')')

began=$(now)
# shellcheck disable=SC2086 # a list of files
mmdebstrap --quiet --mode=root --variant=apt --aptopt="$folder/apt.conf" bookworm "$bare" $sources
echo "bare Debian 12: $(($(now) - began)) s, $(du -sm "$bare" | cut -f1) MB" >&2

cp /etc/hosts /etc/resolv.conf "$bare/etc/"
trusted=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
if [ -e "$trusted" ]; then cp -L "$trusted" "$bare/etc/host_certificates.crt"; fi
mkdir "$bare/rigor"
(cd "$checkout" && git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null |
  tar --create --no-recursion --files-from=-) | tar --extract --directory="$bare/rigor"

# inside COMMAND…: as root in the bare system, in a mount and process space of its own that ends with the command.
inside() {
  set -- HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
  certificates=/etc/host_certificates.crt
  [ ! -e "$bare$certificates" ] || set -- NODE_EXTRA_CA_CERTS=$certificates PIP_CERT=$certificates "$@"
  if registry=$(npm config get registry 2>/dev/null); then set -- npm_config_registry="$registry" "$@"; fi
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY PIP_INDEX_URL; do
    if value=$(printenv "$name"); then set -- "$name=$value" "$@"; fi
  done
  # shellcheck disable=SC2016
  unshare --mount --pid --fork sh -c 'bare=$1 && shift
    mount --rbind /dev "$bare/dev" && mount -t proc proc "$bare/proc"
    exec chroot "$bare" env -i "$@"' sh "$bare" "$@"
}

for command in "$@"; do
  began=$(now)
  inside sh -c 'cd /rigor && exec ./rig "$1"' sh "$command"
  echo "./rig $command in the bare system: $(($(now) - began)) s" >&2
done
