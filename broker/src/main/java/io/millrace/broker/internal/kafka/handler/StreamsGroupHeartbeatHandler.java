package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.security.Access;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatRequest;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatResponse;

/** A member of a Streams group joins, reports, or leaves, and hears which tasks it has (KIP-1071). Topics that the topology needs for itself are created. */
public final class StreamsGroupHeartbeatHandler extends GroupHandler<StreamsGroupHeartbeatRequest> {

    private final KafkaTopics topics;

    public StreamsGroupHeartbeatHandler(GroupCoordination groups, KafkaTopics topics) {
        super(groups);
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.STREAMS_GROUP_HEARTBEAT;
    }

    @Override
    public void handle(StreamsGroupHeartbeatRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> coordinator
                        .streamsGroupHeartbeat(client, request.data())
                        .thenCompose(result -> create(result.creatableTopics().values(), exchange.access())
                                .thenApply(problems -> withProblems(result.data(), problems))),
                StreamsGroupHeartbeatResponse::new);
    }

    /** Creates topics, and returns what stands against those that cannot be. As with Kafka none is created by who may not create all of them. */
    private CompletableFuture<List<String>> create(Collection<CreatableTopic> wanted, Access access) {
        List<String> denied = access.seesCluster(AclOperation.CREATE)
                ? List.of()
                : wanted.stream()
                        .map(CreatableTopic::name)
                        .filter(name -> !access.mayTopic(AclOperation.CREATE, name))
                        .sorted()
                        .toList();
        if (!denied.isEmpty()) {
            return CompletableFuture.completedFuture(
                    List.of("Unauthorized to CREATE on topics " + String.join(", ", denied) + "."));
        }
        List<CompletableFuture<String>> created = new ArrayList<>();
        for (CreatableTopic topic : wanted) {
            created.add(topics.create(topic.name(), partitions(topic), ownConfig(topic))
                    .handle((result, failure) -> failure == null
                            ? problem(topic.name(), result)
                            : topic.name() + " cannot be created: " + failure.getMessage())
                    .toCompletableFuture());
        }
        return Stages.all(created)
                .thenApply(problems ->
                        problems.stream().filter(problem -> !problem.isEmpty()).toList());
    }

    private static Optional<Integer> partitions(CreatableTopic topic) {
        return topic.numPartitions() > 0 ? Optional.of(topic.numPartitions()) : Optional.empty();
    }

    /** What our topics can set; the rest of Kafka's settings has no meaning here. */
    private static Map<String, String> ownConfig(CreatableTopic topic) {
        Map<String, String> own = new HashMap<>();
        topic.configs().forEach(config -> {
            if (config.value() != null
                    && BrokerConfig.destinationKeys().find(config.name()).isPresent()) {
                own.put(config.name(), config.value());
            }
        });
        return own;
    }

    private static String problem(String name, CreateLogResult result) {
        return switch (result) {
            case CreateLogResult.Created _, CreateLogResult.AlreadyExists _ -> "";
            case CreateLogResult.NameTaken _ -> name + " is a queue";
            case CreateLogResult.Invalid(String problem) -> name + ": " + problem;
            case CreateLogResult.LimitReached(int maxLogs) -> name + ": there are " + maxLogs + " topics already";
            case CreateLogResult.NoBroker _ -> name + ": there is no broker for it";
            case CreateLogResult.DeletedSince _ -> name + " was deleted again";
        };
    }

    private static StreamsGroupHeartbeatResponseData withProblems(
            StreamsGroupHeartbeatResponseData data, List<String> problems) {
        if (problems.isEmpty()) {
            return data;
        }
        List<StreamsGroupHeartbeatResponseData.Status> statuses = new ArrayList<>();
        if (data.status() != null) {
            statuses.addAll(data.status());
        }
        statuses.add(new StreamsGroupHeartbeatResponseData.Status()
                .setStatusCode(StreamsGroupHeartbeatResponse.Status.MISSING_INTERNAL_TOPICS.code())
                .setStatusDetail(String.join("; ", problems)));
        return data.duplicate().setStatus(statuses);
    }
}
