package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.share.ShareGroups;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ShareAcknowledgeRequest;

/** Hears what a member of a share group did with its records (KIP-932). */
public final class ShareAcknowledgeHandler implements KafkaHandler<ShareAcknowledgeRequest> {

    private final ShareGroups groups;

    public ShareAcknowledgeHandler(ShareGroups groups) {
        this.groups = groups;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.SHARE_ACKNOWLEDGE;
    }

    @Override
    public void handle(ShareAcknowledgeRequest request, KafkaExchange exchange) {
        groups.acknowledge(request, exchange);
    }
}
