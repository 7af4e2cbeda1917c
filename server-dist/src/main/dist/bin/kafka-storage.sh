#!/usr/bin/env bash
# What Kafka's script of this name is for, as far as there is something to do: a Millrace broker prepares its directories itself.
#   kafka-storage.sh random-uuid
#   kafka-storage.sh format -c FILE [-t UUID] [OPTION...]
#   kafka-storage.sh info -c FILE
set -eu

home=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")

usage() {
  echo "usage: $(basename "$0") random-uuid | format -c FILE [-t UUID] | info -c FILE" >&2
  exit 1
}

# Sets file to what -c or --config names.
config_of() {
  file=
  while [ $# -gt 0 ]; do
    case $1 in
      -c | --config) file=${2:-}; [ $# -lt 2 ] || shift ;;
      --config=*) file=${1#*=} ;;
      -t | --cluster-id) [ $# -lt 2 ] || shift ;;
    esac
    shift
  done
  [ -n "$file" ] || usage
  [ -r "$file" ] || { echo "no such configuration file: $file" >&2; exit 1; }
}

# Prints the data directories that the file names, one a line.
directories() {
  local dirs
  dirs=$(sed -n -e 's/^ *log\.dirs\{0,1\} *[=:] *//p' "$file" | tail -n 1)
  echo "${dirs:-$home/data}" | tr ',' '\n'
}

case ${1:-} in
  random-uuid)
    # 16 bytes in the base64 of URLs; one that begins with a dash would be taken for an option.
    uuid=-
    while [ "${uuid#-}" != "$uuid" ]; do
      uuid=$(head -c 16 /dev/urandom | base64 | tr '+/' '-_')
      uuid=${uuid%==}
    done
    echo "$uuid" ;;
  format)
    shift
    for option in "$@"; do
      case $option in
        -S | --add-scram | --add-scram=*)
          {
            echo "$(basename "$0"): $option: users are created while the broker runs, and this would create none. Nothing was done."
            echo "Start the broker, then: kafka-configs.sh --bootstrap-server localhost:9092 --alter --entity-type users \\"
            echo "  --entity-name NAME --add-config 'SCRAM-SHA-512=[password=SECRET]'"
            echo "through a listener on this machine only, or as the first administrator: a PLAIN user of the configuration that"
            echo "super.users names. docs/security.md has it step by step."
          } >&2
          exit 1 ;;
      esac
    done
    config_of "$@"
    directories | while read -r directory; do
      if [ -e "$directory/meta.properties" ]; then
        echo "$directory belongs to a broker already and stays as it is."
      else
        echo "$directory: nothing to format, the broker prepares it when it starts."
      fi
    done ;;
  info)
    shift
    config_of "$@"
    directories | while read -r directory; do
      if [ -e "$directory/meta.properties" ]; then
        echo "$directory:"
        sed -e '/^#/d' -e 's/^/  /' "$directory/meta.properties"
      else
        echo "$directory: not used yet"
      fi
    done ;;
  *) usage ;;
esac
