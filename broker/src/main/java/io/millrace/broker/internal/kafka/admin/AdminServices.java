package io.millrace.broker.internal.kafka.admin;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.logging.LogLevels;
import io.millrace.log.LogStorage;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.SecurityDisabledException;

/**
 * What the handlers of administrative requests use.
 *
 * @param config what the broker was started with
 * @param liveConfig its settings as they are now
 * @param brokerId this broker
 * @param topics topics by Kafka's names
 * @param commands changes the metadata
 * @param storage the data directories
 * @param authorizes whether ACLs are gone by
 * @param io runs what asks the disk
 * @param logLevels changes levels of loggers, if that can be done in this program
 */
public record AdminServices(
        BrokerConfig config,
        Supplier<BrokerConfig> liveConfig,
        int brokerId,
        KafkaTopics topics,
        MetadataCommands commands,
        LogStorage storage,
        boolean authorizes,
        Executor io,
        Optional<LogLevels> logLevels) {

    /**
     * Checks that somebody goes by the ACLs: otherwise it would be wrong to let anybody believe that they protect something.
     *
     * @throws SecurityDisabledException if nobody does
     */
    public void requireAuthorizer() {
        if (!authorizes) {
            throw new SecurityDisabledException("No Authorizer is configured on the broker.");
        }
    }
}
