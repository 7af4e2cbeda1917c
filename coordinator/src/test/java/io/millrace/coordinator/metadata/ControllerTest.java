package io.millrace.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.coordinator.metadata.MetadataCommand.ActivateSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.ActivateSubscriptionResult;
import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIds;
import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIdsResult;
import io.millrace.coordinator.metadata.MetadataCommand.AlterConfig;
import io.millrace.coordinator.metadata.MetadataCommand.AlterConfigResult;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLog;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import io.millrace.coordinator.metadata.MetadataCommand.CreateSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.CreateSubscriptionResult;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteLog;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteLogResult;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteSubscription;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteSubscriptionResult;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBroker;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBrokerResult;
import io.millrace.testkit.SteppedExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControllerTest {

    private static final UUID INCARNATION = new UUID(5, 5);

    private final Random random = new Random(1);
    private final SteppedExecutor executor = new SteppedExecutor();
    private final ManualQuorum quorum = new ManualQuorum();
    private final List<String> faults = new ArrayList<>();
    private final ControllerSettings settings = new ControllerSettings(
            1,
            1,
            8,
            5,
            3,
            1_000,
            (scope, key, value) -> key.equals("flush") && !value.equals("ack") && !value.equals("os")
                    ? Optional.of("flush is ack or os, not " + value)
                    : Optional.empty());
    private final ClusterMetadata metadata =
            new ClusterMetadata(quorum, executor, settings, random, (part, cause) -> faults.add(part + ": " + cause));

    @BeforeEach
    void lead() {
        metadata.start();
        quorum.elect(ManualQuorum.MEMBER, 3);
        executor.runAll();
    }

    // ---- brokers ----------------------------------------------------------------------------------------------------

    @Test
    void shouldGrantALargerBrokerEpochAtEachRegistration() {
        long first = register(1);
        long other = register(2);
        long second = register(1);

        assertThat(List.of(first, other, second)).containsExactly(1L, 2L, 3L);
        assertThat(metadata.image().broker(1)).hasValueSatisfying(broker -> {
            assertThat(broker.brokerEpoch()).isEqualTo(3);
            assertThat(broker.incarnation()).isEqualTo(INCARNATION);
            assertThat(broker.endpoints()).containsExactly(new BrokerEndpoint("main", "127.0.0.1", 9092));
        });
    }

    @Test
    void shouldBeginANewLeaderEpochOfEveryPartitionWhenItsLeaderRestarts() {
        register(1);
        LogInfo log = create("orders", LogKind.QUEUE, 2);

        register(1);

        assertThat(metadata.image().log(log.logId()).orElseThrow().partitions())
                .containsExactly(partition(1, 1, 1), partition(1, 1, 1));
    }

    @Test
    void shouldRefuseABrokerThatReturnsWithAnotherDirectory() {
        register(1);
        create("orders", LogKind.QUEUE, 1);

        RegisterBrokerResult result = run(new RegisterBroker(id(), 1, new UUID(6, 6), List.of()));

        assertThat(result).isEqualTo(new RegisterBrokerResult.OtherIncarnation(INCARNATION));
    }

    @Test
    void shouldAllocateEachProducerIdOnce() {
        long epoch = register(1);

        AllocateProducerIdsResult first = run(new AllocateProducerIds(id(), 1, epoch));
        AllocateProducerIdsResult second = run(new AllocateProducerIds(id(), 1, epoch));

        assertThat(first).isEqualTo(new AllocateProducerIdsResult.Allocated(0, 1_000));
        assertThat(second).isEqualTo(new AllocateProducerIdsResult.Allocated(1_000, 1_000));
    }

    @Test
    void shouldRefuseProducerIdsToAProcessThatWasReplaced() {
        long old = register(1);
        long current = register(1);

        assertThat(run(new AllocateProducerIds(id(), 1, old)))
                .isEqualTo(new AllocateProducerIdsResult.StaleBrokerEpoch(current));
        assertThat(run(new AllocateProducerIds(id(), 9, 1)))
                .isEqualTo(new AllocateProducerIdsResult.StaleBrokerEpoch(0));
    }

    // ---- logs -------------------------------------------------------------------------------------------------------

    @Test
    void shouldCreateALogWithItsPartitionsAtTheBroker() {
        register(1);

        LogInfo log = create("orders", LogKind.QUEUE, 2);

        assertThat(log.name()).isEqualTo("orders");
        assertThat(log.partitions()).containsExactly(partition(1, 0, 0), partition(1, 0, 0));
        assertThat(metadata.image().log(log.logId())).contains(log);
        assertThat(metadata.image().logNamed("orders")).contains(log);
        assertThat(metadata.image().logs()).containsExactly(log);
    }

    @Test
    void shouldSpreadPartitionsOverTheBrokers() {
        register(1);
        register(2);

        List<PartitionInfo> first = create("a", LogKind.QUEUE, 3).partitions();
        List<PartitionInfo> second = create("b", LogKind.QUEUE, 1).partitions();

        assertThat(first.stream().map(p -> p.leader().orElseThrow())).containsExactly(1, 2, 1);
        assertThat(second.stream().map(p -> p.leader().orElseThrow())).containsExactly(2);
    }

    @Test
    void shouldAnswerWithTheExistingLogOfTheSameKind() {
        register(1);
        LogInfo log = create("orders", LogKind.QUEUE, 2);

        assertThat(run(createLog("orders", LogKind.QUEUE, 7))).isEqualTo(new CreateLogResult.AlreadyExists(log));
        assertThat(quorum.proposed).isEmpty();
    }

    @Test
    void shouldRefuseANameThatTheOtherKindHas() {
        register(1);
        LogInfo queue = create("orders", LogKind.QUEUE, 1);

        assertThat(run(createLog("orders", LogKind.TOPIC, 1))).isEqualTo(new CreateLogResult.NameTaken(queue));
    }

    @Test
    void shouldRefuseNamesThatAreNoDirectories() {
        register(1);

        for (String name : List.of("", ".", "..", "a/b", "a b", "é", "x".repeat(250))) {
            assertThat(run(createLog(name, LogKind.QUEUE, 1)))
                    .as(name)
                    .isInstanceOfSatisfying(
                            CreateLogResult.Invalid.class,
                            invalid -> assertThat(invalid.problem()).contains("1 to 249"));
        }
        assertThat(run(createLog("x".repeat(249), LogKind.QUEUE, 1))).isInstanceOf(CreateLogResult.Created.class);
    }

    @Test
    void shouldRefuseImpossiblePartitionsConfigurationAndCounts() {
        assertThat(run(createLog("early", LogKind.QUEUE, 1))).isEqualTo(new CreateLogResult.NoBroker());
        register(1);

        assertThat(run(createLog("a", LogKind.QUEUE, 0))).isInstanceOf(CreateLogResult.Invalid.class);
        assertThat(run(createLog("a", LogKind.QUEUE, 9))).isInstanceOf(CreateLogResult.Invalid.class);
        assertThat(run(new CreateLog(
                        id(), "a", LogKind.QUEUE, LogOrigin.JMS, Optional.empty(), Map.of("flush", "sometimes"))))
                .isEqualTo(new CreateLogResult.Invalid("flush: flush is ack or os, not sometimes"));
        for (int i = 0; i < 5; i++) {
            create("log" + i, LogKind.QUEUE, 1);
        }
        assertThat(run(createLog("one-more", LogKind.QUEUE, 1))).isEqualTo(new CreateLogResult.LimitReached(5));
    }

    @Test
    void shouldDeleteALogByIdentity() {
        register(1);
        LogInfo log = create("orders", LogKind.QUEUE, 1);

        assertThat(run(new DeleteLog(id(), log.logId()))).isEqualTo(new DeleteLogResult.Deleted());
        LogInfo again = create("orders", LogKind.TOPIC, 1);

        assertThat(again.logId()).isNotEqualTo(log.logId());
        assertThat(run(new DeleteLog(id(), log.logId()))).isEqualTo(new DeleteLogResult.NotFound());
        assertThat(metadata.image().logs()).containsExactly(again);
    }

    @Test
    void shouldAlterConfigurationOfAllScopesAllOrNothing() {
        register(1);
        LogInfo log = create("orders", LogKind.QUEUE, 1);
        ConfigScope ofLog = new ConfigScope.Log(log.logId());

        assertThat(run(new AlterConfig(id(), ofLog, Map.of("flush", Optional.of("os"), "x", Optional.of("1")))))
                .isEqualTo(new AlterConfigResult.Altered());
        assertThat(run(new AlterConfig(id(), ofLog, Map.of("flush", Optional.of("no"), "x", Optional.of("2")))))
                .isEqualTo(new AlterConfigResult.Invalid("flush", "flush is ack or os, not no"));
        run(new AlterConfig(id(), new ConfigScope.Cluster(), Map.of("y", Optional.of("3"))));
        run(new AlterConfig(id(), new ConfigScope.Broker(1), Map.of("z", Optional.of("4"))));

        assertThat(metadata.image().config(ofLog)).isEqualTo(Map.of("flush", "os", "x", "1"));
        assertThat(metadata.image().config(new ConfigScope.Cluster())).isEqualTo(Map.of("y", "3"));
        assertThat(metadata.image().config(new ConfigScope.Broker(1))).isEqualTo(Map.of("z", "4"));

        run(new AlterConfig(id(), ofLog, Map.of("x", Optional.empty())));
        run(new AlterConfig(id(), new ConfigScope.Broker(1), Map.of("z", Optional.empty())));
        assertThat(metadata.image().config(ofLog)).isEqualTo(Map.of("flush", "os"));
        assertThat(metadata.image().config(new ConfigScope.Broker(1))).isEmpty();
        assertThat(run(new AlterConfig(id(), new ConfigScope.Broker(2), Map.of())))
                .isEqualTo(new AlterConfigResult.NotFound());
    }

    // ---- subscriptions ----------------------------------------------------------------------------------------------

    @Test
    void shouldLeadASubscriptionThroughItsLife() {
        register(1);
        LogInfo topic = create("news", LogKind.TOPIC, 1);

        SubscriptionInfo created = subscribe(topic, Optional.of("a > 1"));
        assertThat(created.state()).isEqualTo(SubscriptionState.CREATING);
        assertThat(metadata.image().subscription(created.key())).contains(created);
        assertThat(metadata.image().subscriptionsOf(topic.logId())).containsExactly(created);

        ActivateSubscriptionResult active = run(new ActivateSubscription(id(), created.subscriptionId()));
        assertThat(active)
                .isEqualTo(new ActivateSubscriptionResult.Active(created.withState(SubscriptionState.ACTIVE)));
        assertThat(run(new ActivateSubscription(id(), created.subscriptionId())))
                .isEqualTo(active);

        assertThat(run(new DeleteSubscription(id(), created.subscriptionId())))
                .isEqualTo(new DeleteSubscriptionResult.Deleted());
        assertThat(metadata.image().subscription(created.subscriptionId())).isEmpty();
        assertThat(metadata.image().subscriptionsOf(topic.logId())).isEmpty();
        assertThat(run(new DeleteSubscription(id(), created.subscriptionId())))
                .isEqualTo(new DeleteSubscriptionResult.NotFound());
        assertThat(run(new ActivateSubscription(id(), created.subscriptionId())))
                .isEqualTo(new ActivateSubscriptionResult.NotFound());
    }

    @Test
    void shouldReplaceASubscriptionWhoseSelectorChangedOnlyWhenAsked() {
        register(1);
        LogInfo topic = create("news", LogKind.TOPIC, 1);
        SubscriptionInfo old = subscribe(topic, Optional.of("a > 1"));

        assertThat(run(createSubscription(topic, false, Optional.of("a > 1"), false)))
                .isEqualTo(new CreateSubscriptionResult.AlreadyExists(old));
        assertThat(run(createSubscription(topic, false, Optional.of("a > 2"), false)))
                .isEqualTo(new CreateSubscriptionResult.Mismatch(old));
        assertThat(run(createSubscription(topic, true, Optional.of("a > 1"), true)))
                .as("shared and unshared ones do not replace each other")
                .isEqualTo(new CreateSubscriptionResult.Mismatch(old));

        CreateSubscriptionResult result = run(createSubscription(topic, false, Optional.of("a > 2"), true));

        assertThat(result).isInstanceOfSatisfying(CreateSubscriptionResult.Created.class, created -> {
            assertThat(created.replaced()).contains(old);
            assertThat(created.subscription().subscriptionId()).isNotEqualTo(old.subscriptionId());
        });
        assertThat(metadata.image().subscriptionCount()).isEqualTo(1);
    }

    @Test
    void shouldRefuseSubscriptionsOfQueuesAndOfNothing() {
        register(1);
        LogInfo queue = create("orders", LogKind.QUEUE, 1);

        assertThat(run(createSubscription(queue, false, Optional.empty(), false)))
                .isEqualTo(new CreateSubscriptionResult.NotATopic(queue));
        run(new DeleteLog(id(), queue.logId()));
        assertThat(run(createSubscription(queue, false, Optional.empty(), false)))
                .isEqualTo(new CreateSubscriptionResult.LogNotFound());
    }

    @Test
    void shouldDropTheSubscriptionsOfADeletedLog() {
        register(1);
        LogInfo topic = create("news", LogKind.TOPIC, 1);
        SubscriptionInfo subscription = subscribe(topic, Optional.empty());

        run(new DeleteLog(id(), topic.logId()));

        assertThat(metadata.image().subscriptions()).isEmpty();
        assertThat(metadata.image().subscription(subscription.key())).isEmpty();
    }

    @Test
    void shouldLimitTheNumberOfSubscriptions() {
        register(1);
        LogInfo topic = create("news", LogKind.TOPIC, 1);

        for (int i = 0; i < 3; i++) {
            SubscriptionKey key = new SubscriptionKey(Optional.empty(), "s" + i);
            run(new CreateSubscription(id(), key, topic.logId(), true, Optional.empty(), false, false));
        }

        assertThat(run(createSubscription(topic, false, Optional.empty(), false)))
                .isEqualTo(new CreateSubscriptionResult.LimitReached(3));
    }

    // ---- the way through the quorum ---------------------------------------------------------------------------------

    @Test
    void shouldAnswerOnlyWhenCommitted() {
        register(1);

        CompletableFuture<CreateLogResult> answer = submit(createLog("orders", LogKind.QUEUE, 1));

        assertThat(answer).isNotDone();
        assertThat(metadata.image().logNamed("orders")).isEmpty();
        quorum.commitAll();
        executor.runAll();
        assertThat(answer.join()).isInstanceOf(CreateLogResult.Created.class);
        assertThat(metadata.image().logNamed("orders")).isPresent();
    }

    @Test
    void shouldDecideByWhatIsNotCommittedYetAndAnswerRefusalsNoEarlier() {
        register(1);
        CompletableFuture<CreateLogResult> first = submit(createLog("orders", LogKind.QUEUE, 1));
        CompletableFuture<CreateLogResult> refused = submit(createLog("orders", LogKind.TOPIC, 1));
        CompletableFuture<CreateLogResult> same = submit(createLog("orders", LogKind.QUEUE, 1));

        assertThat(List.of(first, refused, same)).noneMatch(CompletableFuture::isDone);
        quorum.commitAll();
        executor.runAll();

        LogInfo log = ((CreateLogResult.Created) first.join()).log();
        assertThat(refused.join()).isEqualTo(new CreateLogResult.NameTaken(log));
        assertThat(same.join()).isEqualTo(new CreateLogResult.AlreadyExists(log));
    }

    @Test
    void shouldPutCommandsThatComeTogetherIntoOneProposal() {
        long epoch = register(1);
        List<CompletableFuture<AllocateProducerIdsResult>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(metadata.controller()
                    .submit(new AllocateProducerIds(id(), 1, epoch))
                    .toCompletableFuture());
        }
        executor.runAll();

        assertThat(quorum.proposed).as("three at a time, the rest waits").hasSize(3);
        quorum.commitOne();
        executor.runAll();
        assertThat(quorum.proposed).hasSize(3);
        assertThat(quorum.proposed.getLast().records())
                .as("97 commands share one")
                .hasSize(97 * 2);
        quorum.commitAll();
        executor.runAll();
        assertThat(answers.stream().map(CompletableFuture::join).distinct()).hasSize(100);
    }

    @Test
    void shouldFailWhatWasInFlightAsIndeterminateWhenAnotherLeads() {
        register(1);
        CompletableFuture<CreateLogResult> answer = submit(createLog("orders", LogKind.QUEUE, 1));

        quorum.elect(2, 4);
        executor.runAll();

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(answer::join)
                .withCauseInstanceOf(IndeterminateException.class)
                .withMessageContaining("same operation id");
    }

    @Test
    void shouldDoACommandOnceThatIsRepeatedUnderItsOperationId() {
        register(1);
        CreateLog command = createLog("orders", LogKind.QUEUE, 1);
        CompletableFuture<CreateLogResult> indeterminate = submit(command);
        var survivor = quorum.proposed.remove();
        quorum.elect(2, 4);
        executor.runAll();
        assertThat(indeterminate).isCompletedExceptionally();

        // The next leader had it, and then this member leads again.
        quorum.listener().onCommitted(survivor);
        quorum.elect(ManualQuorum.MEMBER, 5);
        executor.runAll();
        CreateLogResult repeated = run(command);

        assertThat(repeated).isInstanceOf(CreateLogResult.Created.class);
        assertThat(metadata.image().logCount()).isEqualTo(1);
    }

    @Test
    void shouldForgetWhatWasNotCommittedWhenItLeadsAgain() {
        register(1);
        CompletableFuture<CreateLogResult> lost = submit(createLog("orders", LogKind.QUEUE, 1));
        quorum.proposed.clear();
        quorum.elect(2, 4);
        quorum.elect(ManualQuorum.MEMBER, 5);
        executor.runAll();

        assertThat(lost).isCompletedExceptionally();
        assertThat(run(createLog("orders", LogKind.TOPIC, 1))).isInstanceOf(CreateLogResult.Created.class);
    }

    @Test
    void shouldRefuseCommandsWhileAnotherLeads() {
        quorum.elect(2, 4);
        executor.runAll();

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> run(createLog("orders", LogKind.QUEUE, 1)))
                .withCauseInstanceOf(NotControllerException.class)
                .withMessageContaining("broker 2 is, in epoch 4");
    }

    @Test
    void shouldRefuseAndRollBackWhenTheQuorumSaysThatItNoLongerLeads() {
        register(1);
        quorum.deposed = true;

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> run(createLog("orders", LogKind.QUEUE, 1)))
                .withCauseInstanceOf(NotControllerException.class);

        quorum.deposed = false;
        quorum.elect(ManualQuorum.MEMBER, 6);
        executor.runAll();
        assertThat(run(createLog("orders", LogKind.TOPIC, 1))).isInstanceOf(CreateLogResult.Created.class);
    }

    @Test
    void shouldRefuseAndRollBackWhenTheQuorumIsBusy() {
        register(1);
        quorum.busy = true;

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> run(createLog("orders", LogKind.QUEUE, 1)))
                .withCauseInstanceOf(ControllerBusyException.class);

        quorum.busy = false;
        assertThat(run(createLog("orders", LogKind.TOPIC, 1))).isInstanceOf(CreateLogResult.Created.class);
    }

    @Test
    void shouldRefuseCommandsBeyondTheBoundWithoutDoingThem() {
        long epoch = register(1);
        List<CompletableFuture<AllocateProducerIdsResult>> answers = new ArrayList<>();
        for (int i = 0; i < 10_001; i++) {
            answers.add(metadata.controller()
                    .submit(new AllocateProducerIds(id(), 1, epoch))
                    .toCompletableFuture());
        }

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(answers.getLast()::join)
                .withCauseInstanceOf(ControllerBusyException.class);
        executor.runAll();
        while (!quorum.proposed.isEmpty()) {
            quorum.commitOne();
            executor.runAll();
        }
        assertThat(metadata.image().nextProducerId()).isEqualTo(10_000 * 1_000L);
    }

    @Test
    void shouldRefuseOnlyTheCommandWhoseTextCannotBeStored() {
        register(1);
        LogInfo topic = create("news", LogKind.TOPIC, 1);

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> run(createSubscription(topic, false, Optional.of("a = '\uD800'"), false)))
                .withCauseInstanceOf(MetadataFormatException.class);

        assertThat(run(createSubscription(topic, false, Optional.empty(), false)))
                .isInstanceOf(CreateSubscriptionResult.Created.class);
        assertThat(faults).isEmpty();
    }

    @Test
    void shouldStopAndReportWhenACommittedRecordCannotBeReplayed() {
        register(1);
        CompletableFuture<CreateLogResult> inFlight = submit(createLog("orders", LogKind.QUEUE, 1));

        quorum.listener()
                .onCommitted(new io.millrace.coordinator.quorum.CommittedBatch(
                        900, 3, 0, List.of(MetadataRecordCodec.encode(new MetadataRecord.LogDeleted(new UUID(1, 2))))));
        executor.runAll();

        assertThat(faults).singleElement().asString().contains("no log has the id");
        assertThat(inFlight).isCompletedExceptionally();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> run(createLog("later", LogKind.QUEUE, 1)))
                .withCauseInstanceOf(NotControllerException.class);
    }

    @Test
    void shouldFailWhatIsUnderWayWhenClosed() {
        register(1);
        CompletableFuture<CreateLogResult> inFlight = submit(createLog("orders", LogKind.QUEUE, 1));

        metadata.close();
        executor.runAll();

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(inFlight::join)
                .withCauseInstanceOf(IndeterminateException.class);
    }

    // ---- helpers ----------------------------------------------------------------------------------------------------

    private <R> CompletableFuture<R> submit(MetadataCommand<R> command) {
        CompletableFuture<R> answer = metadata.controller().submit(command).toCompletableFuture();
        executor.runAll();
        return answer;
    }

    private <R> R run(MetadataCommand<R> command) {
        CompletableFuture<R> answer = submit(command);
        quorum.commitAll();
        executor.runAll();
        assertThat(answer).isDone();
        return answer.join();
    }

    private long register(int brokerId) {
        RegisterBrokerResult result = run(new RegisterBroker(
                id(), brokerId, INCARNATION, List.of(new BrokerEndpoint("main", "127.0.0.1", 9092))));
        return ((RegisterBrokerResult.Registered) result).brokerEpoch();
    }

    private LogInfo create(String name, LogKind kind, int partitions) {
        return ((CreateLogResult.Created) run(createLog(name, kind, partitions))).log();
    }

    private SubscriptionInfo subscribe(LogInfo topic, Optional<String> selector) {
        CreateSubscriptionResult result = run(createSubscription(topic, false, selector, false));
        return ((CreateSubscriptionResult.Created) result).subscription();
    }

    private CreateLog createLog(String name, LogKind kind, int partitions) {
        return new CreateLog(id(), name, kind, LogOrigin.JMS, Optional.of(partitions), Map.of());
    }

    private CreateSubscription createSubscription(
            LogInfo topic, boolean shared, Optional<String> selector, boolean replace) {
        SubscriptionKey key = new SubscriptionKey(Optional.of("client"), "sub");
        return new CreateSubscription(id(), key, topic.logId(), shared, selector, false, replace);
    }

    private UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private static PartitionInfo partition(int leader, int leaderEpoch, int partitionEpoch) {
        return new PartitionInfo(OptionalInt.of(leader), leaderEpoch, partitionEpoch, List.of(leader), List.of(leader));
    }
}
