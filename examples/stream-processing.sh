#!/usr/bin/env bash
# Stream processing: three stages, each with a topic of its own, so that each can be stopped, repeated and replaced alone.
set -eu
cd "$(dirname "$0")"
. ./common.sh


for topic in raw clean words; do create "$topic-$run"; done
printf '  The MILL  \n the Race\nThe end \n' | send "raw-$run"
read_all "raw-$run" 3 --group "cleaner-$run" | sed -e 's/^ *//' -e 's/ *$//' | tr '[:upper:]' '[:lower:]' | send "clean-$run"
read_all "clean-$run" 3 --group "splitter-$run" | tr ' ' '\n' | send "words-$run"
read_all "words-$run" 6 --group "counter-$run" | sort | uniq -c | sort -k1,1nr -k2
