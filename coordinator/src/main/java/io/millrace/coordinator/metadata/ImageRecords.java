package io.millrace.coordinator.metadata;

import io.millrace.coordinator.metadata.MetadataRecord.AclCreated;
import io.millrace.coordinator.metadata.MetadataRecord.BrokerRegistered;
import io.millrace.coordinator.metadata.MetadataRecord.ConfigChanged;
import io.millrace.coordinator.metadata.MetadataRecord.CountersRestored;
import io.millrace.coordinator.metadata.MetadataRecord.FeatureChanged;
import io.millrace.coordinator.metadata.MetadataRecord.LogCreated;
import io.millrace.coordinator.metadata.MetadataRecord.PartitionChanged;
import io.millrace.coordinator.metadata.MetadataRecord.QuotaChanged;
import io.millrace.coordinator.metadata.MetadataRecord.ScramCredentialSet;
import io.millrace.coordinator.metadata.MetadataRecord.SubscriptionCreated;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** An image as the records that rebuild it from nothing: what a snapshot contains. Equal images give equal records in equal order. */
record ImageRecords(MetadataImage image) implements Iterable<byte[]> {

    @Override
    public Iterator<byte[]> iterator() {
        return records().map(MetadataRecordCodec::encode).iterator();
    }

    Stream<MetadataRecord> records() {
        return Stream.of(
                        Stream.<MetadataRecord>of(
                                new CountersRestored(image.lastBrokerEpoch(), image.nextProducerId())),
                        configs(new ConfigScope.Cluster()),
                        stream(image.brokers()).mapMulti(this::broker),
                        stream(image.logs()).mapMulti(this::log),
                        stream(image.subscriptions()).map(SubscriptionCreated::new),
                        stream(image.groupConfigs()).flatMap(group -> configs(new ConfigScope.Group(group.groupId()))),
                        stream(image.clientMetrics())
                                .flatMap(metrics -> configs(new ConfigScope.ClientMetrics(metrics.name()))),
                        new TreeMap<>(image.features())
                                .entrySet().stream()
                                        .map(feature -> new FeatureChanged(feature.getKey(), feature.getValue())),
                        stream(image.scramUsers()).mapMulti(ImageRecords::user),
                        stream(image.quotas()).mapMulti(ImageRecords::quotas),
                        stream(image.acls()).map(AclCreated::new),
                        stream(image.operationsImage().byAge()))
                .flatMap(part -> part);
    }

    private void broker(BrokerInfo broker, Consumer<MetadataRecord> out) {
        out.accept(new BrokerRegistered(broker));
        configs(new ConfigScope.Broker(broker.brokerId())).forEach(out);
    }

    private static void user(ScramUser user, Consumer<MetadataRecord> out) {
        new TreeMap<>(user.credentials())
                .values()
                .forEach(credential -> out.accept(new ScramCredentialSet(user.name(), credential)));
    }

    private static void quotas(Quotas quotas, Consumer<MetadataRecord> out) {
        new TreeMap<>(quotas.limits())
                .forEach((key, limit) -> out.accept(new QuotaChanged(quotas.entity(), key, OptionalDouble.of(limit))));
    }

    private void log(LogInfo log, Consumer<MetadataRecord> out) {
        out.accept(new LogCreated(
                log.logId(),
                log.name(),
                log.kind(),
                log.origin(),
                log.partitions().size(),
                log.config()));
        for (int partition = 0; partition < log.partitions().size(); partition++) {
            PartitionInfo state = log.partitions().get(partition);
            if (!state.replicas().isEmpty()) {
                out.accept(new PartitionChanged(log.logId(), partition, state));
            }
        }
    }

    private Stream<MetadataRecord> configs(ConfigScope scope) {
        return new TreeMap<>(image.config(scope))
                .entrySet().stream()
                        .map((Map.Entry<String, String> entry) ->
                                new ConfigChanged(scope, entry.getKey(), Optional.of(entry.getValue())));
    }

    private static <T> Stream<T> stream(Iterable<T> values) {
        return StreamSupport.stream(values.spliterator(), false);
    }
}
