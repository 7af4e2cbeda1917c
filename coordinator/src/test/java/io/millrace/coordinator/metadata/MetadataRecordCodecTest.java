package io.millrace.coordinator.metadata;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclPatternType;
import io.millrace.coordinator.access.AclPermission;
import io.millrace.coordinator.access.AclResourceType;
import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.access.QuotaSubject;
import io.millrace.coordinator.access.ScramCredential;
import io.millrace.coordinator.access.ScramMechanism;
import io.millrace.coordinator.metadata.MetadataRecord.AclCreated;
import io.millrace.coordinator.metadata.MetadataRecord.AclDeleted;
import io.millrace.coordinator.metadata.MetadataRecord.BrokerRegistered;
import io.millrace.coordinator.metadata.MetadataRecord.ConfigChanged;
import io.millrace.coordinator.metadata.MetadataRecord.CountersRestored;
import io.millrace.coordinator.metadata.MetadataRecord.FeatureChanged;
import io.millrace.coordinator.metadata.MetadataRecord.LeadershipsRenewed;
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
import io.millrace.wire.MillraceException.Category;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MetadataRecordCodecTest {

    private static final UUID LOG = new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L);
    private static final UUID OTHER = new UUID(-1, -2);

    static List<MetadataRecord> records() {
        return List.of(
                new BrokerRegistered(new BrokerInfo(
                        7,
                        12,
                        OTHER,
                        List.of(
                                new BrokerEndpoint("main", "127.0.0.1", 9092),
                                new BrokerEndpoint("tls", "ü.example", 65_535)))),
                new BrokerRegistered(new BrokerInfo(0, Long.MAX_VALUE, LOG, List.of())),
                new LeadershipsRenewed(3),
                new LogCreated(
                        LOG, "orders", LogKind.QUEUE, LogOrigin.JMS, 4, Map.of("retention.ms", "-1", "flush", "ack")),
                new LogCreated(OTHER, "ticks", LogKind.TOPIC, LogOrigin.KAFKA, 1_000, Map.of()),
                new PartitionChanged(
                        LOG, 300, new PartitionInfo(OptionalInt.of(2), 5, 9, List.of(2, 0, 1), List.of(2, 1))),
                new PartitionChanged(LOG, 0, new PartitionInfo(OptionalInt.empty(), 0, 0, List.of(), List.of())),
                new LogDeleted(OTHER),
                new ConfigChanged(new ConfigScope.Cluster(), "log.flush", Optional.of("os")),
                new ConfigChanged(new ConfigScope.Broker(1), "a", Optional.of("")),
                new ConfigChanged(new ConfigScope.Log(LOG), "retention.ms", Optional.empty()),
                new SubscriptionCreated(new SubscriptionInfo(
                        OTHER,
                        new SubscriptionKey(Optional.of("client \uD83D\uDE00"), "news"),
                        LOG,
                        false,
                        Optional.of("price > 10"),
                        true,
                        SubscriptionState.CREATING)),
                new SubscriptionCreated(new SubscriptionInfo(
                        OTHER,
                        new SubscriptionKey(Optional.empty(), ""),
                        LOG,
                        true,
                        Optional.empty(),
                        false,
                        SubscriptionState.ACTIVE)),
                new SubscriptionChanged(OTHER, SubscriptionState.DELETED),
                new ProducerIdsAllocated(1, 42_000, 1_000),
                new OperationRecorded(OTHER, LOG, -7),
                new CountersRestored(17, 9_000),
                new ConfigChanged(
                        new ConfigScope.Group("g \uD83D\uDE00"), "share.auto.offset.reset", Optional.of("earliest")),
                new ConfigChanged(new ConfigScope.ClientMetrics("m"), "interval.ms", Optional.of("1000")),
                new PartitionsAdded(LOG, 300),
                new ScramCredentialSet(
                        "alice",
                        new ScramCredential(
                                ScramMechanism.SCRAM_SHA_512, new byte[] {1, -2}, new byte[64], filled(64), 16_384)),
                new ScramCredentialSet(
                        "ü",
                        new ScramCredential(ScramMechanism.SCRAM_SHA_256, filled(32), filled(32), new byte[32], 4_096)),
                new ScramCredentialRemoved("alice", ScramMechanism.SCRAM_SHA_256),
                new QuotaChanged(
                        new QuotaEntity(
                                Optional.of(QuotaSubject.of("alice")),
                                Optional.of(QuotaSubject.DEFAULT),
                                Optional.empty()),
                        QuotaKey.PRODUCER_BYTE_RATE,
                        OptionalDouble.of(1_024.5)),
                new QuotaChanged(
                        new QuotaEntity(Optional.empty(), Optional.empty(), Optional.of(QuotaSubject.of("10.0.0.1"))),
                        QuotaKey.CONNECTION_CREATION_RATE,
                        OptionalDouble.empty()),
                new AclCreated(new AclEntry(
                        AclResourceType.TOPIC,
                        "orders.",
                        AclPatternType.PREFIXED,
                        "User:alice",
                        "*",
                        AclOperation.READ,
                        AclPermission.ALLOW)),
                new AclDeleted(new AclEntry(
                        AclResourceType.CLUSTER,
                        AclEntry.CLUSTER_NAME,
                        AclPatternType.LITERAL,
                        "User:*",
                        "127.0.0.1",
                        AclOperation.TWO_PHASE_COMMIT,
                        AclPermission.DENY)),
                new FeatureChanged("transaction.version", (short) 2),
                new FeatureChanged("metadata.version", (short) 0x1234));
    }

    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0xa5);
        return bytes;
    }

    /** What the servers before Kafka's protocol wrote: one record a line, the first ones of {@link #records()}. */
    private static List<String> recordsOfVersion0() {
        try (InputStream stored = MetadataRecordCodecTest.class.getResourceAsStream("records-of-version-0.txt")) {
            return new String(requireNonNull(stored).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldStillReadAndWriteTheRecordsOfTheFirstServers() {
        List<String> stored = recordsOfVersion0();

        for (int i = 0; i < stored.size(); i++) {
            assertThat(MetadataRecordCodec.decode(HexFormat.of().parseHex(stored.get(i))))
                    .isEqualTo(records().get(i));
            assertThat(HexFormat.of()
                            .formatHex(MetadataRecordCodec.encode(records().get(i))))
                    .isEqualTo(stored.get(i));
        }
        assertThat(stored).hasSize(17);
    }

    @Test
    void shouldRefuseAScopeInAVersionThatDoesNotHaveIt() {
        assertThatExceptionOfType(MetadataFormatException.class)
                .isThrownBy(() ->
                        MetadataRecordCodec.decode(HexFormat.of().parseHex("0600" + "0301" + "67" + "016b" + "00")))
                .withMessageContaining("scope of configuration 3 in version 0");
        assertThatExceptionOfType(MetadataFormatException.class)
                .isThrownBy(() -> MetadataRecordCodec.decode(HexFormat.of().parseHex("0601" + "00" + "016b" + "00")))
                .withMessageContaining("scope of configuration 0 in version 1");
    }

    @Test
    void shouldNotShowWhatACredentialHolds() {
        ScramCredential credential =
                new ScramCredential(ScramMechanism.SCRAM_SHA_256, filled(8), filled(32), filled(32), 4_096);

        assertThat(credential).hasToString("SCRAM-SHA-256 credential of 4096 iterations");
        assertThat(new ScramCredentialSet("u", credential).toString()).doesNotContain("-91", "a5");
    }

    @ParameterizedTest
    @MethodSource("records")
    void shouldReadWhatItWrote(MetadataRecord record) {
        byte[] bytes = MetadataRecordCodec.encode(record);

        assertThat(MetadataRecordCodec.decode(bytes)).isEqualTo(record);
        assertThat(bytes[1]).as("version").isEqualTo((byte)
                (record instanceof ConfigChanged changed && isOfVersion1(changed.scope()) ? 1 : 0));
    }

    private static boolean isOfVersion1(ConfigScope scope) {
        return scope instanceof ConfigScope.Group || scope instanceof ConfigScope.ClientMetrics;
    }

    @Test
    void shouldCoverEveryKindOfRecord() {
        assertThat(records().stream().map(Object::getClass).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(MetadataRecord.class.getPermittedSubclasses());
    }

    /** The example of docs/metadata-format.md. */
    @Test
    void shouldWriteTheBytesThatTheFormatPageShows() {
        byte[] bytes = MetadataRecordCodec.encode(
                new LogCreated(LOG, "orders", LogKind.QUEUE, LogOrigin.JMS, 300, Map.of("flush", "ack")));

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("0300" + "0102030405060708090a0b0c0d0e0f10" + "066f7264657273" + "01" + "01" + "ac02" + "01"
                        + "05666c757368" + "0361636b");
    }

    @ParameterizedTest
    @MethodSource("records")
    void shouldRefuseEveryTruncation(MetadataRecord record) {
        byte[] bytes = MetadataRecordCodec.encode(record);

        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatExceptionOfType(MetadataFormatException.class)
                    .as("%d of %d bytes", length, bytes.length)
                    .isThrownBy(() -> MetadataRecordCodec.decode(cut))
                    .satisfies(e -> assertThat(e.category()).isEqualTo(Category.FATAL));
        }
    }

    @ParameterizedTest
    @MethodSource("records")
    void shouldRefuseTrailingBytes(MetadataRecord record) {
        byte[] bytes = MetadataRecordCodec.encode(record);
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);

        assertThatExceptionOfType(MetadataFormatException.class)
                .isThrownBy(() -> MetadataRecordCodec.decode(longer))
                .withMessageContaining("1 bytes too many");
    }

    @ParameterizedTest
    @MethodSource("records")
    void shouldNeverFailInAnotherWayOnDamagedBytes(MetadataRecord record) {
        Random random = new Random(record.hashCode());
        byte[] bytes = MetadataRecordCodec.encode(record);

        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = bytes.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                MetadataRecord read = MetadataRecordCodec.decode(damaged);
                assertThat(MetadataRecordCodec.decode(MetadataRecordCodec.encode(read)))
                        .isEqualTo(read);
            } catch (MetadataFormatException e) {
                assertThat(e.getMessage()).startsWith("metadata record of type ");
            }
        }
    }

    @Test
    void shouldNotAllocateForACountThatCannotBeTrue() {
        byte[] bytes =
                HexFormat.of().parseHex("0100" + "00000001" + "0000000000000001" + "00".repeat(16) + "ffffffff07");

        assertThatExceptionOfType(MetadataFormatException.class)
                .isThrownBy(() -> MetadataRecordCodec.decode(bytes))
                .withMessageContaining("2147483647 elements announced, 0 bytes left");
    }

    @Test
    void shouldReadCountsInTheirShortestFormOnly() {
        String log = "0400" + "00".repeat(16);
        String rest = "ffffffff" + "00000000" + "00000000" + "00" + "00";

        for (String partition : List.of("00", "7f", "8001", "ffff7f", "8080808001", "ffffffff07")) {
            byte[] bytes = HexFormat.of().parseHex(log + partition + rest);
            assertThat(MetadataRecordCodec.encode(MetadataRecordCodec.decode(bytes)))
                    .isEqualTo(bytes);
        }
        for (String partition : List.of("8000", "808000", "ff8000", "8080808000", "ffffffff08", "8080808080")) {
            byte[] bytes = HexFormat.of().parseHex(log + partition + rest);
            assertThatExceptionOfType(MetadataFormatException.class)
                    .as(partition)
                    .isThrownBy(() -> MetadataRecordCodec.decode(bytes))
                    .withMessageContaining("a length or count");
        }
    }

    @Test
    void shouldRefuseTypesAndVersionsOfTheFuture() {
        assertThatExceptionOfType(MetadataFormatException.class)
                .isThrownBy(() -> MetadataRecordCodec.decode(new byte[] {99, 0}))
                .withMessageContaining("type 99")
                .withMessageContaining("unknown type");
        assertThatExceptionOfType(MetadataFormatException.class)
                .isThrownBy(() -> MetadataRecordCodec.decode(new byte[] {2, 1, 0, 0, 0, 1}))
                .withMessageContaining("version 1 is newer than this server");
    }

    @Test
    void shouldRefuseToWriteWhatItCouldNotReadBack() {
        MetadataRecord halfPair = new ConfigChanged(new ConfigScope.Cluster(), "a\uD800b", Optional.empty());
        MetadataRecord tooLong = new ConfigChanged(new ConfigScope.Cluster(), "k", Optional.of("x".repeat(70_000)));

        assertThatExceptionOfType(MetadataFormatException.class)
                .isThrownBy(() -> MetadataRecordCodec.encode(halfPair))
                .satisfies(e -> assertThat(e.category()).isEqualTo(Category.REJECTED));
        assertThatExceptionOfType(MetadataFormatException.class)
                .isThrownBy(() -> MetadataRecordCodec.encode(tooLong))
                .withMessageContaining("at most 65536 bytes");
    }

    @Test
    void shouldWriteEqualMapsAsEqualBytes() {
        Map<String, String> config = Map.of("a", "1", "b", "2", "c", "3", "d", "4");
        Map<String, String> sorted = new java.util.TreeMap<>(config);

        assertThat(MetadataRecordCodec.encode(new LogCreated(LOG, "l", LogKind.QUEUE, LogOrigin.JMS, 1, config)))
                .isEqualTo(
                        MetadataRecordCodec.encode(new LogCreated(LOG, "l", LogKind.QUEUE, LogOrigin.JMS, 1, sorted)));
    }
}
