#!/usr/bin/env bash
# Runs a class of Kafka's own command-line tools: what all kafka-*.sh beside it call. The tools are Kafka's, unmodified, in
# lib/kafka-tools; lib/kafka-connect is Connect. Neither is on the class path of the server.
#   kafka-run-class.sh CLASS [ARGUMENT...]
# From the environment, as with Kafka:
#   KAFKA_HEAP_OPTS   memory of the tool (-Xmx256m unless set)
#   KAFKA_OPTS        more options for Java, such as -Djava.security.auth.login.config=FILE
#   CLASSPATH         jars that come before the tool's own, such as one with a formatter
#   JAVA_HOME         as for bin/millrace
# Options that Kafka has dropped are translated, with a warning: see docs/kafka.md.
set -eu

bin=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
home=$(dirname "$bin")
# shellcheck source=SCRIPTDIR/../libexec/find-java.sh
. "$home/libexec/find-java.sh"

[ $# -gt 0 ] || { echo "usage: $(basename "$0") CLASS [ARGUMENT...]" >&2; exit 2; }
daemon=
while [ $# -gt 0 ]; do
  case $1 in
    -daemon) daemon=1 ;;
    # Kafka's own scripts tell theirs these; nothing here has another use for them.
    -name) shift ;;
    -loggc) ;;
    *) break ;;
  esac
  shift
done
class=$1
shift
if [ "${1:-}" = -daemon ]; then daemon=1; shift; fi

# The classes by the names that they had, as far as articles have people type them.
case $class in
  kafka.Kafka) exec "$bin/kafka-server-start.sh" ${daemon:+-daemon} "$@" ;;
  kafka.tools.StorageTool) exec "$bin/kafka-storage.sh" "$@" ;;
  kafka.tools.ConsoleConsumer) class=org.apache.kafka.tools.consumer.ConsoleConsumer ;;
  kafka.admin.ConsumerGroupCommand) class=org.apache.kafka.tools.consumer.group.ConsumerGroupCommand ;;
  kafka.admin.ReassignPartitionsCommand) class=org.apache.kafka.tools.reassign.ReassignPartitionsCommand ;;
  kafka.tools.DumpLogSegments | kafka.tools.GetOffsetShell | kafka.tools.ConsoleProducer | kafka.tools.JmxTool | \
    kafka.admin.TopicCommand | kafka.admin.ConfigCommand | kafka.admin.AclCommand | kafka.admin.LeaderElectionCommand | \
    kafka.admin.LogDirsCommand | kafka.admin.DeleteRecordsCommand | kafka.admin.BrokerApiVersionsCommand)
    class=org.apache.kafka.tools.${class##*.} ;;
esac

# ---- options of old Kafkas --------------------------------------------------------------------------------------------------

warn() { echo "warning: $*" >&2; }

# Where our broker listens: the port of config/server.properties, unless that says nothing.
own_server() {
  local port
  port=$(sed -n -e 's/^ *listeners *=.*:\([0-9][0-9]*\).*/\1/p' -e 's/^ *port *= *\([0-9][0-9]*\).*/\1/p' "$home/config/server.properties" 2> /dev/null | head -n 1)
  echo "localhost:${port:-9092}"
}

arguments=()
translate() {
  local server='' has_server=''
  case " $* " in *" --bootstrap-server "* | *" --bootstrap-server="*) has_server=1 ;; esac
  while [ $# -gt 0 ]; do
    case $1 in
      --zookeeper | --zookeeper=*)
        [ "$1" != --zookeeper ] || [ $# -lt 2 ] || shift
        if [ -n "$has_server" ]; then
          warn "there is no ZooKeeper here: --zookeeper ${1#--zookeeper=} is ignored"
        else
          server=$(own_server)
          warn "there is no ZooKeeper here: --zookeeper ${1#--zookeeper=} is taken as --bootstrap-server $server"
          arguments+=(--bootstrap-server "$server")
          has_server=1
        fi ;;
      --broker-list | --broker-list=*)
        case $1 in --broker-list=*) server=${1#*=} ;; *) server=${2:-}; [ $# -lt 2 ] || shift ;; esac
        if [ -n "$has_server" ]; then
          warn "--broker-list $server is ignored beside --bootstrap-server"
        else
          warn "--broker-list is now --bootstrap-server, and is taken as that"
          arguments+=(--bootstrap-server "$server")
          has_server=1
        fi ;;
      --new-consumer)
        warn "--new-consumer is ignored: there is no other" ;;
      --whitelist)
        warn "--whitelist is now --include, and is taken as that"
        arguments+=(--include) ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
}

# ---- class path and JVM -----------------------------------------------------------------------------------------------------

case $class in org.apache.kafka.connect.*) set_dir=kafka-connect ;; *) set_dir=kafka-tools ;; esac
case $class in
  # Its own --broker-list is the file of broker numbers, not where to connect.
  org.apache.kafka.tools.LogDirsCommand | org.apache.kafka.tools.reassign.ReassignPartitionsCommand | org.apache.kafka.connect.*)
    while [ $# -gt 0 ]; do arguments+=("$1"); shift; done ;;
  *) translate "$@" ;;
esac

class_path=${CLASSPATH:-}
for jar in "$home/lib/$set_dir"/*.jar; do class_path=$class_path${class_path:+:}$jar; done
# What the server has too is there once.
shared='jackson-annotations jackson-core jackson-databind lz4-java slf4j-api snappy-java zstd-jni'
[ $set_dir = kafka-connect ] ||
  shared="$shared HdrHistogram hash4j jspecify kafka-clients kafka-coordinator-common kafka-group-coordinator kafka-group-coordinator-api \
    kafka-metadata kafka-raft kafka-server-common kafka-storage re2j"
for name in $shared; do
  for jar in "$home/lib/$name"-[0-9]*.jar; do class_path=$class_path:$jar; done
done

find_java
jvm=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Djava.awt.headless=true
  -Dorg.slf4j.simpleLogger.showDateTime=true "-Dorg.slf4j.simpleLogger.dateTimeFormat=[yyyy-MM-dd HH:mm:ss,SSS]"
  -Dorg.slf4j.simpleLogger.showThreadName=false -Dorg.slf4j.simpleLogger.levelInBrackets=true)
case $class in
  org.apache.kafka.connect.*)
    heap='-Xms128m -Xmx1g'
    jvm+=(-Dorg.slf4j.simpleLogger.defaultLogLevel=info -Dorg.slf4j.simpleLogger.log.org.reflections=error -XX:+ExitOnOutOfMemoryError) ;;
  *Performance | *EndToEndLatency)
    heap=-Xmx512m
    jvm+=(-Dorg.slf4j.simpleLogger.defaultLogLevel=warn) ;;
  *)
    # They live for a moment: they compile little and collect nothing.
    heap=-Xmx256m
    jvm+=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dorg.slf4j.simpleLogger.defaultLogLevel=warn) ;;
esac

# KAFKA_HEAP_OPTS and KAFKA_OPTS are split on purpose.
# shellcheck disable=SC2206
jvm+=(${KAFKA_HEAP_OPTS:-$heap} ${KAFKA_OPTS:-})

# Prints the file of the tools' class-data archive, whether it exists or not; nothing when there is no place for one. It halves the
# processor time of a tool. What it was made from is in its name.
archive() {
  local key
  local dir=$home/cache
  [ -z "${CLASSPATH:-}" ] || return 0
  key=$({ cat "$java_home/release"; ls -ln "$home/lib/kafka-tools"; echo "$java_home $class_path"; } 2> /dev/null | cksum) || return 0
  if [ ! -w "$dir" ] && { [ -e "$dir" ] || [ ! -w "$home" ]; }; then
    [ -n "${XDG_CACHE_HOME:-${HOME:-}}" ] || return 0
    dir=${XDG_CACHE_HOME:-$HOME/.cache}/millrace
    # It is code to the JVM: one in a home directory is used by nobody but its owner.
    [ ! -e "$dir" ] || [ -O "$dir" ] || return 0
  fi
  echo "$dir/kafka-tools-${key// /-}.jsa"
}

file=
if [ $set_dir = kafka-tools ] && [ "${MILLRACE_STARTUP_CACHE:-}" != off ]; then file=$(archive); fi
if [ -n "$file" ] && [ -r "$file" ]; then jvm+=("-XX:SharedArchiveFile=$file" '-Xlog:cds*=off' '-Xlog:aot*=off'); fi
run=("$java_home/bin/java" "${jvm[@]}" -cp "$class_path" "$class" ${arguments[@]+"${arguments[@]}"})
if [ -n "$daemon" ]; then
  mkdir -p "${LOG_DIR:-$home/logs}"
  nohup "${run[@]}" > "${LOG_DIR:-$home/logs}/${class##*.}.out" 2>&1 < /dev/null &
  exit 0
fi
case $class in *.TopicCommand | *.GetOffsetShell | *.ConfigCommand | *.ConsumerGroupCommand) ;; *) exec "${run[@]}" ;; esac
if [ -z "$file" ] || [ -r "$file" ] || ! mkdir -p "${file%/*}" 2> /dev/null; then exec "${run[@]}"; fi

# The first of the commands that end soon makes the archive.
made=$file.$$
code=0
"${run[0]}" "-XX:ArchiveClassesAtExit=$made" '-Xlog:cds*=off' '-Xlog:aot*=off' "${run[@]:1}" || code=$?
if [ $code = 0 ] && [ -s "$made" ]; then
  mv "$made" "$file"
  find "${file%/*}" -name 'kafka-tools-*.jsa*' ! -newer "$file" ! -path "$file" -mmin +60 -delete 2> /dev/null || true
else
  rm -f "$made"
fi
exit $code
