#!/usr/bin/env bash
# Log collection: Connect makes each line of a log file a message; the archive reads them at its own pace.
set -eu
cd "$(dirname "$0")"
. ./common.sh


work=$(mktemp -d)
topic=logs-$run
create "$topic"
printf 'INFO started\nERROR no disk\nINFO ended\n' > "$work/app.log"
cat > "$work/worker.properties" << END
bootstrap.servers=$server
key.converter=org.apache.kafka.connect.storage.StringConverter
value.converter=org.apache.kafka.connect.storage.StringConverter
offset.storage.file.filename=$work/offsets
listeners=http://localhost:0
END
cat > "$work/source.properties" << END
name=app-log-$run
connector.class=FileStreamSource
tasks.max=1
file=$work/app.log
topic=$topic
END
"$bin/connect-standalone.sh" "$work/worker.properties" "$work/source.properties" > "$work/connect.log" 2>&1 &
connect=$!
trap 'kill $connect; rm -r "$work"' EXIT
echo "collected:"
read_all "$topic" 3 --group "archive-$run" | tee "$work/archive"
echo "errors: $(grep -c ERROR "$work/archive")"
