package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.systemtests.process.Distribution;
import io.millrace.systemtests.process.Distribution.Outcome;
import io.millrace.testkit.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs in {@code system-tests/node}, and the libraries that its lock file names, which npm brings at the first use. */
final class NodePrograms {
    /** Runs programs with a newer Node.js than the machine has: what {@code @platformatic/kafka} needs is not in every Debian. */
    private static final List<String> NEWER_NODE =
            List.of("npm", "exec", "--yes", "--package=node@22.22.0", "--", "node");

    private static final int[] OLDEST_NODE = {20, 19, 4};

    private final Path directory;
    private final List<String> node;

    private NodePrograms(Path directory, List<String> node) {
        this.directory = directory;
        this.node = node;
    }

    /** Gets the libraries. A test on a machine without Node.js is skipped, as {@link Requires} says. */
    static NodePrograms installed() throws IOException, InterruptedException {
        Requires.command("node");
        Requires.command("npm");
        Path directory = Path.of("target", "node").toAbsolutePath();
        Files.createDirectories(directory);
        for (String file : List.of("package.json", "package-lock.json", "kafkajs.mjs", "platformatic.mjs")) {
            Files.writeString(directory.resolve(file), Files.readString(Path.of("node", file)));
        }
        if (!Files.exists(directory.resolve("node_modules"))) {
            Outcome installed = Distribution.run(
                    new ProcessBuilder("npm", "ci", "--no-audit", "--no-fund", "--prefer-offline")
                            .directory(directory.toFile()),
                    "");
            Requires.that(
                    installed.exitCode() == 0,
                    "the libraries of system-tests/node/package-lock.json, which npm could not get: "
                            + installed.err());
        }
        return new NodePrograms(directory, isNewEnough() ? List.of("node") : NEWER_NODE);
    }

    private static boolean isNewEnough() throws IOException, InterruptedException {
        String version = Distribution.run(new ProcessBuilder("node", "--version"), "")
                .out()
                .strip();
        String[] parts = version.replaceFirst("^v", "").split("\\.", -1);
        for (int i = 0; i < OLDEST_NODE.length; i++) {
            int part = i < parts.length ? Integer.parseInt(parts[i]) : 0;
            if (part != OLDEST_NODE[i]) {
                return part > OLDEST_NODE[i];
            }
        }
        return true;
    }

    /** Runs a program and returns what it printed last, as JSON. */
    JsonNode run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("timeout", "150"));
        command.addAll(node);
        command.add(program);
        command.addAll(List.of(arguments));
        Outcome outcome = Distribution.run(new ProcessBuilder(command).directory(directory.toFile()), "");
        assertThat(outcome.exitCode())
                .as(program + "\n" + outcome.out() + outcome.err())
                .isZero();
        return new ObjectMapper().readTree(outcome.out().lines().toList().getLast());
    }
}
