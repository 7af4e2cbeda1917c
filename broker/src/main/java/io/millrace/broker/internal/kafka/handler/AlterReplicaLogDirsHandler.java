package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.log.PartitionId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDir;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDirTopic;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirPartitionResult;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData.AlterReplicaLogDirTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterReplicaLogDirsRequest;
import org.apache.kafka.common.requests.AlterReplicaLogDirsResponse;

/**
 * Answers who wants a partition in another data directory. A partition stays where it was created: to want it there is granted, anything
 * else is refused.
 */
public final class AlterReplicaLogDirsHandler implements KafkaHandler<AlterReplicaLogDirsRequest> {

    private final AdminServices services;

    public AlterReplicaLogDirsHandler(AdminServices services) {
        this.services = services;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ALTER_REPLICA_LOG_DIRS;
    }

    @Override
    public void handle(AlterReplicaLogDirsRequest request, KafkaExchange exchange) {
        services.io().execute(() -> {
            try {
                exchange.answer(answer(request));
            } catch (RuntimeException e) {
                exchange.fail(e);
            }
        });
    }

    private AlterReplicaLogDirsResponse answer(AlterReplicaLogDirsRequest request) {
        Map<String, AlterReplicaLogDirTopicResult> results = new LinkedHashMap<>();
        for (AlterReplicaLogDir directory : request.data().dirs()) {
            for (AlterReplicaLogDirTopic topic : directory.topics()) {
                AlterReplicaLogDirTopicResult result = results.computeIfAbsent(
                        topic.name(), name -> new AlterReplicaLogDirTopicResult().setTopicName(name));
                for (int index : topic.partitions()) {
                    result.partitions()
                            .add(new AlterReplicaLogDirPartitionResult()
                                    .setPartitionIndex(index)
                                    .setErrorCode(move(directory.path(), topic.name(), index)
                                            .code()));
                }
            }
        }
        return new AlterReplicaLogDirsResponse(
                new AlterReplicaLogDirsResponseData().setResults(new ArrayList<>(results.values())));
    }

    private Errors move(String path, String topic, int index) {
        Path wanted = services.storage().directories().stream()
                .map(known -> known.path().toAbsolutePath().normalize())
                .filter(known -> known.toString().equals(path))
                .findFirst()
                .orElse(null);
        if (wanted == null) {
            return Errors.LOG_DIR_NOT_FOUND;
        }
        if (services.topics().partition(Uuid.ZERO_UUID, topic, index) instanceof KafkaTopics.Found.Missing missing) {
            return missing.error();
        }
        boolean there = Files.isDirectory(wanted.resolve(new PartitionId(topic, index).directoryName()));
        return there ? Errors.NONE : Errors.POLICY_VIOLATION;
    }
}
