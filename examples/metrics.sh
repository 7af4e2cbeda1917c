#!/usr/bin/env bash
# Metrics: the load of machines, keyed by machine, so that those of one machine stay in order; where a time begins is looked up.
set -eu
cd "$(dirname "$0")"
. ./common.sh


topic=metrics-$run
create "$topic" --partitions 2
for load in 10 20 90; do printf 'web1:%s\nweb2:%s\n' $load $((load / 2)); done | send "$topic" --reader-property parse.key=true --reader-property key.separator=:
read_all "$topic" 6 --formatter-property print.key=true --formatter-property key.separator=' ' |
  awk '{ last[$1] = $2; sum[$1] += $2; n[$1]++ } END { for (m in last) print m, "last", last[m], "mean", sum[m] / n[m] }' | sort
minute_ago=$((($(date +%s) - 60) * 1000))
echo "the last minute begins at:"
"$bin/kafka-get-offsets.sh" --bootstrap-server "$server" --topic "$topic" --time $minute_ago
