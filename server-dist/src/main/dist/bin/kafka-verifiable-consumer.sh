#!/usr/bin/env bash
# Kafka's own command of this name; kafka-run-class.sh has what the environment can change.
exec "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/kafka-run-class.sh" org.apache.kafka.tools.VerifiableConsumer "$@"
