package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.config.InvalidConfigException;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The coordinator as a whole: how much it bears, when it is built, and what it refuses. */
class GroupCoordinationTest {

    @TempDir
    Path directory;

    private static <T> T get(CompletableFuture<T> future) {
        return future.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Test
    void shouldKeepTenThousandGroupsOverACrash() {
        try (GroupScript script = new GroupScript(directory)) {
            script.run("topic name=t partitions=1");
            List<CompletableFuture<OffsetCommitResponseData>> commits = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                commits.add(commit(script.coordinator(), "group-" + i, i));
            }
            commits.forEach(commit -> assertThat(get(commit)
                            .topics()
                            .getFirst()
                            .partitions()
                            .getFirst()
                            .errorCode())
                    .isZero());

            script.run("restart");

            GroupCoordinator coordinator = script.coordinator();
            assertThat(get(coordinator.listGroups(
                                    GroupRequests.client(ApiKeys.LIST_GROUPS, "c"), new ListGroupsRequestData()))
                            .groups())
                    .hasSize(10_000);
            assertThat(get(coordinator.fetchOffsets(
                                    GroupRequests.client(ApiKeys.OFFSET_FETCH, "c"),
                                    new OffsetFetchRequestGroup()
                                            .setGroupId("group-9999")
                                            .setTopics(null),
                                    false))
                            .topics()
                            .getFirst()
                            .partitions()
                            .getFirst()
                            .committedOffset())
                    .isEqualTo(9_999);
        }
    }

    private static CompletableFuture<OffsetCommitResponseData> commit(
            GroupCoordinator coordinator, String group, long offset) {
        OffsetCommitRequestTopic topic = new OffsetCommitRequestTopic()
                .setName("t")
                .setPartitions(List.of(
                        new OffsetCommitRequestPartition().setPartitionIndex(0).setCommittedOffset(offset)));
        return coordinator.commitOffsets(
                GroupRequests.client(ApiKeys.OFFSET_COMMIT, "c"),
                new OffsetCommitRequestData().setGroupId(group).setTopics(List.of(topic)),
                BufferSupplier.NO_CACHING);
    }

    @Test
    void shouldSleepUntilAGroupIsUsed() {
        try (TestBroker broker = TestBroker.start()) {
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("group-coordinator"));
            assertThat(broker.port()).isPositive();
        }
    }

    @Test
    void shouldNotStartWithSettingsThatContradictEachOther() {
        assertThatThrownBy(() -> TestBroker.start(
                                "group.consumer.session.timeout.ms", "50000",
                                "group.consumer.max.session.timeout.ms", "45000")
                        .close())
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("group.consumer");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"JOIN_GROUP", "HEARTBEAT", "OFFSET_FETCH", "CONSUMER_GROUP_HEARTBEAT", "SHARE_GROUP_HEARTBEAT"})
    void shouldCloseTheConnectionOfAClientThatSendsAnIdOf64KiB(ApiKeys key) throws IOException {
        try (TestBroker broker = TestBroker.start();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            socket.setSoTimeout(20_000);
            ByteBuffer request = ByteBuffer.allocate(70_000);
            request.putInt(0).putShort(key.id).putShort(key.latestVersion()).putInt(7);
            request.putShort((short) -1).put((byte) 0);
            if (key == ApiKeys.OFFSET_FETCH) {
                request.put((byte) 2); // one group
            }
            int length = 65_536 + 1;
            request.put((byte) ((length & 0x7f) | 0x80))
                    .put((byte) (((length >> 7) & 0x7f) | 0x80))
                    .put((byte) (length >> 14));
            request.position(request.position() + 65_536);
            request.putInt(0, request.position() - 4);

            new DataOutputStream(socket.getOutputStream()).write(request.array(), 0, request.position());

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }
}
