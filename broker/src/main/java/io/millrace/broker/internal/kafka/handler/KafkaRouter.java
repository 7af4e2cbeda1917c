package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.KafkaRequests;
import io.millrace.broker.internal.kafka.quota.QuotaRules;
import io.millrace.broker.internal.kafka.security.AccessRules;
import io.millrace.broker.internal.security.Access;
import io.millrace.broker.internal.security.Authorizer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;

/** Looks whether the client may do what a request asks for, and gives it to the handler of its kind. What has no handler is not offered to clients; what has one has a rule in {@link AccessRules}. From any thread. */
public final class KafkaRouter implements KafkaRequests {

    private final Map<ApiKeys, KafkaHandler<?>> handlers = new EnumMap<>(ApiKeys.class);

    private final AccessRules rules;
    private final Authorizer authorizer;
    private final QuotaRules quotas;

    /**
     * Creates a router for these handlers, one for each kind.
     *
     * @param rules what each kind needs
     * @param authorizer decides whether a client has it
     * @param quotas counts what clients use
     */
    public KafkaRouter(
            Collection<? extends KafkaHandler<?>> all, AccessRules rules, Authorizer authorizer, QuotaRules quotas) {
        this.rules = rules;
        this.authorizer = authorizer;
        this.quotas = quotas;
        for (KafkaHandler<?> handler : all) {
            if (handlers.put(handler.key(), handler) != null) {
                throw new IllegalArgumentException("two handlers for " + handler.key());
            }
            if (!rules.knows(handler.key())) {
                throw new IllegalArgumentException("nothing says who may send " + handler.key());
            }
        }
    }

    /** Returns the kinds that are offered. */
    public Set<ApiKeys> offered() {
        return Set.copyOf(handlers.keySet());
    }

    @Override
    public boolean isOffered(ApiKeys key) {
        return handlers.containsKey(key);
    }

    @Override
    public void onRequest(KafkaExchange exchange) {
        KafkaHandler<?> handler = handlers.get(exchange.header().apiKey());
        if (handler == null) {
            throw new IllegalStateException(exchange.header().apiKey() + " is not offered, and was let in");
        }
        QuotaRules.TimeUsed used = quotas.enter(exchange);
        try {
            Access access = new Access(authorizer, exchange.principal(), exchange.clientAddress());
            exchange.enter(access);
            rules.apply(exchange, access);
            if (!exchange.isFinished()) {
                quotas.begin(exchange);
                pass(handler, exchange);
            }
        } catch (RuntimeException e) {
            exchange.fail(e);
        }
        used.end();
    }

    /** The key of a request decides of which class it is, for the handler as for the parser. */
    @SuppressWarnings("unchecked")
    private static <T extends AbstractRequest> void pass(KafkaHandler<T> handler, KafkaExchange exchange) {
        handler.handle((T) exchange.request(), exchange);
    }
}
