package io.millrace.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.coordinator.access.AclPatternType;
import io.millrace.coordinator.access.ScramMechanism;
import io.millrace.coordinator.metadata.MetadataRecord.AclCreated;
import io.millrace.coordinator.metadata.MetadataRecord.AclDeleted;
import io.millrace.coordinator.metadata.MetadataRecord.BrokerRegistered;
import io.millrace.coordinator.metadata.MetadataRecord.ConfigChanged;
import io.millrace.coordinator.metadata.MetadataRecord.FeatureChanged;
import io.millrace.coordinator.metadata.MetadataRecord.LogCreated;
import io.millrace.coordinator.metadata.MetadataRecord.LogDeleted;
import io.millrace.coordinator.metadata.MetadataRecord.OperationRecorded;
import io.millrace.coordinator.metadata.MetadataRecord.PartitionChanged;
import io.millrace.coordinator.metadata.MetadataRecord.PartitionsAdded;
import io.millrace.coordinator.metadata.MetadataRecord.ProducerIdsAllocated;
import io.millrace.coordinator.metadata.MetadataRecord.QuotaChanged;
import io.millrace.coordinator.metadata.MetadataRecord.ScramCredentialRemoved;
import io.millrace.coordinator.metadata.MetadataRecord.ScramCredentialSet;
import io.millrace.coordinator.metadata.MetadataRecord.SubscriptionChanged;
import io.millrace.coordinator.metadata.MetadataRecord.SubscriptionCreated;
import io.millrace.coordinator.quorum.LogPoint;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MetadataStateTest {

    private static final UUID LOG = new UUID(1, 1);
    private static final UUID SUBSCRIPTION = new UUID(2, 2);
    private static final LogPoint END = new LogPoint(10, 1);

    private final MetadataState state = new MetadataState(MetadataImage.EMPTY);

    @Test
    void shouldRebuildTheSameStateFromItsSnapshot() {
        for (int i = 0; i < 50; i++) {
            UUID log = new UUID(7, i);
            state.replay(
                    new LogCreated(log, "log" + i, LogKind.TOPIC, LogOrigin.KAFKA, 2, Map.of("a", "" + i, "b", "x")));
            state.replay(new PartitionChanged(log, 1, led(1, i)));
            state.replay(new SubscriptionCreated(subscription(new UUID(8, i), "s" + i, log)));
            state.replay(new OperationRecorded(new UUID(9, i), log, i));
        }
        state.replay(
                new BrokerRegistered(new BrokerInfo(1, 4, new UUID(3, 3), List.of(new BrokerEndpoint("m", "h", 1)))));
        state.replay(new ProducerIdsAllocated(1, 5_000, 1_000));
        state.replay(new ConfigChanged(new ConfigScope.Cluster(), "c", Optional.of("1")));
        state.replay(new ConfigChanged(new ConfigScope.Broker(1), "d", Optional.of("2")));
        state.replay(new SubscriptionChanged(new UUID(8, 3), SubscriptionState.ACTIVE));
        state.replay(new LogDeleted(new UUID(7, 4)));
        state.replay(new PartitionsAdded(new UUID(7, 5), 4));
        state.replay(new PartitionChanged(new UUID(7, 5), 3, led(1, 0)));
        state.replay(new ConfigChanged(new ConfigScope.Group("g"), "e", Optional.of("3")));
        state.replay(new ConfigChanged(new ConfigScope.ClientMetrics("m"), "f", Optional.of("4")));
        state.replay(new FeatureChanged("transaction.version", (short) 1));
        for (MetadataRecord record : MetadataRecordCodecTest.records()) {
            if (record instanceof ScramCredentialSet
                    || record instanceof AclCreated
                    || (record instanceof QuotaChanged quota && quota.value().isPresent())) {
                state.replay(record);
            }
        }
        MetadataImage image = state.image(END);

        MetadataState rebuilt = new MetadataState(MetadataImage.EMPTY);
        new ImageRecords(image).forEach(bytes -> rebuilt.replay(MetadataRecordCodec.decode(bytes)));
        MetadataImage copy = rebuilt.image(END);

        assertThat(hex(copy)).isEqualTo(hex(image));
        assertThat(copy.logs()).containsExactlyElementsOf(image.logs());
        assertThat(copy.subscriptions()).containsExactlyElementsOf(image.subscriptions());
        assertThat(copy.subscriptionsOf(new UUID(7, 3)))
                .containsExactlyElementsOf(image.subscriptionsOf(new UUID(7, 3)));
        assertThat(copy.brokers()).containsExactlyElementsOf(image.brokers());
        assertThat(copy.config(new ConfigScope.Broker(1))).isEqualTo(Map.of("d", "2"));
        assertThat(copy.config(new ConfigScope.Group("g"))).isEqualTo(Map.of("e", "3"));
        assertThat(copy.config(new ConfigScope.ClientMetrics("m"))).isEqualTo(Map.of("f", "4"));
        assertThat(copy.features()).isEqualTo(Map.of("transaction.version", (short) 1));
        assertThat(copy.scramUsers()).containsExactlyElementsOf(image.scramUsers());
        assertThat(copy.scramUserCount()).isEqualTo(2);
        assertThat(copy.quotas()).containsExactlyElementsOf(image.quotas()).hasSize(1);
        assertThat(copy.acls()).containsExactlyElementsOf(image.acls()).hasSize(1);
        assertThat(copy.nextProducerId()).isEqualTo(6_000);
        assertThat(copy.lastBrokerEpoch()).isEqualTo(4);
        assertThat(copy.operationsImage().find(new UUID(9, 7))).isPresent();
    }

    @Test
    void shouldForgetTheOldestOperationsInTheSameOrderAfterASnapshot() {
        for (int i = 0; i < OperationsImage.MAX_REMEMBERED + 5; i++) {
            state.replay(new OperationRecorded(new UUID(1, i), LOG, i));
        }

        OperationsImage operations = state.image(END).operationsImage();
        assertThat(operations.find(new UUID(1, 4))).isEmpty();
        assertThat(operations.find(new UUID(1, 5))).isPresent();

        MetadataState rebuilt = new MetadataState(MetadataImage.EMPTY);
        new ImageRecords(state.image(END)).forEach(bytes -> rebuilt.replay(MetadataRecordCodec.decode(bytes)));
        OperationRecorded next = new OperationRecorded(new UUID(2, 0), LOG, 0);
        rebuilt.replay(next);
        state.replay(next);
        assertThat(rebuilt.image(END).operationsImage().find(new UUID(1, 5))).isEmpty();
        assertThat(hex(rebuilt.image(END))).isEqualTo(hex(state.image(END)));
    }

    @Test
    void shouldLeaveEarlierImagesAlone() {
        state.replay(new LogCreated(LOG, "orders", LogKind.QUEUE, LogOrigin.JMS, 1, Map.of()));
        MetadataImage before = state.image(END);

        state.replay(new LogDeleted(LOG));

        assertThat(before.log(LOG)).isPresent();
        assertThat(state.image(END).log(LOG)).isEmpty();
    }

    @Test
    void shouldRefuseRecordsThatContradictTheState() {
        state.replay(new LogCreated(LOG, "orders", LogKind.TOPIC, LogOrigin.JMS, 1, Map.of()));
        state.replay(new PartitionChanged(LOG, 0, led(1, 5)));
        state.replay(new SubscriptionCreated(subscription(SUBSCRIPTION, "s", LOG)));
        state.replay(new SubscriptionChanged(SUBSCRIPTION, SubscriptionState.ACTIVE));
        state.replay(new BrokerRegistered(new BrokerInfo(1, 4, LOG, List.of())));
        state.replay(new ProducerIdsAllocated(1, 0, 1_000));
        state.replay(new OperationRecorded(new UUID(9, 9), LOG, 0));

        UUID unknown = new UUID(4, 4);
        List<MetadataRecord> wrong = List.of(
                new LogCreated(LOG, "other", LogKind.TOPIC, LogOrigin.JMS, 1, Map.of()),
                new LogCreated(unknown, "orders", LogKind.QUEUE, LogOrigin.JMS, 1, Map.of()),
                new LogDeleted(unknown),
                new PartitionChanged(unknown, 0, led(1, 1)),
                new PartitionChanged(LOG, 1, led(1, 1)),
                new PartitionChanged(LOG, 0, led(1, 5)),
                new PartitionChanged(LOG, 0, led(1, 4)),
                new ConfigChanged(new ConfigScope.Log(unknown), "k", Optional.empty()),
                new SubscriptionCreated(subscription(SUBSCRIPTION, "other", LOG)),
                new SubscriptionCreated(subscription(unknown, "s", LOG)),
                new SubscriptionCreated(subscription(unknown, "other", unknown)),
                new SubscriptionCreated(subscription(unknown, "other", LOG).withState(SubscriptionState.DELETED)),
                new SubscriptionChanged(unknown, SubscriptionState.ACTIVE),
                new SubscriptionChanged(SUBSCRIPTION, SubscriptionState.CREATING),
                new BrokerRegistered(new BrokerInfo(1, 4, LOG, List.of())),
                new ProducerIdsAllocated(1, 999, 1_000),
                new PartitionsAdded(unknown, 2),
                new ScramCredentialRemoved("nobody", ScramMechanism.SCRAM_SHA_256),
                new AclDeleted(AclsImageTest.read(AclPatternType.LITERAL, "orders")),
                new OperationRecorded(new UUID(9, 9), LOG, 1));

        for (MetadataRecord record : wrong) {
            assertThatExceptionOfType(InconsistentMetadataException.class)
                    .as("%s", record)
                    .isThrownBy(() -> state.replay(record));
        }
    }

    private static PartitionInfo led(int leader, int epoch) {
        return new PartitionInfo(OptionalInt.of(leader), epoch, epoch, List.of(leader), List.of(leader));
    }

    private static SubscriptionInfo subscription(UUID id, String name, UUID log) {
        SubscriptionKey key = new SubscriptionKey(Optional.of("c"), name);
        return new SubscriptionInfo(id, key, log, true, Optional.of("x = 1"), false, SubscriptionState.CREATING);
    }

    private static List<String> hex(MetadataImage image) {
        List<String> records = new ArrayList<>();
        new ImageRecords(image).forEach(bytes -> records.add(HexFormat.of().formatHex(bytes)));
        return records;
    }
}
