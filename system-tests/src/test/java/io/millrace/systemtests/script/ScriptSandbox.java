package io.millrace.systemtests.script;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A directory that looks like the repository, with a copy of the script, and with a JDK, a Maven and an apt-get that append their
 * arguments to the file {@code calls}.
 */
final class ScriptSandbox {

    private static final String VERSION = "1.2.3";
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2001-09-09T00:00:00Z"));
    private static final FileTime LATER = FileTime.from(Instant.parse("2090-01-01T00:00:00Z"));

    private final Path root;
    private final Map<String, String> environment = new TreeMap<>();

    ScriptSandbox(Path directory) throws IOException {
        root = Files.createDirectory(directory.resolve("project"));
        Path tools = Files.createDirectory(directory.resolve("tools"));
        Files.copy(Path.of("..", "millrace"), root.resolve("millrace"));
        write("pom.xml", "<project>\n  <version>" + VERSION + "</version>\n</project>\n");
        write(".mvn/jvm.config", "");
        write(".ci/packages", "# comment\nmaven mvn\n");
        write("engine/pom.xml", "<project/>\n");
        write("engine/src/main/java/Engine.java", "class Engine {}\n");
        write("engine/src/test/java/EngineTest.java", "class EngineTest {}\n");
        write("system-tests/pom.xml", "<project/>\n");
        write("system-tests/src/main/java/Fixture.java", "class Fixture {}\n");
        write("benchmarks/pom.xml", "<project/>\n");
        write("benchmarks/src/main/java/Benchmark.java", "class Benchmark {}\n");
        write("server-dist/pom.xml", "<project/>\n");
        ageAllFiles();
        jdk(directory.resolve("jdk"), "25.0.1");
        program(tools.resolve("mvn"), """
                echo "mvn $* with $JAVA_HOME" >> "$CALLS"
                [ -z "${MVN_FAILS:-}" ] || { echo "[ERROR] no such symbol"; exit 1; }
                mkdir -p server-dist/target/millrace-%1$s/bin
                printf '#!/bin/sh\\necho "program $* with $JAVA_HOME"\\nexit 7\\n' > server-dist/target/millrace-%1$s/bin/millrace
                chmod +x server-dist/target/millrace-%1$s/bin/millrace
                """.formatted(VERSION));
        program(tools.resolve("apt-get"), "echo \"apt-get $*\" >> \"$CALLS\"\n");
        program(tools.resolve("id"), "echo ${FAKE_UID:-0}\n");
        environment.put("PATH", tools + ":/usr/bin:/bin");
        environment.put("CALLS", root.resolve("calls").toString());
        environment.put("HOME", directory.toString());
        environment.put("JAVA_HOME", directory.resolve("jdk").toString());
    }

    /** Makes a directory that the script takes for a JDK. */
    static void jdk(Path home, String version) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        program(home.resolve("bin/javac"), "exit 1\n");
        program(home.resolve("bin/java"), "echo \"java $* in $MILLRACE_BENCH_HOME\"\nexit 5\n");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    }

    ScriptSandbox with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    ScriptSandbox without(String name) {
        environment.remove(name);
        return this;
    }

    void write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.resolveSibling("."));
        Files.writeString(path, content);
    }

    /** Puts a script into the distribution that prints its name and its arguments. */
    void tool(String name) throws IOException {
        program(
                root.resolve("server-dist/target/millrace-" + VERSION + "/bin").resolve(name),
                "echo \"" + name + " $*\"\n");
    }

    void delete(String file) throws IOException {
        Files.delete(root.resolve(file));
    }

    /** Gives a file a time after every build so far, as an editor would a moment later. */
    void touch(String file) throws IOException {
        Files.setLastModifiedTime(root.resolve(file), LATER);
    }

    /** Returns what Maven and apt-get were called with so far. */
    List<String> calls() throws IOException {
        Path calls = root.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    Result run(String... arguments) throws IOException, InterruptedException {
        Path output = root.resolveSibling("output");
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of("bash", root.resolve("millrace").toString()), Stream.of(arguments))
                        .toList());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.directory(root.resolve("engine").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exitCode = process.waitFor();
        return new Result(exitCode, Files.readString(output));
    }

    private void ageAllFiles() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            files.forEach(ScriptSandbox::age);
        }
    }

    private static void age(Path file) {
        try {
            Files.setLastModifiedTime(file, LONG_AGO);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void program(Path file, String body) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /**
     * How the script ended.
     *
     * @param output standard output and standard error, in the order written
     */
    record Result(int exitCode, String output) {}
}
