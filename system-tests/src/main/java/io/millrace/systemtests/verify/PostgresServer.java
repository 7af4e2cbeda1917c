package io.millrace.systemtests.verify;

import io.millrace.testkit.process.Signals;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL of the Debian package, with data of its own: one server after the other on the same data and the same port. It does not run as root, so then it
 * runs as the user that the package made. It ends with this process, whatever becomes of that. Used by one thread.
 */
final class PostgresServer implements AutoCloseable {

    static final String USER = "millrace";
    static final String INSERT = "INSERT INTO moved VALUES (?)";

    private static final Path PACKAGES = Path.of("/usr/lib/postgresql");
    private static final String OWNER = "postgres";
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_MS = 20;
    private static final long GONE_MS = 5_000;
    private static final int SECRET_BYTES = 16;

    private final Scratch scratch;
    private final Path directory;
    private final int port;
    private final Path log;
    private final TimeSource time;
    private final String password;
    private @Nullable Process process;

    /** @param scratch gets the data, and a log of what all its processes print */
    PostgresServer(Scratch scratch, int port, TimeSource time) throws IOException {
        this.scratch = scratch;
        this.directory = scratch.resolve("postgresql");
        this.port = port;
        this.log = scratch.resolve("postgresql.log");
        this.time = time;
        try (InputStream chance = Files.newInputStream(Path.of("/dev/urandom"))) {
            this.password = HexFormat.of().formatHex(chance.readNBytes(SECRET_BYTES));
        }
    }

    /** What this machine lacks for it, as the end of a sentence: "needs ...". */
    static Optional<String> missing() {
        boolean there = Command.exist("setpriv") && binaries().isPresent();
        return there ? Optional.empty() : Optional.of("PostgreSQL (Debian: apt-get install postgresql)");
    }

    private static Optional<Path> binaries() {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(PACKAGES)) {
            try (DirectoryStream<Path> versions = Files.newDirectoryStream(PACKAGES)) {
                for (Path version : versions) {
                    if (Files.isExecutable(version.resolve("bin/initdb"))
                            && Files.isExecutable(version.resolve("bin/postgres"))) {
                        found.add(version.resolve("bin"));
                    }
                }
            } catch (IOException e) {
                throw new ScenarioFailedException(PACKAGES + " cannot be read", e);
            }
        }
        return found.stream().max(Path::compareTo);
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    String password() {
        return password;
    }

    /** Makes the data, and starts it. */
    void create() throws IOException, InterruptedException {
        Files.createDirectory(directory);
        Path secret = scratch.resolve("postgresql.secret");
        Files.writeString(secret, password + "\n", StandardOpenOption.CREATE_NEW);
        if (isRoot()) {
            Command.run("chown", OWNER, directory.toString(), secret.toString());
            Command.run("chmod", "o+x", scratch.directory().toString());
        }
        Command.run("chmod", "600", secret.toString());
        List<String> initialize = command("initdb");
        initialize.addAll(List.of(
                "--pgdata=" + directory,
                "--username=" + USER,
                "--auth=scram-sha-256",
                "--pwfile=" + secret,
                "--encoding=UTF8",
                "--no-locale"));
        Command.run(initialize.toArray(String[]::new));
        Files.delete(secret);
        start();
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            // No key: what is there twice is to be seen.
            statement.execute("CREATE TABLE moved (number integer NOT NULL)");
        } catch (SQLException e) {
            throw new ScenarioFailedException("the table cannot be created", e);
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** A command of PostgreSQL that dies with this process. */
    private static List<String> command(String name) {
        List<String> words = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL"));
        if (isRoot()) {
            words.addAll(List.of("--reuid", OWNER, "--regid", OWNER, "--clear-groups"));
        }
        words.add(binaries().orElseThrow().resolve(name).toString());
        return words;
    }

    /** @throws ScenarioFailedException if it does not get ready */
    void start() throws IOException, InterruptedException {
        List<String> words = command("postgres");
        words.addAll(List.of(
                "-D",
                directory.toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "max_prepared_transactions=100",
                "-c",
                "max_connections=60",
                "-c",
                "shared_buffers=16MB"));
        Process started = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        process = started;
        long begunNs = time.nanoTime();
        while (!answers()) {
            if (!started.isAlive() || time.nanoTime() - begunNs > START_NS) {
                throw new ScenarioFailedException("PostgreSQL does not get ready; its log is " + log);
            }
            started.waitFor(LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private boolean answers() {
        try (Connection connection = connect()) {
            return connection.isValid(1);
        } catch (SQLException notYet) {
            return false;
        }
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), USER, password);
    }

    /** kill -9 of all its processes at a time: they are stopped first, so that none says good-bye to anybody because another is gone. */
    void kill() throws InterruptedException {
        Process running = process;
        if (running == null || !running.isAlive()) {
            return;
        }
        Signals.send(running.pid(), Signals.STOP);
        List<ProcessHandle> children = running.descendants().toList();
        children.forEach(child -> Signals.send(child.pid(), Signals.STOP));
        children.forEach(ProcessHandle::destroyForcibly);
        running.destroyForcibly();
        running.waitFor();
        for (ProcessHandle child : children) {
            child.onExit()
                    .completeOnTimeout(child, GONE_MS, TimeUnit.MILLISECONDS)
                    .join();
        }
    }

    /** Returns the numbers in the table. */
    List<Integer> moved() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT number FROM moved")) {
            List<Integer> numbers = new ArrayList<>();
            while (rows.next()) {
                numbers.add(rows.getInt(1));
            }
            return numbers;
        }
    }

    /** Returns the transactions that are prepared. */
    List<String> inDoubt() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT gid FROM pg_prepared_xacts")) {
            List<String> names = new ArrayList<>();
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        }
    }

    @Override
    public void close() {
        try {
            kill();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
