#!/usr/bin/env bash
# There is nothing to stop: for guides that say to stop a ZooKeeper.
echo "No ZooKeeper is needed: a Millrace broker keeps its metadata itself. There is none to stop." >&2
