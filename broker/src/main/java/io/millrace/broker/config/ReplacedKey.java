package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigKeys;
import io.millrace.log.config.ConfigType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A setting of Kafka that is accepted and does nothing here, so that the files that people have start a broker; whoever sets it is told
 * once what takes its place. Settings that protect something, such as policies and logins that we do not have, are not among them: a
 * broker that would do without is not started.
 *
 * @param name its name
 * @param defaultText its default in Kafka, empty for none
 * @param replacement what to use or do instead
 */
public record ReplacedKey(String name, String defaultText, String replacement) {

    /** All that there ever were, by reason. Those that a later version gave an effect are settings as any other. */
    private static final List<ReplacedKey> KNOWN = Stream.of(
                    group(
                            "a broker always ends in good order when it is asked to",
                            "controlled.shutdown.enable=true",
                            "controlled.shutdown.max.retries=3",
                            "controlled.shutdown.retry.backoff.ms=5000"),
                    group("a broker keeps up to 1000 fetch sessions", "max.incremental.fetch.session.cache.slots=1000"),
                    group("a commit is answered when it is synced", "offsets.commit.required.acks=-1"),
                    group(
                            "a directory that fails takes its partitions offline at once",
                            "log.dir.failure.timeout.ms=30000"),
                    group(
                            "a partition stays in the directory where it was created",
                            "alter.log.dirs.replication.quota.window.num=11",
                            "alter.log.dirs.replication.quota.window.size.seconds=1",
                            "replica.alter.log.dirs.io.max.bytes.per.second=9223372036854775807",
                            "num.replica.alter.log.dirs.threads="),
                    group(
                            "a partition with one copy has the leader that it can have",
                            "auto.leader.rebalance.enable=true",
                            "leader.imbalance.check.interval.seconds=300",
                            "leader.imbalance.per.broker.percentage=10"),
                    group(
                            "a start that takes longer than two minutes ends with an error",
                            "server.max.startup.time.ms=9223372036854775807"),
                    group(
                            "advertised.listeners says what clients are told",
                            "advertised.host.name=",
                            "advertised.port="),
                    group("all listeners begin together, when the broker is ready", "early.start.listeners="),
                    group(
                            "all protocols of groups are always on",
                            "group.coordinator.rebalance.protocols=classic, consumer, streams"),
                    group("an answer describes up to 2000 partitions", "max.request.partition.size.limit=2000"),
                    group("an answer to a fetch has at most 55 MiB, or one batch", "fetch.max.bytes=57671680"),
                    group("background work shares the I/O pool", "background.threads=10"),
                    group(
                            "batches that grow out of proportion when they are read are refused",
                            "max.decompressed.message.bytes=2147483639"),
                    group("brokers of one cluster agree about versions themselves", "inter.broker.protocol.version="),
                    group(
                            "changes of metadata are not limited by rate",
                            "controller.quota.window.num=11",
                            "controller.quota.window.size.seconds=1"),
                    group(
                            "every broker has the id that broker.id says",
                            "broker.id.generation.enable=true",
                            "reserved.broker.max.id=1000"),
                    group(
                            "how far a replica may lag behind is a time, replica.lag.time.max.ms",
                            "replica.lag.max.messages=4000"),
                    group("kafka-configs.sh --entity-type clients sets consumer_byte_rate", "quota.consumer.default="),
                    group("kafka-configs.sh --entity-type clients sets producer_byte_rate", "quota.producer.default="),
                    group(
                            "kafka-configs.sh --entity-type ips sets connection_creation_rate",
                            "max.connection.creation.rate=2147483647"),
                    group(
                            "log.message.timestamp.before.max.ms and after.max.ms bound timestamps",
                            "log.message.timestamp.difference.max.ms="),
                    group("logs are recovered on the I/O pool", "num.recovery.threads.per.data.dir=2"),
                    group("max.connections.per.ip holds for every address", "max.connections.per.ip.overrides="),
                    group(
                            "metrics are shown by JMX, see metrics.jmx.enable",
                            "auto.include.jmx.reporter=true",
                            "kafka.metrics.polling.interval.secs=10",
                            "kafka.metrics.reporters=",
                            "metric.reporters=",
                            "metrics.num.samples=2",
                            "metrics.recording.level=INFO",
                            "metrics.sample.window.ms=30000",
                            "telemetry.max.bytes=1048576"),
                    group("new partitions go to the directory with the fewest", "cordoned.log.dirs="),
                    group("older clients are always served", "log.message.downconversion.enable=true"),
                    group(
                            "producers that are over producer.id.expiration.ms are forgotten with the retention check",
                            "producer.id.expiration.check.interval.ms=600000"),
                    group(
                            "records are kept in Kafka's format 2; older clients are served by conversion",
                            "log.message.format.version="),
                    group(
                            "retention is first checked after log.retention.check.interval.ms",
                            "log.initial.task.delay.ms=30000"),
                    group(
                            "syncs are shared by all logs of a directory, see log.flush",
                            "log.flush.scheduler.interval.ms=9223372036854775807"),
                    group(
                            "the backlog of the listening socket is the operating system's",
                            "socket.listen.backlog.size=50"),
                    group(
                            "the broker connects to nobody",
                            "socket.connection.setup.timeout.max.ms=30000",
                            "socket.connection.setup.timeout.ms=10000"),
                    group(
                            "the broker is its own controller, at its own port",
                            "broker.heartbeat.interval.ms=2000",
                            "broker.session.timeout.ms=9000",
                            "controller.listener.names=",
                            "controller.performance.always.log.threshold.ms=2000",
                            "controller.performance.sample.period.ms=60000",
                            "controller.quorum.append.linger.ms=25",
                            "controller.quorum.auto.join.enable=false",
                            "controller.quorum.bootstrap.servers=",
                            "controller.quorum.election.backoff.max.ms=1000",
                            "controller.quorum.election.timeout.ms=1000",
                            "controller.quorum.fetch.max.bytes=1048576",
                            "controller.quorum.fetch.snapshot.max.bytes=1048576",
                            "controller.quorum.fetch.timeout.ms=2000",
                            "controller.quorum.request.timeout.ms=2000",
                            "controller.quorum.retry.backoff.ms=20",
                            "controller.quorum.voters=",
                            "controller.socket.timeout.ms=30000",
                            "initial.broker.registration.timeout.ms=60000",
                            "process.roles="),
                    group("the metadata is in the first of log.dirs", "metadata.log.dir="),
                    group(
                            "the metadata log is kept short by snapshots of its own",
                            "internal.metadata.delete.delay.millis=60000",
                            "internal.metadata.log.segment.bytes=",
                            "internal.metadata.max.batch.size.in.bytes=8388608",
                            "metadata.log.max.record.bytes.between.snapshots=20971520",
                            "metadata.log.max.snapshot.interval.ms=3600000",
                            "metadata.log.segment.bytes=1073741824",
                            "metadata.log.segment.ms=604800000",
                            "metadata.max.idle.interval.ms=500",
                            "metadata.max.retention.bytes=104857600",
                            "metadata.max.retention.ms=604800000"),
                    group(
                            "the operating system sizes the buffers of sockets as they are used",
                            "socket.receive.buffer.bytes=102400",
                            "socket.send.buffer.bytes=102400"),
                    group(
                            "there is no ZooKeeper; a broker keeps the cluster's metadata itself, in its first log.dirs",
                            "zookeeper.connect=",
                            "zookeeper.connection.timeout.ms=6000",
                            "zookeeper.max.in.flight.requests=10",
                            "zookeeper.session.timeout.ms=6000",
                            "zookeeper.set.acl=false",
                            "zookeeper.sync.time.ms=2000"),
                    group(
                            "there is no tiered storage; all records are in log.dirs",
                            "follower.fetch.last.tiered.offset.enable=false",
                            "log.local.retention.bytes=-2",
                            "log.local.retention.ms=-2",
                            "log.remote.copy.lag.bytes=-1",
                            "log.remote.copy.lag.ms=0",
                            "remote.fetch.max.wait.ms=500",
                            "remote.list.offsets.request.timeout.ms=30000",
                            "remote.log.index.file.cache.total.size.bytes=1073741824",
                            "remote.log.index.file.cache.ttl.ms=900000",
                            "remote.log.manager.copier.thread.pool.size=10",
                            "remote.log.manager.copy.max.bytes.per.second=9223372036854775807",
                            "remote.log.manager.copy.quota.window.num=11",
                            "remote.log.manager.copy.quota.window.size.seconds=1",
                            "remote.log.manager.expiration.thread.pool.size=10",
                            "remote.log.manager.fetch.max.bytes.per.second=9223372036854775807",
                            "remote.log.manager.fetch.quota.window.num=11",
                            "remote.log.manager.fetch.quota.window.size.seconds=1",
                            "remote.log.manager.follower.thread.pool.size=2",
                            "remote.log.manager.task.interval.ms=30000",
                            "remote.log.manager.task.retry.backoff.max.ms=30000",
                            "remote.log.manager.task.retry.backoff.ms=500",
                            "remote.log.manager.task.retry.jitter=0.2",
                            "remote.log.manager.thread.pool.size=2",
                            "remote.log.metadata.custom.metadata.max.bytes=128",
                            "remote.log.metadata.manager.class.name=org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager",
                            "remote.log.metadata.manager.class.path=",
                            "remote.log.metadata.manager.impl.prefix=rlmm.config.",
                            "remote.log.metadata.manager.listener.name=",
                            "remote.log.reader.max.pending.tasks=100",
                            "remote.log.reader.threads=10",
                            "remote.log.storage.manager.class.name=",
                            "remote.log.storage.manager.class.path=",
                            "remote.log.storage.manager.impl.prefix=rsm.config.",
                            "remote.log.storage.system.enable=false"),
                    group(
                            "this version has one copy of each partition, so nothing is copied",
                            "broker.rack=",
                            "default.replication.factor=1",
                            "follower.replication.throttled.rate=9223372036854775807",
                            "leader.replication.throttled.rate=9223372036854775807",
                            "num.replica.fetchers=1",
                            "replica.fetch.backoff.ms=1000",
                            "replica.fetch.max.bytes=1048576",
                            "replica.fetch.min.bytes=1",
                            "replica.fetch.response.max.bytes=10485760",
                            "replica.fetch.wait.max.ms=500",
                            "replica.high.watermark.checkpoint.interval.ms=5000",
                            "replica.lag.time.max.ms=30000",
                            "replica.selector.class=",
                            "replica.socket.receive.buffer.bytes=65536",
                            "replica.socket.timeout.ms=30000",
                            "replication.quota.window.num=11",
                            "replication.quota.window.size.seconds=1",
                            "request.timeout.ms=30000",
                            "unclean.leader.election.interval.ms=300000"),
                    group(
                            "partitions and the coordinator of a transaction are in one process, and need not ask each other again",
                            "add.partitions.to.txn.retry.backoff.max.ms=100",
                            "add.partitions.to.txn.retry.backoff.ms=20"),
                    group(
                            "transactions that take too long, and ids that are not used, are looked for once a second",
                            "transaction.abort.timed.out.transaction.cleanup.interval.ms=10000",
                            "transaction.remove.expired.transaction.cleanup.interval.ms=3600000"),
                    group(
                            "a partition takes records of a transaction only if its coordinator knows of it",
                            "transaction.partition.verification.enable=true"),
                    group(
                            "this broker is the only one, and has the only copy of __transaction_state",
                            "transaction.state.log.min.isr=2",
                            "transaction.state.log.replication.factor=3"),
                    group(
                            "producers that take part in a distributed transaction (KIP-939) are not served; distributed transactions are those of XA",
                            "transaction.two.phase.commit.enable=false"),
                    group(
                            "waiting requests are kept where they are ended, none has to be cleaned up",
                            "delete.records.purgatory.purge.interval.requests=1",
                            "fetch.purgatory.purge.interval.requests=1000",
                            "producer.purgatory.purge.interval.requests=1000",
                            "share.fetch.purgatory.purge.interval.requests=1000"),
                    group(
                            "what is synced is known to each log itself",
                            "log.flush.offset.checkpoint.interval.ms=60000",
                            "log.flush.start.offset.checkpoint.interval.ms=60000"),
                    group(
                            "what share groups have consumed is kept in cursors, beside the records",
                            "group.share.dlq.manager.class.name=org.apache.kafka.server.share.dlq.DefaultShareGroupDLQManager",
                            "group.share.persister.class.name=org.apache.kafka.server.share.persister.DefaultStatePersister",
                            "share.coordinator.append.linger.ms=-1",
                            "share.coordinator.cached.buffer.max.bytes=1048588",
                            "share.coordinator.cold.partition.snapshot.interval.ms=300000",
                            "share.coordinator.load.buffer.size=5242880",
                            "share.coordinator.snapshot.update.records.per.snapshot=500",
                            "share.coordinator.state.topic.compression.codec=0",
                            "share.coordinator.state.topic.min.isr=2",
                            "share.coordinator.state.topic.num.partitions=50",
                            "share.coordinator.state.topic.prune.interval.ms=300000",
                            "share.coordinator.state.topic.replication.factor=3",
                            "share.coordinator.state.topic.segment.bytes=104857600",
                            "share.coordinator.threads=1",
                            "share.coordinator.write.timeout.ms=5000"))
            .flatMap(List::stream)
            .sorted(Comparator.comparing(ReplacedKey::name))
            .toList();

    private static List<ReplacedKey> group(String replacement, String... namesAndDefaults) {
        return Arrays.stream(namesAndDefaults)
                .map(text -> {
                    int end = text.indexOf('=');
                    return new ReplacedKey(text.substring(0, end), text.substring(end + 1), replacement);
                })
                .toList();
    }

    /** Returns it as a setting, of the type that its default shows. */
    public ConfigKey<?> key() {
        if (!defaultText.isEmpty()) {
            for (ConfigType<?> type : List.of(ConfigType.BOOLEAN, ConfigType.INT, ConfigType.LONG, ConfigType.DOUBLE)) {
                Optional<ConfigKey<?>> key = as(type);
                if (key.isPresent()) {
                    return key.get();
                }
            }
        }
        return ConfigKey.ofString(name).withDefault(defaultText);
    }

    private <T> Optional<ConfigKey<?>> as(ConfigType<T> type) {
        try {
            return Optional.of(ConfigKey.of(name, type).withDefault(type.parse(defaultText)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns all of them, in the order of their names. */
    public static List<ReplacedKey> all() {
        return KNOWN.stream()
                .filter(key -> BrokerKeys.ALL.find(key.name).isEmpty())
                .toList();
    }

    /** Returns the one of this name. */
    public static Optional<ReplacedKey> find(String name) {
        return all().stream().filter(key -> key.name.equals(name)).findFirst();
    }

    /** Returns keys that accept these too; those of them that somebody declares as settings with an effect are that. */
    static ConfigKeys acceptedBy(ConfigKeys keys) {
        ConfigKeys accepting = keys;
        for (ReplacedKey key : KNOWN) {
            if (keys.find(key.name).isEmpty()) {
                accepting = accepting.withObsolete(key.name, key.replacement);
            }
        }
        return accepting;
    }
}
