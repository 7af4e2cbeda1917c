#!/usr/bin/env bash
# There is nothing to start: for guides that say to start a ZooKeeper.
echo "No ZooKeeper is needed: a Millrace broker keeps its metadata itself. Go on with bin/kafka-server-start.sh config/server.properties" >&2
