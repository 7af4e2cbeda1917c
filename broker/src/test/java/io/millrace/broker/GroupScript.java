package io.millrace.broker;

import static org.awaitility.Awaitility.await;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.kafka.topic.TopicIds;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.log.LogSlice;
import io.millrace.testkit.FakeTimeSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;

/**
 * A broker of which only the group coordinator is used, driven by lines of text, with a clock that moves when it is told to. What comes of a
 * line is text too: the answers, to this line or to earlier ones that waited, and the records that were appended to __consumer_offsets.
 */
final class GroupScript implements AutoCloseable {

    private final Path directory;
    private final FakeTimeSource time = new FakeTimeSource();
    private final GroupScriptText text = new GroupScriptText();
    private final Map<String, CompletableFuture<String>> waiting = new TreeMap<>();
    private final Map<Integer, Long> readTo = new TreeMap<>();
    private Broker broker;

    GroupScript(Path directory) {
        this.directory = directory;
        this.broker = start();
        whenUsable();
    }

    private Broker start() {
        Map<String, String> config = new LinkedHashMap<>();
        config.put("port", "0");
        config.put("metrics.jmx.enable", "false");
        config.put("offsets.topic.num.partitions", "1");
        config.put("group.coordinator.threads", "1");
        config.put("group.consumer.assignor.offload.enable", "false");
        config.put("group.streams.assignor.offload.enable", "false");
        config.put("group.share.assignor.offload.enable", "false");
        return Broker.start(BrokerConfig.of(config), List.of(directory), time, new SplittableRandom(1));
    }

    private void whenUsable() {
        // On a busy machine they take longer to load than whoever looks for a coordinator is made to wait.
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            get(broker.parts().groups.whenUsable());
            return broker.parts().groups.isLoaded();
        });
    }

    /** Runs one line: {@code [label:] verb key=value ...}. Returns the lines of what came of it. */
    List<String> run(String line) {
        int colon = line.indexOf(": ");
        String label = colon < 0 ? "" : line.substring(0, colon);
        GroupCommand command = GroupCommand.parse(text.uncover(line.substring(colon < 0 ? 0 : colon + 2)));
        switch (command.verb()) {
            case "advance" -> time.advanceMs(command.number("ms", 0));
            case "topic" -> createTopic(command.text("name"), command.number("partitions", 1));
            case "delete-topic" -> deleteTopic(command.text("name"));
            case "restart" -> restart();
            default ->
                waiting.put(
                        label.isEmpty() ? command.verb() : label,
                        new GroupRequests(coordinator(), this::topicId)
                                .ask(command)
                                .toCompletableFuture());
        }
        settle();
        if (!command.verb().equals("join") && !command.verb().equals("sync")) {
            // Only those may wait for other members. Where others than the coordinator are asked, that takes its time.
            await().until(() -> {
                settle();
                return waiting.entrySet().stream()
                        .filter(entry -> entry.getKey().equals(label.isEmpty() ? command.verb() : label))
                        .allMatch(entry -> entry.getValue().isDone());
            });
        }
        if (!command.text("awaits").isEmpty()) {
            // What is decided on a thread of its own.
            await().until(() -> {
                settle();
                return appended(false).stream().anyMatch(record -> record.contains(command.text("awaits")));
            });
        }
        List<String> lines = new ArrayList<>();
        answers(lines);
        lines.addAll(appended(true));
        return lines;
    }

    private void createTopic(String name, int partitions) {
        MetadataCommand.CreateLog command = new MetadataCommand.CreateLog(
                UUID.randomUUID(), name, LogKind.TOPIC, LogOrigin.KAFKA, Optional.of(partitions), Map.of());
        get(broker.parts().metadata.controller().submit(command));
        text.nameTopic(TopicIds.toKafka(log(name).logId()), name);
    }

    private void deleteTopic(String name) {
        get(broker.parts()
                .metadata
                .controller()
                .submit(new MetadataCommand.DeleteLog(
                        UUID.randomUUID(), log(name).logId())));
    }

    private void restart() {
        broker.kill();
        waiting.clear();
        broker = start();
        whenUsable();
    }

    private LogInfo log(String name) {
        return broker.parts().metadata.image().logNamed(name).orElseThrow();
    }

    private org.apache.kafka.common.Uuid topicId(String name) {
        return TopicIds.toKafka(log(name).logId());
    }

    GroupCoordinator coordinator() {
        return get(broker.parts().groups.coordinator());
    }

    /** Waits until nothing is under way: timers that are due, events, appends, syncs, and what they lead to. */
    private void settle() {
        for (int round = 0; round < 3; round++) {
            pass(broker.parts().control);
            pass(broker.parts().control);
            drain();
            await().pollInterval(1, TimeUnit.MILLISECONDS).until(this::isSynced);
            partitions().values().forEach(partition -> pass(partition.shard()));
            drain();
        }
    }

    /** Its answer comes after all events that are queued now. */
    private void drain() {
        get(coordinator().listGroups(GroupRequests.client(ApiKeys.LIST_GROUPS, "script"), new ListGroupsRequestData()));
    }

    private static void pass(Executor shard) {
        CompletableFuture.runAsync(() -> {}, shard).join();
    }

    private boolean isSynced() {
        return partitions().values().stream()
                .allMatch(partition -> partition.snapshot().highWatermark()
                        == partition.offsets().logEndOffset());
    }

    private Map<Integer, Partition> partitions() {
        Map<Integer, Partition> open = new TreeMap<>();
        LogInfo log = log("__consumer_offsets");
        for (int index = 0; index < log.partitions().size(); index++) {
            if (broker.parts().partitions.find(log.logId(), index)
                    instanceof Partitions.Lookup.Found(Partition found)) {
                open.put(index, found);
            }
        }
        return open;
    }

    private void answers(List<String> lines) {
        waiting.forEach((label, answer) ->
                lines.add(label + " -> " + (answer.isDone() ? text.cover(answer.join()) : "(waits)")));
        waiting.values().removeIf(CompletableFuture::isDone);
    }

    /** Returns the records that were not returned before, or does so again next time. */
    private List<String> appended(boolean once) {
        List<String> lines = new ArrayList<>();
        GroupCoordinatorRecordSerde serde = new GroupCoordinatorRecordSerde();
        partitions().forEach((index, partition) -> {
            long from = readTo.getOrDefault(index, 0L);
            long end = partition.offsets().logEndOffset();
            while (from < end) {
                LogSlice slice = partition.read(from, 1 << 20);
                for (Record record :
                        MemoryRecords.readableRecords(slice.batches()).records()) {
                    if (record.offset() >= from) {
                        CoordinatorRecord read = serde.deserialize(record.key(), record.value());
                        String value = read.value() == null
                                ? "(none)"
                                : read.value().message().toString();
                        lines.add("  " + text.cover(read.key() + " = " + value));
                    }
                }
                from = slice.nextOffset();
            }
            if (once) {
                readTo.put(index, end);
            }
        });
        return lines;
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** Returns the broker, for what a line cannot say. */
    Broker broker() {
        return broker;
    }

    @Override
    public void close() {
        broker.close();
    }
}
