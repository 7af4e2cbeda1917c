package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.ResourceAllocationException;
import org.junit.jupiter.api.Test;

/** A client that the broker has no room for hears which limit it met. */
class LimitsSeenByClientsTest {

    @Test
    void shouldTellWhyAConnectionIsRefused() throws JMSException {
        try (EmbeddedBroker broker = EmbeddedBroker.builder()
                .port(0)
                .temporaryDirectory()
                .config("max.connections", "1")
                .start()) {
            MillraceConnectionFactory factory = new MillraceConnectionFactory("millrace://127.0.0.1:" + broker.port());
            try (Connection first = factory.createConnection()) {
                first.start();

                assertThatThrownBy(() -> {
                            try (Connection second = factory.createConnection()) {
                                second.start();
                            }
                        })
                        .isInstanceOfSatisfying(
                                ResourceAllocationException.class,
                                refused -> assertThat(refused.getErrorCode()).isEqualTo("limit_exceeded"))
                        .hasMessageContaining("max.connections");
            }
        }
    }
}
