package io.millrace.server.internal.kafka;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Where to find a broker that speaks Kafka's protocol, and clients for it.
 *
 * @param servers {@code HOST:PORT}, several separated by commas
 * @param settings of Kafka's client, such as {@code security.protocol}
 */
public record KafkaCluster(String servers, Map<String, String> settings) {
    /** How long a call may take in all, with what the client repeats. */
    private static final int PATIENCE_MS = 15_000;

    private static final Pattern GENERAL = Pattern.compile(
            "(Failed to (create new|construct) [\\w ]+|[\\w.]+(Exception|Error): .*)",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    public KafkaCluster {
        settings = Map.copyOf(settings);
    }

    /** Lets Kafka's client say nothing of itself in this process: what fails is told by exceptions. To be called before anything is logged. */
    public static void silenceClients() {
        System.setProperty("millrace.log.kafka", "OFF");
    }

    KafkaProducer<byte[], byte[]> producer(Map<String, String> more) {
        return opened(
                () -> new KafkaProducer<>(clientSettings(more), new ByteArraySerializer(), new ByteArraySerializer()));
    }

    KafkaConsumer<byte[], byte[]> consumer(Map<String, String> more) {
        Map<String, Object> all = clientSettings(more);
        all.putIfAbsent(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        return opened(() -> new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
    }

    Admin admin() {
        Map<String, Object> all = clientSettings(Map.of());
        all.putIfAbsent(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, PATIENCE_MS);
        all.putIfAbsent(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MS / 2);
        return opened(() -> Admin.create(all));
    }

    /** Waits for what was asked for. */
    <T> T await(KafkaFuture<T> future) throws InterruptedException {
        try {
            return future.get(2L * PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw failure(failed.getCause() == null ? failed : failed.getCause());
        } catch (TimeoutException late) {
            throw new KafkaCallException(servers + " did not answer within " + 2 * PATIENCE_MS + " ms", late);
        }
    }

    KafkaCallException failure(Throwable cause) {
        return new KafkaCallException(servers + ": " + cause.getMessage(), cause);
    }

    private <T> T opened(Supplier<T> client) {
        Reachability.check(servers);
        try {
            return client.get();
        } catch (KafkaException wrong) {
            throw new KafkaCallException(servers + ": " + reasons(wrong), wrong);
        }
    }

    /** What went wrong stands deep in the causes, below those that say only that a client could not be made. */
    private static String reasons(Throwable failure) {
        List<String> said = new ArrayList<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
            boolean saysSomething = !GENERAL.matcher(message).matches();
            if ((saysSomething || cause.getCause() == null)
                    && said.stream().noneMatch(before -> before.contains(message))) {
                said.add(message);
            }
        }
        return String.join(": ", said);
    }

    private Map<String, Object> clientSettings(Map<String, String> more) {
        Map<String, Object> all = new LinkedHashMap<>(more);
        all.putAll(settings);
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, servers);
        return all;
    }
}
