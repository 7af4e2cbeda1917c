package io.millrace.server.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetadataCommandTest {
    @TempDir
    Path directory;

    private void fill() throws ExecutionException, InterruptedException {
        try (EmbeddedBroker broker = EmbeddedBroker.builder()
                        .directory(directory)
                        .config("authorizer.enabled", "true")
                        .config("super.users", "User:ANONYMOUS")
                        .start();
                MillraceAdmin destinations = MillraceAdmin.connect(broker.url());
                JMSContext context = new MillraceConnectionFactory(broker.url()).createContext();
                Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + broker.port()))) {
            destinations.create(DestinationKind.QUEUE, "orders", 2, Map.of("flush", "os"));
            destinations.create(DestinationKind.TOPIC, "gone", 1, Map.of());
            destinations.delete(DestinationKind.TOPIC, "gone");
            context.createSharedDurableConsumer(context.createTopic("news"), "audit")
                    .close();
            admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                            "alice", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 8192), "not-to-be-shown")))
                    .all()
                    .get();
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            new ClientQuotaEntity(Map.of("user", "alice")),
                            List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 1_000.0)))))
                    .all()
                    .get();
            admin.createAcls(List.of(new AclBinding(
                            new ResourcePattern(ResourceType.TOPIC, "news", PatternType.LITERAL),
                            new AccessControlEntry("User:alice", "*", AclOperation.READ, AclPermissionType.ALLOW))))
                    .all()
                    .get();
            broker.kill();
        }
    }

    private CommandRun dump(String... more) {
        return CommandRun.of(Stream.concat(Stream.of("metadata", "dump", directory.toString()), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void shouldShowWhatThereIsAndNoSecret() throws ExecutionException, InterruptedException, IOException {
        fill();

        CommandRun text = dump();
        CommandRun json = dump("--json");

        assertThat(text.exitCode()).as(text.err()).isZero();
        assertThat(text.out())
                .contains(
                        "brokers: 1",
                        "queues and topics: 2",
                        "  orders  queue of jms",
                        "    flush=os",
                        "    partition 1  leader 1",
                        "  audit  of news  shared  active",
                        "  alice  SCRAM-SHA-256 iterations=8192",
                        "  {user=alice}  {producer_byte_rate=1000.0}",
                        "  allow User:alice from *: read on topic literal:news")
                .doesNotContain("gone", "not-to-be-shown", "salt");
        JsonNode root = new ObjectMapper().readTree(json.out());
        assertThat(root.at("/logs/1/name").asText()).isEqualTo("orders");
        assertThat(root.at("/logs/1/partitions")).hasSize(2);
        assertThat(root.at("/subscriptions/0/log").asText()).isEqualTo("news");
        assertThat(root.at("/users/0/mechanisms/0").asText()).isEqualTo("SCRAM-SHA-256 iterations=8192");
        assertThat(root.at("/acls")).hasSize(1);
        assertThat(json.out().toLowerCase(Locale.ROOT)).doesNotContain("salt", "storedkey", "serverkey");
    }

    @Test
    void shouldShowWhatComesBeforeADamageAndSayWhereItIs()
            throws ExecutionException, InterruptedException, IOException {
        fill();
        Path log = directory.resolve("__cluster_metadata-0/00000000000000000000.log");
        Files.write(log, new byte[200], StandardOpenOption.APPEND);

        CommandRun run = dump();

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).contains("  orders  queue of jms");
        assertThat(run.err()).contains("this is not all: ", log.toString(), "millrace log verify");
    }

    @Test
    void shouldSayWhereTheMetadataWouldBe() {
        CommandRun empty = dump();
        CommandRun missing =
                CommandRun.of("metadata", "dump", directory.resolve("no-such").toString());

        assertThat(empty.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(empty.err())
                .contains("there is no metadata log in " + directory)
                .contains("log.dirs");
        assertThat(missing.exitCode()).isEqualTo(ExitCode.USAGE);
    }
}
