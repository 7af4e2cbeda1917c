#!/usr/bin/env bash
# Starts a Millrace broker under the name that Kafka's script has.
#   kafka-server-start.sh [-daemon] FILE [--override KEY=VALUE]...
# -daemon: in the background, its output in logs/server.out (LOG_DIR changes the directory). KAFKA_HEAP_OPTS and KAFKA_OPTS are options
# for Java. `millrace server` is the same.
set -eu

bin=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
home=$(dirname "$bin")

usage() {
  echo "usage: $(basename "$0") [-daemon] FILE [--override KEY=VALUE]..." >&2
  exit 1
}

daemon=
if [ "${1:-}" = -daemon ]; then daemon=1; shift; fi
case ${1:-} in '' | -*) usage ;; esac
file=$1
shift
settings=()
while [ $# -gt 0 ]; do
  case $1 in
    --override) [ $# -ge 2 ] || usage; settings+=("$2"); shift 2 ;;
    *) usage ;;
  esac
done

java_opts="${MILLRACE_JAVA_OPTS:-} ${KAFKA_HEAP_OPTS:-} ${KAFKA_OPTS:-}"
case $java_opts in *[!\ ]*) export MILLRACE_JAVA_OPTS=$java_opts ;; esac
run=("$bin/millrace" server --config "$file" ${settings[@]+"${settings[@]}"})
if [ -z "$daemon" ]; then exec "${run[@]}"; fi
mkdir -p "${LOG_DIR:-$home/logs}"
nohup "${run[@]}" > "${LOG_DIR:-$home/logs}/server.out" 2>&1 < /dev/null &
