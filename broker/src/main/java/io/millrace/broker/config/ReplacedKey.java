package io.millrace.broker.config;

import io.millrace.log.config.ConfigKeys;
import java.util.List;

/**
 * A setting of Kafka that is accepted and does nothing here, so that the files that people have start a broker; whoever sets it is told
 * once what takes its place.
 *
 * @param name its name
 * @param defaultText its default in Kafka, empty for none
 * @param replacement what to use or do instead
 */
public record ReplacedKey(String name, String defaultText, String replacement) {

    private static final String NO_ZOOKEEPER =
            "there is no ZooKeeper; a broker keeps the cluster's metadata itself, in its first log.dirs";
    private static final String NO_REPLICATION = "this version has one copy of each partition, so nothing is copied";
    private static final String OWN_QUORUM = "the broker is its own controller, at its own port";
    private static final String SOCKET_BUFFERS = "the operating system sizes the buffers of sockets as they are used";
    private static final String NO_PURGATORY =
            "waiting requests are kept where they are ended, none has to be cleaned up";

    /** All of them, in the order of their names. */
    public static final List<ReplacedKey> ALL = List.of(
            of("auto.leader.rebalance.enable", "true", "a partition with one copy has the leader that it can have"),
            of("background.threads", "10", "background work shares the I/O pool"),
            of("broker.heartbeat.interval.ms", "2000", OWN_QUORUM),
            of("broker.rack", "", NO_REPLICATION),
            of("broker.session.timeout.ms", "9000", OWN_QUORUM),
            of("controlled.shutdown.enable", "true", "a broker always ends in good order when it is asked to"),
            of("controlled.shutdown.max.retries", "3", "a broker always ends in good order when it is asked to"),
            of(
                    "controlled.shutdown.retry.backoff.ms",
                    "5000",
                    "a broker always ends in good order when it is asked to"),
            of("controller.listener.names", "", OWN_QUORUM),
            of("controller.quorum.bootstrap.servers", "", OWN_QUORUM),
            of("controller.quorum.election.timeout.ms", "1000", OWN_QUORUM),
            of("controller.quorum.fetch.timeout.ms", "2000", OWN_QUORUM),
            of("controller.quorum.voters", "", OWN_QUORUM),
            of("controller.socket.timeout.ms", "30000", OWN_QUORUM),
            of("default.replication.factor", "1", NO_REPLICATION),
            of("fetch.purgatory.purge.interval.requests", "1000", NO_PURGATORY),
            of("initial.broker.registration.timeout.ms", "60000", OWN_QUORUM),
            of("inter.broker.protocol.version", "", "brokers of one cluster agree about versions themselves"),
            of(
                    "leader.imbalance.check.interval.seconds",
                    "300",
                    "a partition with one copy has the leader that it can have"),
            of(
                    "leader.imbalance.per.broker.percentage",
                    "10",
                    "a partition with one copy has the leader that it can have"),
            of("log.flush.offset.checkpoint.interval.ms", "60000", "what is synced is known to each log itself"),
            of(
                    "log.flush.scheduler.interval.ms",
                    "9223372036854775807",
                    "syncs are shared by all logs of a directory, see log.flush"),
            of("log.flush.start.offset.checkpoint.interval.ms", "60000", "what is synced is known to each log itself"),
            of(
                    "log.message.format.version",
                    "",
                    "records are kept in Kafka's format 2; older clients are served by conversion"),
            of("metadata.log.dir", "", "the metadata is in the first of log.dirs"),
            of("metric.reporters", "", "metrics are shown by JMX, see metrics.jmx.enable"),
            of("num.recovery.threads.per.data.dir", "2", "logs are recovered on the I/O pool"),
            of("num.replica.alter.log.dirs.threads", "", "a partition stays in the directory where it was created"),
            of("num.replica.fetchers", "1", NO_REPLICATION),
            of("producer.purgatory.purge.interval.requests", "1000", NO_PURGATORY),
            of("process.roles", "", OWN_QUORUM),
            of("replica.fetch.backoff.ms", "1000", NO_REPLICATION),
            of("replica.fetch.max.bytes", "1048576", NO_REPLICATION),
            of("replica.fetch.min.bytes", "1", NO_REPLICATION),
            of("replica.fetch.response.max.bytes", "10485760", NO_REPLICATION),
            of("replica.fetch.wait.max.ms", "500", NO_REPLICATION),
            of("replica.high.watermark.checkpoint.interval.ms", "5000", NO_REPLICATION),
            of(
                    "replica.lag.max.messages",
                    "4000",
                    "how far a replica may lag behind is a time, replica.lag.time.max.ms"),
            of("replica.lag.time.max.ms", "30000", NO_REPLICATION),
            of("replica.selector.class", "", NO_REPLICATION),
            of("replica.socket.receive.buffer.bytes", "65536", NO_REPLICATION),
            of("replica.socket.timeout.ms", "30000", NO_REPLICATION),
            of("request.timeout.ms", "30000", NO_REPLICATION),
            of("reserved.broker.max.id", "1000", "every broker has the id that broker.id says"),
            of("socket.listen.backlog.size", "50", "the backlog of the listening socket is the operating system's"),
            of("socket.receive.buffer.bytes", "102400", SOCKET_BUFFERS),
            of("socket.send.buffer.bytes", "102400", SOCKET_BUFFERS),
            of("zookeeper.connect", "", NO_ZOOKEEPER),
            of("zookeeper.connection.timeout.ms", "6000", NO_ZOOKEEPER),
            of("zookeeper.session.timeout.ms", "6000", NO_ZOOKEEPER),
            of("zookeeper.sync.time.ms", "2000", NO_ZOOKEEPER));

    private static ReplacedKey of(String name, String defaultText, String replacement) {
        return new ReplacedKey(name, defaultText, replacement);
    }

    /** Returns keys that accept these too; those of them that somebody declares as settings with an effect are that. */
    static ConfigKeys acceptedBy(ConfigKeys keys) {
        ConfigKeys accepting = keys;
        for (ReplacedKey key : ALL) {
            if (keys.find(key.name).isEmpty()) {
                accepting = accepting.withObsolete(key.name, key.replacement);
            }
        }
        return accepting;
    }
}
