#!/usr/bin/env bash
# Messaging: orders in a queue, taken by two workers. No order is done twice, none is left.
set -eu
cd "$(dirname "$0")"
. ./common.sh


queue=queue:orders-$run
seq 1 10 | sed 's/^/order /' | "$bin/millrace" produce "$queue" --server "$server" > /dev/null
"$bin/millrace" consume "$queue" --count 5 --server "$server" > "/tmp/worker-1.$run" &
"$bin/millrace" consume "$queue" --count 5 --server "$server" > "/tmp/worker-2.$run"
wait
echo "worker 1 did $(wc -l < "/tmp/worker-1.$run"), worker 2 did $(wc -l < "/tmp/worker-2.$run"), together $(sort -u "/tmp/worker-1.$run" "/tmp/worker-2.$run" | wc -l) different orders"
rm "/tmp/worker-1.$run" "/tmp/worker-2.$run"
