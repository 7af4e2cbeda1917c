# For the scripts in bin/, which source it.
# find_java sets java_home to a JDK or JRE that is new enough: the one JAVA_HOME names, else one of the usual places. Without one it
# says so and exits.
needed_java=25

java_major() {
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || { echo 0; return; }
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

find_java() {
  local candidate major
  java_home=
  for candidate in "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/* /opt/java/* "${HOME:-/root}"/.sdkman/candidates/java/* "${HOME:-/root}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    major=$(java_major "$candidate")
    if [ "${major:-0}" -ge $needed_java ]; then java_home=$candidate; return 0; fi
  done
  echo "millrace: no Java $needed_java or newer found in JAVA_HOME (${JAVA_HOME:-not set}), /usr/lib/jvm, /opt, ~/.sdkman, ~/.jdks, /Library/Java." >&2
  echo "Install one, for example Eclipse Temurin $needed_java, and set JAVA_HOME to its directory." >&2
  exit 1
}
