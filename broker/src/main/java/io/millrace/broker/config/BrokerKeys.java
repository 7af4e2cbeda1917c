package io.millrace.broker.config;

import io.millrace.log.LogConfigKeys;
import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigKeys;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The settings of this module, under Kafka's names where the concept is Kafka's; {@link #ALL} has those of the modules below too. */
public final class BrokerKeys {

    public static final ConfigKey<Integer> BROKER_ID = ConfigKey.ofInt("broker.id")
            .withDefault(1)
            .atLeast(0)
            .describedAs(
                    "Number of this broker, unique in its cluster. It is written into the data directories and never changes.");

    public static final ConfigKey<List<String>> LISTENERS = ConfigKey.ofList("listeners")
            .withoutDefault("PLAINTEXT://host.name:port")
            .mustBe("at least one listener", listeners -> !listeners.isEmpty())
            .describedAs(
                    "Where clients connect, as NAME://host:port, separated by commas; an empty host is every address of the machine,"
                            + " port 0 a free port. A name is a protocol (PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL) or has one in"
                            + " listener.security.protocol.map. Goes before host.name and port.");

    public static final ConfigKey<List<String>> ADVERTISED_LISTENERS = ConfigKey.ofList("advertised.listeners")
            .withoutDefault("listeners")
            .mustBe("at least one listener", listeners -> !listeners.isEmpty())
            .describedAs(
                    "What clients are told to connect to, where that differs from listeners, as NAME://host:port. Clients are told the"
                            + " address of the listener through which they ask.");

    public static final ConfigKey<String> HOST_NAME = ConfigKey.ofString("host.name")
            .withDefault("127.0.0.1")
            .describedAs("Address to listen on, unless listeners is set.");

    public static final ConfigKey<Integer> PORT = ConfigKey.ofInt("port")
            .withDefault(9092)
            .atLeast(0)
            .atMost(65_535)
            .describedAs("Port to listen on, unless listeners is set; 0 takes a free one.");

    public static final ConfigKey<Integer> NUM_NETWORK_THREADS = ConfigKey.ofInt("num.network.threads")
            .withoutDefault("half the number of processors, at least 1")
            .atLeast(1)
            .atMost(1_024)
            .describedAs(
                    "Threads that read from and write to sockets, and run the shards. The other processors are for syncs,"
                            + " the kernel's network and the virtual machine.");

    public static final ConfigKey<Integer> NUM_IO_THREADS = ConfigKey.ofInt("num.io.threads")
            .withoutDefault("num.network.threads")
            .atLeast(1)
            .atMost(1_024)
            .describedAs(
                    "Shards: each owns a part of the partitions, and runs on one of the network threads, given out in turn."
                            + " More of them than there are of those does not help.");

    public static final ConfigKey<Integer> QUEUED_MAX_REQUESTS = ConfigKey.ofInt("queued.max.requests")
            .withDefault(10_000)
            .atLeast(1)
            .describedAs(
                    "Requests that may wait for one shard; further ones are refused with an error that clients retry.");

    public static final ConfigKey<Integer> NUM_PARTITIONS = ConfigKey.ofInt("num.partitions")
            .withDefault(1)
            .atLeast(1)
            .atMost(10_000)
            .describedAs("Partitions of a queue or topic that is created without a number of its own.");

    public static final ConfigKey<Boolean> AUTO_CREATE_TOPICS = ConfigKey.ofBoolean("auto.create.topics.enable")
            .withDefault(true)
            .describedAs("Whether queues and topics are created when a client first uses them.");

    public static final ConfigKey<Boolean> DELETE_TOPICS = ConfigKey.ofBoolean("delete.topic.enable")
            .withDefault(true)
            .describedAs("Whether clients may delete queues and topics.");

    public static final ConfigKey<Integer> MAX_DESTINATIONS = ConfigKey.ofInt("max.destinations")
            .withDefault(10_000)
            .atLeast(1)
            .describedAs(
                    "Queues and topics that the broker holds at most, so that a faulty client cannot create them without end.");

    public static final ConfigKey<Integer> TEMPORARY_MAX_DESTINATIONS = ConfigKey.ofInt("temporary.max.destinations")
            .withDefault(20_000)
            .atLeast(0)
            .describedAs(
                    "Temporary queues and topics of all connections together. An empty one takes about 7 KB of the heap.");

    public static final ConfigKey<Long> TEMPORARY_MAX_BYTES = ConfigKey.ofLong("temporary.max.bytes")
            .withoutDefault("an eighth of the heap")
            .atLeast(1 << 20)
            .describedAs(
                    "Memory for the messages of all temporary queues and topics, which are in no file. A sender to one of them gets an"
                            + " exception while it is full.");

    public static final ConfigKey<Integer> TEMPORARY_DESTINATION_MAX_BYTES = ConfigKey.ofInt(
                    "temporary.destination.max.bytes")
            .withoutDefault("16 MiB, or an eighth of temporary.max.bytes if that is less")
            .atLeast(1_024)
            .atMost(1 << 30)
            .describedAs(
                    "The same for each temporary queue or topic. So large its messages may be, however large jms.message.max.bytes is.");

    public static final ConfigKey<Integer> JMS_MESSAGE_MAX_BYTES = ConfigKey.ofInt("jms.message.max.bytes")
            .withoutDefault("64 MiB, or an eighth of the heap if that is less")
            .atLeast(1_024)
            .atMost(1 << 30)
            .describedAs(
                    "Largest batch of messages that JMS clients may send, in bytes, where the queue or topic does not set"
                            + " max.message.bytes itself.");

    public static final ConfigKey<Integer> SOCKET_REQUEST_MAX_BYTES = ConfigKey.ofInt("socket.request.max.bytes")
            .withDefault(100 << 20)
            .atLeast(1)
            .describedAs("Largest request of a Kafka client. Connections that start with a larger length are closed.");

    public static final ConfigKey<Integer> MAX_CONNECTIONS = ConfigKey.ofInt("max.connections")
            .withDefault(10_000)
            .atLeast(1)
            .describedAs(
                    "Connections of all clients together; further ones are told so and closed. Never more than the process's limit of"
                            + " open files (ulimit -n) leaves beside log.open.files.max.");

    public static final ConfigKey<Integer> MAX_CONNECTIONS_PER_IP = ConfigKey.ofInt("max.connections.per.ip")
            .withDefault(Integer.MAX_VALUE)
            .atLeast(1)
            .describedAs("Connections of one address; further ones are told so and closed.");

    public static final ConfigKey<Long> CONNECTIONS_MAX_IDLE_MS = ConfigKey.ofLong("connections.max.idle.ms")
            .withDefault(TimeUnit.MINUTES.toMillis(10))
            .atLeast(1)
            .describedAs("A connection that has no session and sends no request for so long is closed.");

    public static final ConfigKey<Integer> LOGIN_TIMEOUT_MS = ConfigKey.ofInt("connection.login.timeout.ms")
            .withDefault(10_000)
            .atLeast(1)
            .describedAs("Time that a client has from its connection to its login.");

    public static final ConfigKey<Integer> HEARTBEAT_INTERVAL_MS = ConfigKey.ofInt("session.heartbeat.interval.ms")
            .withDefault(5_000)
            .atLeast(100)
            .describedAs(
                    "How often clients say that they are alive. One that was not heard of for three times as long is taken for"
                            + " dead.");

    public static final ConfigKey<Integer> SESSION_GRACE_MS = ConfigKey.ofInt("session.grace.ms")
            .withDefault(15_000)
            .atLeast(0)
            .describedAs(
                    "How long the sessions of a lost connection keep what they hold, so that the client can come back. After"
                            + " that its messages go to others, and its client id is free.");

    public static final ConfigKey<Integer> MAX_SESSIONS = ConfigKey.ofInt("connection.max.sessions")
            .withDefault(1_000)
            .atLeast(1)
            .describedAs("Sessions of one connection.");

    public static final ConfigKey<Integer> MAX_CONSUMERS = ConfigKey.ofInt("session.max.consumers")
            .withDefault(1_000)
            .atLeast(1)
            .describedAs("Consumers of one session, each counted once per partition.");

    public static final ConfigKey<Integer> MAX_OPEN_REQUESTS = ConfigKey.ofInt("session.max.open.requests")
            .withDefault(32)
            .atLeast(1)
            .describedAs("Requests of one session that may wait for their answers.");

    public static final ConfigKey<Long> CONNECTION_IN_FLIGHT_BYTES = ConfigKey.ofLong("connection.in.flight.max.bytes")
            .withDefault(16L << 20)
            .atLeast(1)
            .describedAs(
                    "Bytes of one connection's requests in work; above that the connection is not read until some are done.");

    public static final ConfigKey<Long> CONNECTION_OUTBOUND_BYTES = ConfigKey.ofLong("connection.outbound.max.bytes")
            .withDefault(1L << 20)
            .atLeast(1)
            .describedAs(
                    "Bytes that wait for one client to read them; above that it gets no further deliveries until it has read"
                            + " half of them.");

    public static final ConfigKey<Long> QUEUED_MAX_REQUEST_BYTES = ConfigKey.ofLong("queued.max.request.bytes")
            .withoutDefault("an eighth of the heap")
            .atLeast(1 << 20)
            .describedAs(
                    "Bytes of all connections' requests in work; while there are more, connections that bring more are not read."
                            + " As many bytes again may belong to requests that have not arrived in full;"
                            + " a larger one, up to transfer.pool.bytes, is read while no other is.");

    public static final ConfigKey<Long> BROKER_OUTBOUND_BYTES = ConfigKey.ofLong("broker.outbound.max.bytes")
            .withoutDefault("an eighth of the heap")
            .atLeast(1 << 20)
            .describedAs(
                    "Bytes that wait for all clients to read them; while there are more, only clients that have read everything get"
                            + " deliveries, and those that have read nothing for two seconds are closed, who left most first.");

    public static final ConfigKey<Long> TRANSFER_POOL_BYTES = ConfigKey.ofLong("transfer.pool.bytes")
            .withoutDefault("a quarter of the heap")
            .atLeast(1)
            .describedAs(
                    "Memory of the broker for requests above 256 KiB, which arrive in chunks. When it is used up, further ones"
                            + " wait. Must hold one of the largest, see jms.message.max.bytes.");

    public static final ConfigKey<Integer> CURSOR_WINDOW_RECORDS = ConfigKey.ofInt("cursor.window.records")
            .withDefault(100_000)
            .atLeast(1)
            .describedAs(
                    "Messages of a queue or subscription that may be delivered and not acknowledged at a time, per partition,"
                            + " whatever consumers prefetch. Further ones wait.");

    public static final ConfigKey<Long> CURSOR_LENT_BYTES = ConfigKey.ofLong("cursor.lent.max.bytes")
            .withoutDefault("a sixteenth of the heap")
            .atLeast(1 << 20)
            .describedAs(
                    "Memory in which the broker notes which messages are with a consumer and not acknowledged, for all queues and"
                            + " subscriptions: 48 bytes for each delivery, which is one message or several of a batch. A queue or"
                            + " subscription gets no further deliveries while it has more than a quarter of what is free; 32 are"
                            + " always allowed.");

    public static final ConfigKey<Long> CONSUMED_RETENTION_MS = ConfigKey.ofLong("log.consumed.retention.ms")
            .withDefault(0L)
            .atLeast(0)
            .perDestination("consumed.retention.ms")
            .describedAs(
                    "How long the files of a queue stay after all of their messages were consumed, in milliseconds. Raise it to be"
                            + " able to go back to consumed messages. Counted anew from a restart of the broker.");
    public static final ConfigKey<Boolean> METRICS_JMX = ConfigKey.ofBoolean("metrics.jmx.enable")
            .withDefault(true)
            .describedAs(
                    "Whether metrics can be read by JMX, under the names of docs/metrics.md. No port is opened for it: who may"
                            + " attach to the process can read them.");
    public static final ConfigKey<Integer> METRICS_DESTINATIONS_MAX = ConfigKey.ofInt("metrics.destinations.max")
            .withDefault(500)
            .atLeast(0)
            .atMost(100_000)
            .describedAs(
                    "Queues and topics that have metrics of their own at a time, those in use first. All others are in the sums"
                            + " of the broker only. Each takes about 20 KB of heap.");

    private static final ConfigKeys OWN = ConfigKeys.of(List.of(
            BROKER_ID,
            LISTENERS,
            ADVERTISED_LISTENERS,
            HOST_NAME,
            PORT,
            NUM_PARTITIONS,
            AUTO_CREATE_TOPICS,
            DELETE_TOPICS,
            MAX_DESTINATIONS,
            TEMPORARY_MAX_DESTINATIONS,
            TEMPORARY_MAX_BYTES,
            TEMPORARY_DESTINATION_MAX_BYTES,
            JMS_MESSAGE_MAX_BYTES,
            NUM_NETWORK_THREADS,
            NUM_IO_THREADS,
            QUEUED_MAX_REQUESTS,
            SOCKET_REQUEST_MAX_BYTES,
            MAX_CONNECTIONS,
            MAX_CONNECTIONS_PER_IP,
            CONNECTIONS_MAX_IDLE_MS,
            LOGIN_TIMEOUT_MS,
            HEARTBEAT_INTERVAL_MS,
            SESSION_GRACE_MS,
            MAX_SESSIONS,
            MAX_CONSUMERS,
            MAX_OPEN_REQUESTS,
            CONNECTION_IN_FLIGHT_BYTES,
            CONNECTION_OUTBOUND_BYTES,
            TRANSFER_POOL_BYTES,
            QUEUED_MAX_REQUEST_BYTES,
            BROKER_OUTBOUND_BYTES,
            CURSOR_WINDOW_RECORDS,
            CURSOR_LENT_BYTES,
            CONSUMED_RETENTION_MS,
            METRICS_JMX,
            METRICS_DESTINATIONS_MAX));

    /** The settings of a broker: those of this module and of all below it, in the order of the documentation. */
    public static final ConfigKeys ALL = ReplacedKey.acceptedBy(OWN.and(SecurityKeys.ALL)
            .and(ConfigKeys.of(GroupKeys.ALL))
            .and(ConfigKeys.of(StreamsGroupKeys.ALL))
            .and(ConfigKeys.of(ShareGroupKeys.ALL))
            .and(ConfigKeys.of(TransactionKeys.ALL))
            .and(ConfigKeys.of(RedeliveryKeys.ALL))
            .and(LogConfigKeys.ALL));

    private BrokerKeys() {}
}
