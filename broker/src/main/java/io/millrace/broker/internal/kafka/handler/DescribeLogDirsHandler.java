package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.log.DirectoryInfo;
import io.millrace.log.PartitionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DescribeLogDirsRequestData.DescribableLogDirTopic;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeLogDirsRequest;
import org.apache.kafka.common.requests.DescribeLogDirsResponse;

/** Tells which partition is in which data directory, and how large. Asks the disk, so it runs on the I/O pool. */
public final class DescribeLogDirsHandler implements KafkaHandler<DescribeLogDirsRequest> {

    private final AdminServices services;

    public DescribeLogDirsHandler(AdminServices services) {
        this.services = services;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_LOG_DIRS;
    }

    @Override
    public void handle(DescribeLogDirsRequest request, KafkaExchange exchange) {
        services.io().execute(() -> {
            try {
                exchange.answer(new DescribeLogDirsResponse(describe(request)));
            } catch (RuntimeException e) {
                exchange.fail(e);
            }
        });
    }

    private DescribeLogDirsResponseData describe(DescribeLogDirsRequest request) {
        List<PartitionId> asked = asked(request);
        DescribeLogDirsResponseData data = new DescribeLogDirsResponseData();
        for (DirectoryInfo directory : services.storage().directories()) {
            data.results().add(describe(directory, asked));
        }
        return data;
    }

    private List<PartitionId> asked(DescribeLogDirsRequest request) {
        List<PartitionId> asked = new ArrayList<>();
        if (request.isAllTopicPartitions()) {
            for (LogInfo log : services.topics().image().logs()) {
                for (int index = 0; index < log.partitions().size(); index++) {
                    asked.add(new PartitionId(log.name(), index));
                }
            }
            return asked;
        }
        for (DescribableLogDirTopic topic : request.data().topics()) {
            for (int index : new TreeSet<>(topic.partitions())) {
                services.topics()
                        .named(topic.topic())
                        .filter(log -> index >= 0 && index < log.partitions().size())
                        .ifPresent(log -> asked.add(new PartitionId(log.name(), index)));
            }
        }
        return asked;
    }

    private DescribeLogDirsResult describe(DirectoryInfo directory, List<PartitionId> asked) {
        Map<String, DescribeLogDirsTopic> topics = new TreeMap<>();
        for (PartitionId id : asked) {
            if (Files.isDirectory(directory.path().resolve(id.directoryName()))) {
                topics.computeIfAbsent(id.logName(), name -> new DescribeLogDirsTopic().setName(name))
                        .partitions()
                        .add(new DescribeLogDirsPartition()
                                .setPartitionIndex(id.partition())
                                .setPartitionSize(sizeBytes(id))
                                .setOffsetLag(0)
                                .setIsFutureKey(false));
            }
        }
        boolean failed = directory.failure().isPresent();
        return new DescribeLogDirsResult()
                .setErrorCode((failed ? Errors.KAFKA_STORAGE_ERROR : Errors.NONE).code())
                .setLogDir(directory.path().toAbsolutePath().normalize().toString())
                .setTopics(failed ? List.of() : new ArrayList<>(topics.values()))
                .setTotalBytes(totalBytes(directory.path()))
                .setUsableBytes(directory.usableBytes());
    }

    private long sizeBytes(PartitionId id) {
        return services.topics().partition(Uuid.ZERO_UUID, id.logName(), id.partition())
                        instanceof KafkaTopics.Found.Here here
                ? here.partition().offsets().sizeBytes()
                : 0;
    }

    private static long totalBytes(Path directory) {
        try {
            return Files.getFileStore(directory).getTotalSpace();
        } catch (IOException e) {
            return DescribeLogDirsResponse.UNKNOWN_VOLUME_BYTES;
        }
    }
}
