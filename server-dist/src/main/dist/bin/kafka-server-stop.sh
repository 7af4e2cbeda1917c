#!/usr/bin/env bash
# Ends the brokers of this distribution that you have started, as SIGTERM does: everything is on disk when they have ended.
set -eu

home=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
found=
while read -r pid command; do
  case " $command " in
    *" -Dmillrace.home=$home "*" io.millrace.server.Main server "*) kill -TERM "$pid" && found=1 ;;
  esac
done < <(ps -o pid=,args= -ww -U "$(id -u)")
[ -n "$found" ] || { echo "no server of $home is running"; exit 1; }
