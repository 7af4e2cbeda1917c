#!/usr/bin/env bash
# Activity tracking: what visitors do is sent once, and read by the people of the shop and by those of the warehouse.
set -eu
cd "$(dirname "$0")"
. ./common.sh


topic=visits-$run
create "$topic" --partitions 3
printf 'ann:sees shoes\nbob:sees hats\nann:buys shoes\nbob:leaves\n' | send "$topic" --reader-property parse.key=true --reader-property key.separator=:
echo "shop: $(read_all "$topic" 4 --group "shop-$run" | grep -c buys) bought something"
echo "warehouse: $(read_all "$topic" 4 --group "warehouse-$run" | wc -l) events archived"
