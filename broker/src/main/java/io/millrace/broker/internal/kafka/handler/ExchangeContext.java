package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import java.net.InetAddress;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.internals.SecurityUtils;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/**
 * A request as Kafka's coordinator wants to know it: who asks, from where, in which version.
 *
 * @param exchange the request
 */
record ExchangeContext(KafkaExchange exchange) implements AuthorizableRequestContext {

    @Override
    public String listenerName() {
        return exchange.client().listener();
    }

    @Override
    public SecurityProtocol securityProtocol() {
        return exchange.client().securityProtocol();
    }

    @Override
    public KafkaPrincipal principal() {
        return SecurityUtils.parseKafkaPrincipal(exchange.principal());
    }

    @Override
    public InetAddress clientAddress() {
        return exchange.clientAddress();
    }

    @Override
    public int requestType() {
        return exchange.header().apiKey().id;
    }

    @Override
    public int requestVersion() {
        return exchange.version();
    }

    @Override
    public String clientId() {
        String clientId = exchange.header().clientId();
        return clientId == null ? "" : clientId;
    }

    @Override
    public int correlationId() {
        return exchange.header().correlationId();
    }
}
