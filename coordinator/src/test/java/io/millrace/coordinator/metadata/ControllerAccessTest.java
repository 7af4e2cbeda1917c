package io.millrace.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclPatternType;
import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.access.QuotaSubject;
import io.millrace.coordinator.access.ScramCredential;
import io.millrace.coordinator.access.ScramMechanism;
import io.millrace.coordinator.metadata.AccessCommand.AlterQuotas;
import io.millrace.coordinator.metadata.AccessCommand.AlterQuotasResult;
import io.millrace.coordinator.metadata.AccessCommand.AlterScramUser;
import io.millrace.coordinator.metadata.AccessCommand.AlterScramUserResult;
import io.millrace.coordinator.metadata.AccessCommand.CreateAcls;
import io.millrace.coordinator.metadata.AccessCommand.CreateAclsResult;
import io.millrace.coordinator.metadata.AccessCommand.DeleteAcls;
import io.millrace.coordinator.metadata.MetadataCommand.AddPartitions;
import io.millrace.coordinator.metadata.MetadataCommand.AddPartitionsResult;
import io.millrace.coordinator.metadata.MetadataCommand.AlterConfig;
import io.millrace.coordinator.metadata.MetadataCommand.AlterConfigResult;
import io.millrace.coordinator.metadata.MetadataCommand.AlterFeatures;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLog;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import io.millrace.coordinator.metadata.MetadataCommand.DryRun;
import io.millrace.coordinator.metadata.MetadataCommand.EditConfig;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBroker;
import io.millrace.testkit.SteppedExecutor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What administrators set: partitions, configuration, features, users, quotas, ACLs. */
class ControllerAccessTest {

    private static final QuotaEntity ALICE =
            new QuotaEntity(Optional.of(QuotaSubject.of("alice")), Optional.empty(), Optional.empty());

    private final Random random = new Random(1);
    private final SteppedExecutor executor = new SteppedExecutor();
    private final ManualQuorum quorum = new ManualQuorum();
    private final ControllerSettings settings = new ControllerSettings(
            1,
            1,
            8,
            5,
            3,
            1_000,
            (scope, key, value) -> value.contains("wrong") ? Optional.of(value + " is wrong") : Optional.empty());
    private final ClusterMetadata metadata =
            new ClusterMetadata(quorum, executor, settings, random, (part, cause) -> {});

    @BeforeEach
    void lead() {
        metadata.start();
        quorum.elect(ManualQuorum.MEMBER, 3);
        executor.runAll();
        run(new RegisterBroker(id(), 1, new UUID(5, 5), List.of()));
    }

    @Test
    void shouldAddPartitionsBehindThosePresent() {
        LogInfo log = create("orders", 2);

        AddPartitionsResult result = run(new AddPartitions(id(), log.logId(), 5));

        LogInfo grown = metadata.image().log(log.logId()).orElseThrow();
        assertThat(result).isEqualTo(new AddPartitionsResult.Added(grown));
        assertThat(grown.partitions())
                .hasSize(5)
                .allSatisfy(partition -> assertThat(partition.isLedBy(1)).isTrue());
        assertThat(grown.partitions().subList(0, 2)).isEqualTo(log.partitions());
        assertThat(metadata.image().logNamed("orders")).contains(grown);
    }

    @Test
    void shouldRefuseFewerAsManyOrTooManyPartitions() {
        LogInfo log = create("orders", 2);

        for (int wanted : List.of(2, 1, 0, -1, 9)) {
            assertThat(run(new AddPartitions(id(), log.logId(), wanted)))
                    .isEqualTo(new AddPartitionsResult.Invalid(
                            "log orders has 2 partitions and can get more, up to 8, but not " + wanted));
        }
        assertThat(run(new AddPartitions(id(), id(), 3))).isEqualTo(new AddPartitionsResult.NotFound());
    }

    @Test
    void shouldAnswerADryRunAndChangeNothing() {
        LogInfo log = create("orders", 2);
        MetadataImage before = metadata.image();

        assertThat(run(new DryRun<>(new AddPartitions(id(), log.logId(), 4))))
                .isInstanceOfSatisfying(
                        AddPartitionsResult.Added.class,
                        added -> assertThat(added.log().partitions()).hasSize(4));
        assertThat(run(new DryRun<>(createLog("later", 3))))
                .isInstanceOfSatisfying(
                        CreateLogResult.Created.class,
                        created -> assertThat(created.log().partitions()).hasSize(3));
        assertThat(run(new DryRun<>(createLog("orders", 3)))).isInstanceOf(CreateLogResult.AlreadyExists.class);

        assertThat(metadata.image()).isSameAs(before);
        assertThat(run(createLog("later", 3))).isInstanceOf(CreateLogResult.Created.class);
    }

    @Test
    void shouldEditListsByWhatTheyAre() {
        LogInfo log = create("orders", 1);
        ConfigScope scope = new ConfigScope.Log(log.logId());

        run(new EditConfig(
                id(), scope, Map.of("cleanup.policy", new ConfigEdit.Append(List.of("compact"), List.of("delete")))));
        assertThat(metadata.image().config(scope)).containsEntry("cleanup.policy", "delete,compact");
        run(new EditConfig(
                id(), scope, Map.of("cleanup.policy", new ConfigEdit.Append(List.of("delete"), List.of("x")))));
        assertThat(metadata.image().config(scope)).containsEntry("cleanup.policy", "delete,compact");
        run(new EditConfig(
                id(), scope, Map.of("cleanup.policy", new ConfigEdit.Subtract(List.of("delete", "y"), List.of()))));
        assertThat(metadata.image().config(scope)).containsEntry("cleanup.policy", "compact");

        Map<String, ConfigEdit> edits = new HashMap<>();
        edits.put("cleanup.policy", new ConfigEdit.Remove());
        edits.put("a", new ConfigEdit.Set("1"));
        run(new EditConfig(id(), scope, edits));
        assertThat(metadata.image().config(scope)).isEqualTo(Map.of("a", "1"));
    }

    @Test
    void shouldMakeAllEditsOrNone() {
        ConfigScope scope = new ConfigScope.Group("g");

        AlterConfigResult result = run(
                new EditConfig(id(), scope, Map.of("a", new ConfigEdit.Set("1"), "b", new ConfigEdit.Set("wrong"))));

        assertThat(result).isEqualTo(new AlterConfigResult.Invalid("b", "wrong is wrong"));
        assertThat(metadata.image().groupConfigs()).isEmpty();
    }

    @Test
    void shouldKeepSettingsOfGroupsUntilTheLastIsRemoved() {
        ConfigScope scope = new ConfigScope.Group("g");

        run(new AlterConfig(id(), scope, Map.of("a", Optional.of("1"), "b", Optional.of("2"))));
        assertThat(metadata.image().groupConfigs()).containsExactly(new GroupConfig("g", Map.of("a", "1", "b", "2")));
        run(new AlterConfig(id(), scope, Map.of("a", Optional.empty(), "b", Optional.empty())));
        assertThat(metadata.image().groupConfigCount()).isZero();
    }

    @Test
    void shouldSetAndRemoveCredentialsOfAUser() {
        ScramCredential sha256 = credential(ScramMechanism.SCRAM_SHA_256, 1);
        ScramCredential sha512 = credential(ScramMechanism.SCRAM_SHA_512, 2);

        run(new AlterScramUser(
                id(),
                "alice",
                Map.of(
                        ScramMechanism.SCRAM_SHA_256, Optional.of(sha256),
                        ScramMechanism.SCRAM_SHA_512, Optional.of(sha512))));
        ScramUser both = metadata.image().scramUser("alice").orElseThrow();
        assertThat(both.credential(ScramMechanism.SCRAM_SHA_256)).contains(sha256);
        assertThat(both.credential(ScramMechanism.SCRAM_SHA_512)).contains(sha512);

        run(new AlterScramUser(id(), "alice", Map.of(ScramMechanism.SCRAM_SHA_256, Optional.empty())));
        assertThat(metadata.image().scramUsers())
                .containsExactly(new ScramUser("alice", Map.of(ScramMechanism.SCRAM_SHA_512, sha512)));
        assertThat(run(new AlterScramUser(id(), "alice", Map.of(ScramMechanism.SCRAM_SHA_256, Optional.empty()))))
                .isEqualTo(new AlterScramUserResult.NotFound(ScramMechanism.SCRAM_SHA_256));
        run(new AlterScramUser(id(), "alice", Map.of(ScramMechanism.SCRAM_SHA_512, Optional.empty())));
        assertThat(metadata.image().scramUserCount()).isZero();
    }

    @Test
    void shouldSetAndRemoveQuotas() {
        run(new AlterQuotas(
                id(),
                ALICE,
                Map.of(
                        QuotaKey.PRODUCER_BYTE_RATE, OptionalDouble.of(1_000),
                        QuotaKey.REQUEST_PERCENTAGE, OptionalDouble.of(50))));
        run(new AlterQuotas(id(), ALICE, Map.of(QuotaKey.REQUEST_PERCENTAGE, OptionalDouble.empty())));

        assertThat(metadata.image().quotas())
                .containsExactly(new Quotas(ALICE, Map.of(QuotaKey.PRODUCER_BYTE_RATE, 1_000.0)));
        for (double wrong : List.of(0.0, -1.0, Double.NaN, Double.POSITIVE_INFINITY)) {
            assertThat(run(new AlterQuotas(id(), ALICE, Map.of(QuotaKey.PRODUCER_BYTE_RATE, OptionalDouble.of(wrong)))))
                    .isInstanceOf(AlterQuotasResult.Invalid.class);
        }
        run(new AlterQuotas(id(), ALICE, Map.of(QuotaKey.PRODUCER_BYTE_RATE, OptionalDouble.empty())));
        assertThat(metadata.image().quotaEntityCount()).isZero();
    }

    @Test
    void shouldCreateEachAclOnceAndDeleteWhatIsThere() {
        AclEntry one = AclsImageTest.read(AclPatternType.LITERAL, "orders");
        AclEntry other = AclsImageTest.read(AclPatternType.PREFIXED, "o");

        assertThat(run(new CreateAcls(id(), List.of(one, one, other)))).isEqualTo(new CreateAclsResult.Created());
        assertThat(run(new CreateAcls(id(), List.of(one)))).isEqualTo(new CreateAclsResult.Created());
        assertThat(metadata.image().acls()).containsExactly(one, other);

        run(new DeleteAcls(id(), List.of(one, one)));
        run(new DeleteAcls(id(), List.of(one)));
        assertThat(metadata.image().acls()).containsExactly(other);
    }

    @Test
    void shouldRefuseNamesThatNobodyNeeds() {
        String huge = "x".repeat(1_025);

        assertThat(run(new AlterScramUser(
                        id(),
                        huge,
                        Map.of(
                                ScramMechanism.SCRAM_SHA_256,
                                Optional.of(credential(ScramMechanism.SCRAM_SHA_256, 1))))))
                .isEqualTo(new AlterScramUserResult.Invalid(
                        "the name of a user has 1025 characters, at most 1024 are allowed"));
        assertThat(run(new CreateAcls(id(), List.of(AclsImageTest.read(AclPatternType.LITERAL, huge)))))
                .isInstanceOf(CreateAclsResult.Invalid.class);
        assertThat(run(new AlterQuotas(
                        id(),
                        new QuotaEntity(Optional.of(QuotaSubject.of(huge)), Optional.empty(), Optional.empty()),
                        Map.of())))
                .isInstanceOf(AlterQuotasResult.Invalid.class);
    }

    @Test
    void shouldBoundHowManyThereAre() {
        AccessDecisions decisions = new AccessDecisions(new AccessLimits(1, 1, 2, 1, 100));
        run(new CreateAcls(id(), List.of(AclsImageTest.read(AclPatternType.LITERAL, "a"))));
        run(new AlterQuotas(id(), ALICE, Map.of(QuotaKey.PRODUCER_BYTE_RATE, OptionalDouble.of(1))));
        setCredential("alice");
        run(new AlterConfig(id(), new ConfigScope.Group("g"), Map.of("a", Optional.of("1"))));
        MetadataImage image = metadata.image();

        assertThat(answer(
                        decisions.decide(
                                new CreateAcls(
                                        id(),
                                        List.of(
                                                AclsImageTest.read(AclPatternType.LITERAL, "b"),
                                                AclsImageTest.read(AclPatternType.LITERAL, "c"))),
                                image),
                        image))
                .isEqualTo(new CreateAclsResult.LimitReached(2));
        QuotaEntity bob = new QuotaEntity(Optional.of(QuotaSubject.of("bob")), Optional.empty(), Optional.empty());
        assertThat(answer(decisions.decide(new AlterQuotas(id(), bob, Map.of()), image), image))
                .isEqualTo(new AlterQuotasResult.LimitReached(1));
        assertThat(answer(decisions.decide(new AlterScramUser(id(), "bob", Map.of()), image), image))
                .isEqualTo(new AlterScramUserResult.LimitReached(1));
        ConfigDecisions configs =
                new ConfigDecisions((scope, key, value) -> Optional.empty(), new AccessLimits(1, 1, 2, 1, 100));
        assertThat(answer(
                        configs.alter(
                                new AlterConfig(id(), new ConfigScope.Group("h"), Map.of("a", Optional.of("1"))),
                                image),
                        image))
                .isEqualTo(new AlterConfigResult.LimitReached(1));
    }

    @Test
    void shouldRefuseAChangeThatIsTooLargeForABatch() {
        Map<String, Optional<String>> changes = new HashMap<>();
        for (int i = 0; i < 70; i++) {
            changes.put("k" + i, Optional.of("x".repeat(60_000)));
        }

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> run(new AlterConfig(id(), new ConfigScope.Cluster(), changes)))
                .withCauseInstanceOf(MetadataFormatException.class)
                .withMessageContaining("make it in parts");
        assertThat(create("orders", 1)).isNotNull();
    }

    @Test
    void shouldKeepLevelsOfFeatures() {
        run(new AlterFeatures(id(), Map.of("transaction.version", (short) 1)));
        run(new AlterFeatures(id(), Map.of("transaction.version", (short) 2, "group.version", (short) 0)));

        assertThat(metadata.image().features())
                .isEqualTo(Map.of("transaction.version", (short) 2, "group.version", (short) 0));
    }

    @Test
    void shouldAnswerARepeatedCommandAsTheFirstTime() {
        LogInfo log = create("orders", 1);
        AddPartitions command = new AddPartitions(id(), log.logId(), 3);
        AccessCommand<?> acls = new CreateAcls(id(), List.of(AclsImageTest.read(AclPatternType.LITERAL, "a")));

        assertThat(run(command)).isEqualTo(run(command));
        assertThat((Object) run(acls)).isEqualTo(run(acls));
    }

    private void setCredential(String user) {
        run(new AlterScramUser(
                id(),
                user,
                Map.of(ScramMechanism.SCRAM_SHA_256, Optional.of(credential(ScramMechanism.SCRAM_SHA_256, 1)))));
    }

    private static Object answer(Decision<?> decision, MetadataImage image) {
        return decision.answer().apply(image);
    }

    private static ScramCredential credential(ScramMechanism mechanism, int fill) {
        byte[] key = new byte[mechanism.keyBytes()];
        Arrays.fill(key, (byte) fill);
        return new ScramCredential(mechanism, new byte[] {1, 2, 3}, key, key, 4_096);
    }

    private <R> R run(MetadataCommand<R> command) {
        CompletableFuture<R> answer = metadata.controller().submit(command).toCompletableFuture();
        executor.runAll();
        quorum.commitAll();
        executor.runAll();
        assertThat(answer).isDone();
        return answer.join();
    }

    private LogInfo create(String name, int partitions) {
        return ((CreateLogResult.Created) run(createLog(name, partitions))).log();
    }

    private CreateLog createLog(String name, int partitions) {
        return new CreateLog(id(), name, LogKind.TOPIC, LogOrigin.KAFKA, Optional.of(partitions), Map.of());
    }

    private UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
