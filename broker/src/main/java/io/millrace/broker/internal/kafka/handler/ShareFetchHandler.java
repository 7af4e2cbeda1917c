package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.share.ShareGroups;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ShareFetchRequest;

/** Lends records to a member of a share group (KIP-932). */
public final class ShareFetchHandler implements KafkaHandler<ShareFetchRequest> {

    private final ShareGroups groups;

    public ShareFetchHandler(ShareGroups groups) {
        this.groups = groups;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.SHARE_FETCH;
    }

    @Override
    public void handle(ShareFetchRequest request, KafkaExchange exchange) {
        groups.fetch(request, exchange);
    }
}
