package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocolCollection;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.LeaveGroupRequest;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.SyncGroupRequest;
import org.apache.kafka.common.requests.SyncGroupResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups whose members are many, silent, or restless; a healthy group beside them goes on. */
class HostileGroupsTest {

    private static final int MANY = 10_000;
    private static final TopicPartition T0 = new TopicPartition("t", 0);
    private static final short COMMIT_VERSION = 9;
    private static final short JOIN_VERSION = 9;
    private static final short SYNC_VERSION = 5;
    private static final short HEARTBEAT_VERSION = 4;
    private static final short LEAVE_VERSION = 5;
    private static final int REBALANCE_MS = 2_000;

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        broker = newBroker();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
        try (KafkaProducer<String, String> producer = KafkaClients.producer(broker, Map.of())) {
            for (int i = 0; i < 10; i++) {
                done(producer.send(new ProducerRecord<>("t", 0, "k", "v")));
            }
        }
    }

    private EmbeddedBroker newBroker() {
        return EmbeddedBroker.builder()
                .directory(directory)
                .config("num.partitions", "50")
                .config("offsets.topic.num.partitions", "5")
                .config("group.initial.rebalance.delay.ms", "0")
                .config("group.min.session.timeout.ms", "1000")
                .config("group.consumer.min.heartbeat.interval.ms", "100")
                .config("group.consumer.heartbeat.interval.ms", "100")
                .config("group.consumer.assignment.interval.ms", "0")
                .start();
    }

    @AfterEach
    void close() {
        admin.close();
        broker.close();
    }

    private static <T> T done(Future<T> future) throws Exception {
        return Objects.requireNonNull(future.get(30, TimeUnit.SECONDS));
    }

    /** A client of another group commits and reads on. */
    private void othersAreNotHarmed() {
        try (KafkaConsumer<String, String> healthy = KafkaClients.consumer(
                broker, Map.of("group.id", "healthy", "max.poll.records", 1, "enable.auto.commit", false))) {
            healthy.subscribe(List.of("t"));
            assertThat(KafkaClients.poll(healthy, 1)).isNotEmpty();
            healthy.commitSync();
        }
    }

    private static OffsetCommitRequest commit(String group) {
        return OffsetCommitRequest.Builder.forTopicNames(new OffsetCommitRequestData()
                        .setGroupId(group)
                        .setMemberId("")
                        .setGenerationIdOrMemberEpoch(-1)
                        .setTopics(List.of(new OffsetCommitRequestTopic()
                                .setName("t")
                                .setPartitions(List.of(new OffsetCommitRequestPartition()
                                        .setPartitionIndex(0)
                                        .setCommittedOffset(7)
                                        .setCommittedMetadata("m"))))))
                .build(COMMIT_VERSION);
    }

    private static void findCoordinator(RawKafka raw) {
        await().until(() -> {
            FindCoordinatorRequestData data =
                    new FindCoordinatorRequestData().setKeyType((byte) 0).setCoordinatorKeys(List.of("any"));
            FindCoordinatorResponse answer = (FindCoordinatorResponse) raw.ask(
                    ApiKeys.FIND_COORDINATOR, (short) 4, new FindCoordinatorRequest.Builder(data).build((short) 4));
            return answer.data().coordinators().getFirst().errorCode() == Errors.NONE.code();
        });
    }

    @Test
    void shouldKeepTenThousandGroupsThroughARestart() throws Exception {
        try (RawKafka raw = new RawKafka(broker.port())) {
            findCoordinator(raw);
            othersAreNotHarmed();
            Thread sender = Thread.ofVirtual().start(() -> {
                for (int i = 0; i < MANY; i++) {
                    raw.send(ApiKeys.OFFSET_COMMIT, COMMIT_VERSION, commit("many-" + i));
                }
            });
            RequestHeader header = new RequestHeader(ApiKeys.OFFSET_COMMIT, COMMIT_VERSION, "raw", 0);
            for (int i = 0; i < MANY; i++) {
                ByteBuffer frame = raw.frame();
                OffsetCommitResponse answer = (OffsetCommitResponse) AbstractResponse.parseResponse(
                        frame, new RequestHeader(header.apiKey(), COMMIT_VERSION, "raw", frame.getInt(0)));
                assertThat(answer.errorCounts()).as("group %d", i).containsOnlyKeys(Errors.NONE);
            }
            sender.join();
        }
        assertThat(done(admin.listGroups().all())).hasSize(MANY + 1);
        othersAreNotHarmed();

        admin.close();
        broker.close();
        broker = newBroker();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));

        assertThat(done(admin.listGroups().all())).hasSize(MANY + 1);
        for (int i = 0; i < MANY; i += 999) {
            assertThat(done(admin.listConsumerGroupOffsets("many-" + i).partitionsToOffsetAndMetadata()))
                    .containsOnly(Map.entry(T0, new OffsetAndMetadata(7, "m")));
        }
        othersAreNotHarmed();
    }

    private static JoinGroupRequest join(String group, String member) {
        JoinGroupRequestProtocolCollection protocols = new JoinGroupRequestProtocolCollection();
        protocols.add(new JoinGroupRequestProtocol().setName("range").setMetadata(new byte[0]));
        return new JoinGroupRequest(
                new JoinGroupRequestData()
                        .setGroupId(group)
                        .setMemberId(member)
                        .setProtocolType("consumer")
                        .setProtocols(protocols)
                        .setSessionTimeoutMs(60_000)
                        .setRebalanceTimeoutMs(REBALANCE_MS),
                JOIN_VERSION);
    }

    private static AbstractResponse answer(RawKafka raw, RequestHeader asked) {
        return AbstractResponse.parseResponse(raw.frame(), asked);
    }

    private static JoinGroupResponseData joined(RawKafka raw, String group, String member) {
        return ((JoinGroupResponse) raw.ask(ApiKeys.JOIN_GROUP, JOIN_VERSION, join(group, member))).data();
    }

    private static SyncGroupRequest share(
            String group, JoinGroupResponseData membership, List<SyncGroupRequestAssignment> assignments) {
        SyncGroupRequestData data = new SyncGroupRequestData()
                .setGroupId(group)
                .setMemberId(membership.memberId())
                .setGenerationId(membership.generationId())
                .setProtocolType("consumer")
                .setProtocolName("range")
                .setAssignments(assignments);
        return new SyncGroupRequest.Builder(data).build(SYNC_VERSION);
    }

    private static Errors sync(RawKafka raw, String group, JoinGroupResponseData membership) {
        List<SyncGroupRequestAssignment> own = List.of(new SyncGroupRequestAssignment()
                .setMemberId(membership.memberId())
                .setAssignment(new byte[] {1}));
        return ((SyncGroupResponse) raw.ask(ApiKeys.SYNC_GROUP, SYNC_VERSION, share(group, membership, own))).error();
    }

    private static Map<Errors, Integer> heartbeat(RawKafka raw, String group, JoinGroupResponseData membership) {
        HeartbeatRequestData data = new HeartbeatRequestData()
                .setGroupId(group)
                .setMemberId(membership.memberId())
                .setGenerationId(membership.generationId());
        return raw.ask(
                        ApiKeys.HEARTBEAT,
                        HEARTBEAT_VERSION,
                        new HeartbeatRequest.Builder(data).build(HEARTBEAT_VERSION))
                .errorCounts();
    }

    /** It joined, is alive as far as its session goes, and never joins again when others come: they wait for it once, and go on without it. */
    @Test
    void shouldGoOnWithoutAMemberThatNeverAnswersARebalance() {
        try (RawKafka silent = new RawKafka(broker.port());
                RawKafka other = new RawKafka(broker.port())) {
            findCoordinator(silent);
            JoinGroupResponseData first =
                    joined(silent, "stuck", joined(silent, "stuck", "").memberId());
            assertThat(sync(silent, "stuck", first)).isEqualTo(Errors.NONE);
            String otherId = joined(other, "stuck", "").memberId();

            long beganNs = System.nanoTime();
            other.send(ApiKeys.JOIN_GROUP, JOIN_VERSION, join("stuck", otherId));
            othersAreNotHarmed();
            JoinGroupResponse answer = (JoinGroupResponse) AbstractResponse.parseResponse(
                    other.frame(), new RequestHeader(ApiKeys.JOIN_GROUP, JOIN_VERSION, "raw", 1));

            assertThat(answer.error()).isEqualTo(Errors.NONE);
            assertThat(answer.data().members())
                    .singleElement()
                    .satisfies(member -> assertThat(member.memberId()).isEqualTo(otherId));
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs))
                    .isBetween(REBALANCE_MS - 100L, REBALANCE_MS + 8_000L);
            assertThat(sync(other, "stuck", answer.data())).isEqualTo(Errors.NONE);
            assertThat(heartbeat(silent, "stuck", first)).containsOnlyKeys(Errors.UNKNOWN_MEMBER_ID);
        }
    }

    /** A leader that never says who gets what: the others are told to join again when its time is over. */
    @Test
    void shouldGoOnWithoutALeaderThatNeverAssigns() {
        try (RawKafka leader = new RawKafka(broker.port());
                RawKafka follower = new RawKafka(broker.port())) {
            findCoordinator(leader);
            String leaderId = joined(leader, "leaderless", "").memberId();
            String followerId = joined(follower, "leaderless", "").memberId();
            leader.send(ApiKeys.JOIN_GROUP, JOIN_VERSION, join("leaderless", leaderId));
            JoinGroupResponseData both = joined(follower, "leaderless", followerId);

            Errors told = ((SyncGroupResponse)
                            follower.ask(ApiKeys.SYNC_GROUP, SYNC_VERSION, share("leaderless", both, List.of())))
                    .error();

            // Whichever of the two leads, nobody waits for ever.
            assertThat(told).isIn(Errors.REBALANCE_IN_PROGRESS, Errors.UNKNOWN_MEMBER_ID, Errors.NONE);
            othersAreNotHarmed();
        }
    }

    /** A member that goes while it waits for its share is answered in the order of its requests, as by Kafka's broker. */
    @Test
    void shouldAnswerAMemberThatLeavesWhileItWaitsForItsShare() {
        try (RawKafka leader = new RawKafka(broker.port());
                RawKafka follower = new RawKafka(broker.port())) {
            findCoordinator(leader);
            String leaderId = joined(leader, "left", "").memberId();
            JoinGroupResponseData alone = joined(leader, "left", leaderId);
            assertThat(sync(leader, "left", alone)).isEqualTo(Errors.NONE);
            String followerId = joined(follower, "left", "").memberId();
            RequestHeader join = follower.send(ApiKeys.JOIN_GROUP, JOIN_VERSION, join("left", followerId));
            await().untilAsserted(() ->
                    assertThat(heartbeat(leader, "left", alone)).containsOnlyKeys(Errors.REBALANCE_IN_PROGRESS));
            JoinGroupResponseData leading = joined(leader, "left", leaderId);
            JoinGroupResponseData following = ((JoinGroupResponse) answer(follower, join)).data();

            RequestHeader sync = follower.send(ApiKeys.SYNC_GROUP, SYNC_VERSION, share("left", following, List.of()));
            RequestHeader leave = follower.send(
                    ApiKeys.LEAVE_GROUP,
                    LEAVE_VERSION,
                    new LeaveGroupRequest.Builder("left", List.of(new MemberIdentity().setMemberId(followerId)))
                            .build(LEAVE_VERSION));
            assertThat(heartbeat(leader, "left", leading)).containsOnlyKeys(Errors.NONE);
            assertThat(sync(leader, "left", leading)).isEqualTo(Errors.NONE);

            assertThat(((SyncGroupResponse) answer(follower, sync)).error()).isEqualTo(Errors.NONE);
            assertThat(answer(follower, leave).errorCounts()).containsOnlyKeys(Errors.NONE);
        }
    }

    /** What is twice in a request is answered, and stored once. */
    @Test
    void shouldTakeAPartitionThatIsTwiceInACommit() throws Exception {
        OffsetCommitRequestData twice = commit("twice").data();
        twice.setTopics(new ArrayList<>(twice.topics()));
        twice.topics().add(twice.topics().getFirst().duplicate());
        twice.topics()
                .getFirst()
                .setPartitions(new ArrayList<>(twice.topics().getFirst().partitions()));
        twice.topics()
                .getFirst()
                .partitions()
                .add(twice.topics().getFirst().partitions().getFirst().duplicate());
        try (RawKafka raw = new RawKafka(broker.port())) {
            findCoordinator(raw);
            assertThat(raw.ask(
                                    ApiKeys.OFFSET_COMMIT,
                                    COMMIT_VERSION,
                                    OffsetCommitRequest.parse(
                                            MessageUtil.toByteBufferAccessor(twice, COMMIT_VERSION), COMMIT_VERSION))
                            .errorCounts())
                    .containsOnlyKeys(Errors.NONE);
        }
        assertThat(done(admin.listConsumerGroupOffsets("twice").partitionsToOffsetAndMetadata()))
                .containsOnlyKeys(T0);
    }

    private void member(String protocol, @Nullable AtomicBoolean over) {
        Map<String, Object> config = new HashMap<>(Map.of("group.id", "storm", "group.protocol", protocol));
        if (protocol.equals("classic")) {
            config.put("heartbeat.interval.ms", 200);
            // Who leaves before it was told its name is remembered for so long.
            config.put("session.timeout.ms", 6_000);
        }
        try (KafkaConsumer<String, String> consumer = KafkaClients.consumer(broker, config)) {
            consumer.subscribe(List.of("t"));
            for (int polls = 0; over == null ? polls < 5 : !over.get(); polls++) {
                consumer.poll(Duration.ofMillis(100));
            }
        }
    }

    /** Each of the members has one of the partitions. */
    private boolean isStable(int members) throws Exception {
        ConsumerGroupDescription group = Objects.requireNonNull(
                done(admin.describeConsumerGroups(List.of("storm")).all()).get("storm"));
        Set<TopicPartition> assigned = new HashSet<>();
        group.members().forEach(member -> assigned.addAll(member.assignment().topicPartitions()));
        return group.groupState() == GroupState.STABLE
                && group.members().size() == members
                && assigned.size() == members;
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void shouldEndStableWithFiftyMembersThatCameAtOnceWhileOthersCameAndWent(String protocol) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> stay = new ArrayList<>();
            List<Future<?>> go = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                stay.add(threads.submit(() -> member(protocol, over)));
            }
            for (int i = 0; i < 10; i++) {
                go.add(threads.submit(() -> member(protocol, null)));
            }
            for (Future<?> gone : go) {
                gone.get(60, TimeUnit.SECONDS);
            }
            othersAreNotHarmed();

            await().atMost(10, TimeUnit.SECONDS).until(() -> isStable(50));
            over.set(true);
            for (Future<?> each : stay) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
    }
}
