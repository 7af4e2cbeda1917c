#!/usr/bin/env bash
# Kafka's own Connect; kafka-run-class.sh has what the environment can change. With -daemon first it runs in the background.
exec "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/kafka-run-class.sh" org.apache.kafka.connect.cli.ConnectStandalone "$@"
