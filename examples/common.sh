# Sourced by the examples: where the tools are, and where the broker is.
home=${MILLRACE_HOME:-}
# In a distribution they stand beside bin/; in the repository it is where the build leaves it.
for beside in .. ../server-dist/target/millrace-*/; do
  [ -z "$home" ] && [ -x "$beside/bin/kafka-topics.sh" ] && home=$beside
done
bin=$home/bin
server=${SERVER:-localhost:9092}
[ -x "$bin/kafka-topics.sh" ] || { echo "MILLRACE_HOME must be the absolute path of an unpacked distribution" >&2; exit 1; }

# create TOPIC [OPTION...]
create() {
  local topic=$1
  shift
  "$bin/kafka-topics.sh" --bootstrap-server "$server" --create --if-not-exists --topic "$topic" "$@"
}

# send TOPIC [OPTION...]: a message for each line of standard input
send() {
  local topic=$1
  shift
  "$bin/kafka-console-producer.sh" --bootstrap-server "$server" --topic "$topic" "$@"
}

# read_all TOPIC COUNT [OPTION...]: prints so many messages, one a line
read_all() {
  local topic=$1 count=$2
  shift 2
  "$bin/kafka-console-consumer.sh" --bootstrap-server "$server" --topic "$topic" --from-beginning --max-messages "$count" --timeout-ms 30000 "$@" 2> /dev/null
}

# A name of its own for each run.
run=$$
