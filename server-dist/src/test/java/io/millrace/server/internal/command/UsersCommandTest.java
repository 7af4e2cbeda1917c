package io.millrace.server.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code millrace users} against a broker that takes logins, with clients that log in as those users. */
final class UsersCommandTest {
    @TempDir
    private static Path directory;

    private static EmbeddedBroker broker;
    private static String address;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("listeners", "SASL_PLAINTEXT://127.0.0.1:0")
                .config("sasl.enabled.mechanisms", "SCRAM-SHA-512,SCRAM-SHA-256,PLAIN")
                .config(
                        "plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_root=\"rs\";")
                .config("authorizer.enabled", "true")
                .config("super.users", "User:root;User:jane;User:Jürgen 🦆, \"the\" = one")
                .start();
        address = broker.url().substring("millrace://".length());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static CommandRun run(String... arguments) {
        return runAs("root", "rs", arguments);
    }

    private static CommandRun runAs(String user, String password, String... arguments) {
        List<String> all = new ArrayList<>(List.of("users"));
        all.addAll(Arrays.asList(arguments));
        all.addAll(List.of(
                "--server",
                address,
                "--client",
                "security.protocol=SASL_PLAINTEXT",
                "--client",
                "sasl.mechanism=SCRAM-SHA-512",
                "--client",
                "sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + user
                        + "\" password=\"" + password + "\";"));
        return CommandRun.of(all.toArray(new String[0]));
    }

    private static String file(String content) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "password", ""), content)
                .toString();
    }

    private static CommandRun runWithInput(String input, String... arguments) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return run(arguments);
        } finally {
            System.setIn(before);
        }
    }

    private static void logIn(String user, String password) throws JMSException {
        new MillraceConnectionFactory(broker.url())
                .createConnection(user, password)
                .close();
    }

    private static void assertCannotLogIn(String user, String password) {
        assertThatThrownBy(() -> logIn(user, password)).isInstanceOf(JMSSecurityException.class);
    }

    @Test
    void shouldAddChangeAndDeleteAUser() throws Exception {
        CommandRun added = run("add", "jane", "--password-file", file("first one\nof two lines"));
        assertThat(added.err()).isEmpty();
        assertThat(added.out()).isEqualTo("added user jane\n");
        assertThat(added.exitCode()).isEqualTo(ExitCode.OK);
        logIn("jane", "first one");
        assertCannotLogIn("jane", "wrong");

        JsonNode listed = new ObjectMapper().readTree(run("list", "--json").out());
        assertThat(listed.findValuesAsText("name")).contains("jane");
        assertThat(listed.findValuesAsText("mechanism")).contains("SCRAM-SHA-256", "SCRAM-SHA-512");
        assertThat(run("list").out())
                .startsWith("USER ")
                .containsPattern("\njane +SCRAM-SHA-256, SCRAM-SHA-512\n")
                .doesNotContain("root");

        assertThat(runWithInput("second\r\n", "passwd", "jane").out()).isEqualTo("changed the password of user jane\n");
        logIn("jane", "second");
        assertCannotLogIn("jane", "first one");

        assertThat(run("delete", "jane").out()).isEqualTo("deleted user jane\n");
        assertCannotLogIn("jane", "second");
        assertThat(run("list").out()).doesNotContain("jane");
    }

    @Test
    void shouldSayWhatIsThereAndWhatIsNot() throws IOException {
        assertThat(runWithInput("secret", "add", "twice").exitCode()).isZero();

        CommandRun again = run("add", "twice", "--password-file", file("other secret"));
        assertThat(again.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(again.err())
                .startsWith("millrace: there is a user twice already")
                .contains("millrace users passwd");
        for (String command : List.of("passwd", "delete")) {
            CommandRun unknown = run(command, "nobody");
            assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(unknown.err())
                    .startsWith("millrace: there is no user nobody")
                    .contains("millrace users list");
        }
    }

    @Test
    void shouldTakeNamesOfAnyLanguage() throws Exception {
        String name = "Jürgen 🦆, \"the\" = one";
        assertThat(runWithInput("pässwörd 🦆\n", "add", name).exitCode()).isZero();

        logIn(name, "pässwörd 🦆");

        assertThat(run("delete", name).exitCode()).isZero();
    }

    @Test
    void shouldTellWhoMayNotChangeUsers() {
        assertThat(runWithInput("secret", "add", "plain").exitCode()).isZero();

        for (String[] command : List.of(new String[] {"list"}, new String[] {"delete", "plain"})) {
            CommandRun refused = runAs("plain", "secret", command);
            assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(refused.err()).startsWith("millrace: you may not ").contains("kafka-acls.sh", "on the cluster");
        }
        CommandRun stranger = runAs("plain", "guessed", "list");
        assertThat(stranger.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(stranger.err()).contains("Authentication failed").doesNotContain("guessed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "User:ann", "*", "ANONYMOUS", " ann", "a\nb", "a\u0000", "\ud800", "64k", "line\u2028"})
    void shouldRefuseNamesThatNobodyCanHave(String name) {
        CommandRun refused = run("add", name.equals("64k") ? "n".repeat(64 * 1024) : name);

        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).startsWith("millrace: ").doesNotContain("Exception");
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.err()).hasSizeLessThan(300);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\nsecond", "tab\there", "64k"})
    void shouldRefusePasswordsThatCannotBeUsed(String password) throws IOException {
        CommandRun refused =
                run("add", "careless", "--password-file", file(password.equals("64k") ? "p".repeat(65_536) : password));

        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).startsWith("millrace: a password ").doesNotContain("here", "ppp");
        assertThat(run("list").out()).doesNotContain("careless");
    }

    @Test
    void shouldRefuseAPasswordThatIsNoText() throws IOException {
        Path bytes = Files.write(directory.resolve("bytes"), new byte[] {'a', (byte) 0xff, 'b'});

        assertThat(run("add", "binary", "--password-file", bytes.toString()).err())
                .isEqualTo("millrace: the password is no text in UTF-8\n");
        assertThat(run("add", "binary", "--password-file", directory + "/missing")
                        .err())
                .startsWith("millrace: ")
                .contains("missing");
    }

    @Test
    void shouldLeaveAUserWholeOrGoneWhateverIsDoneAtOnce() throws Exception {
        String password = file("secret");
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<CommandRun>> runs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                runs.add(threads.submit(() -> run("add", "contested", "--password-file", password)));
                runs.add(threads.submit(() -> run("delete", "contested")));
            }
            for (Future<CommandRun> one : runs) {
                assertThat(one.get().err())
                        .matches("|millrace: there is (a user contested already|no user contested);.*\n");
            }
        }

        // Whatever came last, one more command makes it whole, and one more takes it away.
        if (!run("list").out().contains("contested")) {
            assertThat(run("add", "contested", "--password-file", password).exitCode())
                    .isZero();
        }
        assertThat(run("passwd", "contested", "--password-file", password).exitCode())
                .isZero();
        assertThat(run("list").out()).containsPattern("contested +SCRAM-SHA-256, SCRAM-SHA-512\n");
        assertThat(run("delete", "contested").exitCode()).isZero();
        assertThat(run("list").out()).doesNotContain("contested");
    }
}
