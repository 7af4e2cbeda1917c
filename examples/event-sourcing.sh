#!/usr/bin/env bash
# Event sourcing: a balance is the sum of its events, at any time anew; a compacted topic keeps the last balance of each account.
set -eu
cd "$(dirname "$0")"
. ./common.sh


create "bookings-$run"
create "balances-$run" --config cleanup.policy=compact
keyed=(--reader-property parse.key=true --reader-property key.separator=:)
printf 'ann:100\nbob:50\nann:-30\nbob:25\n' | send "bookings-$run" "${keyed[@]}"
replay() {
  read_all "bookings-$run" 4 --formatter-property print.key=true --formatter-property key.separator=: |
    awk -F : '{ sum[$1] += $2 } END { for (a in sum) print a ":" sum[a] }' | sort
}
replay | send "balances-$run" "${keyed[@]}"
echo "from the events:"
replay
echo "as kept:"
read_all "balances-$run" 2 --formatter-property print.key=true --formatter-property key.separator=:
