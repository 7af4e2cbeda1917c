package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import io.millrace.broker.internal.kafka.group.ShareState;
import io.millrace.broker.internal.kafka.share.ShareGroups;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestPartition;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData.AlterShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.AlterShareGroupOffsetsResponse;

/** Has a share group that has no members begin elsewhere (KIP-932). */
public final class AlterShareGroupOffsetsHandler extends GroupHandler<AlterShareGroupOffsetsRequest> {

    private final ShareGroups shares;

    public AlterShareGroupOffsetsHandler(GroupCoordination groups, ShareGroups shares) {
        super(groups);
        this.shares = shares;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ALTER_SHARE_GROUP_OFFSETS;
    }

    @Override
    public void handle(AlterShareGroupOffsetsRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> coordinator
                        .alterShareGroupOffsets(client, request.data().groupId(), request.data())
                        .thenCompose(altered -> beginAnew(request.data(), altered)),
                AlterShareGroupOffsetsResponse::new);
    }

    /**
     * Where no offset was given the group begins anew by its settings. What stands behind the coordinator cannot do that: it is told the same
     * when a group's first member comes, who goes on where JMS programs are.
     */
    private CompletionStage<AlterShareGroupOffsetsResponseData> beginAnew(
            AlterShareGroupOffsetsRequestData asked, AlterShareGroupOffsetsResponseData altered) {
        List<CompletableFuture<Void>> anew = new ArrayList<>();
        for (AlterShareGroupOffsetsRequestTopic topic : asked.topics()) {
            AlterShareGroupOffsetsResponseTopic answered = altered.responses().find(topic.topicName());
            for (AlterShareGroupOffsetsRequestPartition partition : topic.partitions()) {
                if (partition.startOffset() == ShareState.UNKNOWN_OFFSET
                        && answered != null
                        && wasAltered(answered, partition.partitionIndex())) {
                    anew.add(shares.beginAnew(asked.groupId(), topic.topicName(), partition.partitionIndex())
                            .toCompletableFuture());
                }
            }
        }
        return CompletableFuture.allOf(anew.toArray(CompletableFuture[]::new)).thenApply(done -> altered);
    }

    private static boolean wasAltered(AlterShareGroupOffsetsResponseTopic topic, int index) {
        return topic.partitions().stream()
                .anyMatch(partition ->
                        partition.partitionIndex() == index && partition.errorCode() == Errors.NONE.code());
    }
}
