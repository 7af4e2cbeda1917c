package io.millrace.broker.kafka;

import static io.millrace.broker.kafka.AdminCalls.assertFails;
import static io.millrace.broker.kafka.AdminCalls.await;
import static io.millrace.broker.kafka.AdminCalls.get;
import static io.millrace.broker.kafka.AdminCalls.valueIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.broker.EmbeddedBroker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.admin.UserScramCredentialsDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.DuplicateResourceException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidUpdateVersionException;
import org.apache.kafka.common.errors.ResourceNotFoundException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.UnacceptableCredentialException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configuration, users, quotas and features through Kafka's own administration client. */
class SettingsAdminTest {

    private static final ConfigResource BROKER = new ConfigResource(ConfigResource.Type.BROKER, "1");
    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");

    private static EmbeddedBroker broker;
    private static Admin admin;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("log.retention.bytes", "500000")
                .start();
        admin = Admin.create(KafkaClients.config(broker, Map.of()));
    }

    @AfterAll
    static void stop() {
        admin.close();
        broker.close();
    }

    // ---- configuration ---------------------------------------------------------------------------------------------

    @Test
    void shouldTellTheSettingsOfATopicAndWhereTheyComeFrom() {
        ConfigResource topic = topic("described", Map.of("segment.bytes", "2000000"));

        Config config = valueIn(
                get(admin.describeConfigs(
                                List.of(topic),
                                new DescribeConfigsOptions()
                                        .includeSynonyms(true)
                                        .includeDocumentation(true))
                        .all()),
                topic);

        ConfigEntry own = config.get("segment.bytes");
        assertThat(own.value()).isEqualTo("2000000");
        assertThat(own.source()).isEqualTo(ConfigSource.DYNAMIC_TOPIC_CONFIG);
        assertThat(own.type()).isEqualTo(ConfigEntry.ConfigType.INT);
        assertThat(own.documentation()).isNotBlank();
        assertThat(own.synonyms())
                .extracting(ConfigEntry.ConfigSynonym::name, ConfigEntry.ConfigSynonym::source)
                .containsExactly(
                        tuple("segment.bytes", ConfigSource.DYNAMIC_TOPIC_CONFIG),
                        tuple("log.segment.bytes", ConfigSource.DEFAULT_CONFIG));
        assertThat(config.get("retention.bytes").value()).isEqualTo("500000");
        assertThat(config.get("retention.bytes").source()).isEqualTo(ConfigSource.STATIC_BROKER_CONFIG);
        assertThat(config.get("retention.ms").value()).isEqualTo("604800000");
        assertThat(config.get("retention.ms").isDefault()).isTrue();
        assertThat(config.get("segment.jitter.ms").value()).isEqualTo("0");
        assertThat(config.get("consumed.retention.ms").value()).isEqualTo("0");
        assertThat(config.entries()).noneMatch(ConfigEntry::isReadOnly).noneMatch(ConfigEntry::isSensitive);
    }

    @Test
    void shouldSetAndRemoveSettingsOfATopic() {
        ConfigResource topic = topic("altered", Map.of());

        alter(topic, set("retention.ms", "1000"), set("flush", "os"));
        assertThat(value(topic, "retention.ms")).isEqualTo("1000");
        assertThat(value(topic, "flush")).isEqualTo("os");

        alter(topic, new AlterConfigOp(new ConfigEntry("retention.ms", ""), OpType.DELETE));
        assertThat(value(topic, "retention.ms")).isEqualTo("604800000");
        assertThat(value(topic, "flush")).isEqualTo("os");
    }

    @Test
    void shouldChangeNothingWhenOnlyCheckingOrWhenOneIsWrong() {
        ConfigResource topic = topic("guarded", Map.of());

        await(admin.incrementalAlterConfigs(
                        Map.of(topic, List.of(set("retention.ms", "1000"))),
                        new AlterConfigsOptions().validateOnly(true))
                .all());
        assertThat(value(topic, "retention.ms")).isEqualTo("604800000");
        assertFails(
                tryAlter(topic, set("retention.ms", "1000"), set("no.such.key", "1")),
                InvalidConfigurationException.class);
        assertFails(tryAlter(topic, set("retention.ms", "soon")), InvalidConfigurationException.class);
        assertFails(
                tryAlter(topic, new AlterConfigOp(new ConfigEntry("retention.ms", "1"), OpType.APPEND)),
                InvalidConfigurationException.class);
        assertFails(
                tryAlter(new ConfigResource(ConfigResource.Type.TOPIC, "no-such"), set("retention.ms", "1000")),
                UnknownTopicOrPartitionException.class);
        assertThat(value(topic, "retention.ms")).isEqualTo("604800000");
    }

    @Test
    void shouldChangeDefaultsOfTopicsWhileItRuns() {
        ConfigResource topic = topic("follows", Map.of());

        alter(ALL_BROKERS, set("log.retention.ms", "7000"));
        assertThat(value(topic, "retention.ms")).isEqualTo("7000");
        alter(BROKER, set("log.retention.ms", "8000"));
        ConfigEntry entry = entry(topic, "retention.ms");
        assertThat(entry.value()).isEqualTo("8000");
        assertThat(entry.source()).isEqualTo(ConfigSource.DYNAMIC_BROKER_CONFIG);
        assertThat(entry(ALL_BROKERS, "log.retention.ms").source())
                .isEqualTo(ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG);

        AlterConfigOp delete = new AlterConfigOp(new ConfigEntry("log.retention.ms", ""), OpType.DELETE);
        alter(ALL_BROKERS, delete);
        alter(BROKER, delete);
        assertThat(value(topic, "retention.ms")).isEqualTo("604800000");
    }

    @Test
    void shouldTellTheSettingsOfTheBroker() {
        Config config = valueIn(get(admin.describeConfigs(List.of(BROKER)).all()), BROKER);

        assertThat(config.get("broker.id").value()).isEqualTo("1");
        assertThat(config.get("broker.id").isReadOnly()).isTrue();
        assertThat(config.get("log.retention.bytes").source()).isEqualTo(ConfigSource.STATIC_BROKER_CONFIG);
        assertThat(config.get("log.retention.bytes").isReadOnly()).isFalse();
        assertThat(config.get("replica.fetch.max.bytes").value()).isEqualTo("1048576");
        assertThat(get(admin.describeConfigs(List.of(new ConfigResource(ConfigResource.Type.BROKER_LOGGER, "1")))
                                .all())
                        .values())
                .singleElement()
                .satisfies(loggers -> assertThat(loggers.get("root")).isNotNull());
    }

    @Test
    void shouldRefuseWhatTakesARestart() {
        assertFails(tryAlter(BROKER, set("session.grace.ms", "3")), InvalidRequestException.class);
        assertFails(tryAlter(ALL_BROKERS, set("broker.id", "3")), InvalidRequestException.class);
        assertFails(tryAlter(BROKER, set("node.id", "3")), InvalidRequestException.class);
        assertFails(tryAlter(BROKER, set("num.replica.fetchers", "many")), InvalidRequestException.class);
        assertFails(tryAlter(ALL_BROKERS, set("log.retention.ms", "soon")), InvalidRequestException.class);
        assertFails(
                tryAlter(new ConfigResource(ConfigResource.Type.TOPIC, ""), set("retention.ms", "1")),
                InvalidRequestException.class);
        assertFails(tryAlter(BROKER, set("no.such.key", "3")), InvalidConfigurationException.class);
        assertFails(
                admin.describeConfigs(List.of(new ConfigResource(ConfigResource.Type.TOPIC, "no-such")))
                        .all(),
                UnknownTopicOrPartitionException.class);
    }

    /** What Kafka can change while it runs can be set here too; describing says that it has no effect. */
    @ParameterizedTest
    @CsvSource({
        "num.io.threads,3",
        "num.network.threads,3",
        "background.threads,4",
        "leader.replication.throttled.rate,1000",
        "follower.replication.throttled.rate,1000",
        "replica.alter.log.dirs.io.max.bytes.per.second,1000"
    })
    void shouldAcceptWithoutEffectWhatKafkaCanChange(String key, String changed) {
        String before = value(BROKER, key);
        for (ConfigResource resource : List.of(ALL_BROKERS, BROKER)) {
            alter(resource, set(key, changed));
            assertThat(value(resource, key)).isEqualTo(changed);
        }
        assertThat(entry(BROKER, key).isReadOnly()).isFalse();
        assertThat(entry(BROKER, key).source()).isEqualTo(ConfigSource.DYNAMIC_BROKER_CONFIG);

        AlterConfigOp delete = new AlterConfigOp(new ConfigEntry(key, ""), OpType.DELETE);
        alter(ALL_BROKERS, delete);
        alter(BROKER, delete);
        assertThat(value(BROKER, key)).isEqualTo(before);
    }

    /** Not below what the broker lets groups set for themselves, as the coordinator would not begin with it. */
    @Test
    void shouldChangeHowOftenGroupsShareOutAnewWithinTheirBounds() {
        alter(ALL_BROKERS, set("group.consumer.assignment.interval.ms", "2000"));
        assertThat(value(BROKER, "group.consumer.assignment.interval.ms")).isEqualTo("2000");
        assertFails(
                tryAlter(BROKER, set("group.consumer.assignment.interval.ms", "100000000")),
                InvalidConfigurationException.class);
        alter(
                ALL_BROKERS,
                new AlterConfigOp(new ConfigEntry("group.consumer.assignment.interval.ms", ""), OpType.DELETE));
    }

    /** As kafka-reassign-partitions does with --throttle. */
    @Test
    void shouldKeepWhatTopicsAreThrottledByWithoutEffect() {
        ConfigResource topic = topic("throttled", Map.of());

        alter(topic, set("leader.replication.throttled.replicas", "0:1"));
        assertThat(value(topic, "leader.replication.throttled.replicas")).isEqualTo("0:1");
        assertThat(value(topic, "follower.replication.throttled.replicas")).isEmpty();
        assertFails(tryAlter(topic, set("remote.storage.enable", "true")), InvalidConfigurationException.class);
        alter(topic, set("remote.storage.enable", "false"));
    }

    @Test
    void shouldTellWhatTheBrokerFoundOutForItself() {
        assertThat(value(BROKER, "node.id")).isEqualTo("1");
        assertThat(value(BROKER, "listeners")).startsWith("PLAINTEXT://");
        assertThat(Integer.parseInt(value(BROKER, "num.network.threads"))).isPositive();
        assertThat(entry(BROKER, "num.replica.fetchers").type()).isEqualTo(ConfigEntry.ConfigType.INT);
    }

    @Test
    void shouldKeepSettingsOfTopicsThatDoNothingHere() {
        ConfigResource topic = topic("kept", Map.of("follower.replication.throttled.replicas", "0:1,1:1"));

        assertThat(value(topic, "follower.replication.throttled.replicas")).isEqualTo("0:1,1:1");
        alter(topic, set("local.retention.ms", "1000"), set("max.decompressed.message.bytes", "5000"));
        assertThat(value(topic, "local.retention.ms")).isEqualTo("1000");
        alter(topic, new AlterConfigOp(new ConfigEntry("leader.replication.throttled.replicas", "0:1"), OpType.APPEND));
        assertThat(value(topic, "leader.replication.throttled.replicas")).isEqualTo("0:1");
        assertFails(
                tryAlter(topic, set("leader.replication.throttled.replicas", "all")),
                InvalidConfigurationException.class);
        assertFails(tryAlter(topic, set("local.retention.ms", "-3")), InvalidConfigurationException.class);
    }

    @Test
    void shouldRefuseSettingsThatContradictEachOther() {
        ConfigResource topic = topic("lagging", Map.of("max.compaction.lag.ms", "5000"));

        assertFails(tryAlter(topic, set("min.compaction.lag.ms", "6000")), InvalidConfigurationException.class);
        assertFails(
                admin.createTopics(List.of(new NewTopic("lagging-too", 1, (short) 1)
                                .configs(Map.of("min.compaction.lag.ms", "6", "max.compaction.lag.ms", "5"))))
                        .all(),
                InvalidConfigurationException.class);
        assertFails(
                tryAlter(
                        ALL_BROKERS,
                        set("log.cleaner.min.compaction.lag.ms", "6"),
                        set("log.cleaner.max.compaction.lag.ms", "5")),
                InvalidConfigurationException.class);

        // What all brokers have may go below what a topic has for itself: that one is as if they were the same.
        alter(topic, set("min.compaction.lag.ms", "4000"), delete("max.compaction.lag.ms"));
        alter(topic, set("cleanup.policy", "compact"));
        alter(ALL_BROKERS, set("log.cleaner.max.compaction.lag.ms", "3000"));
        assertThat(value(topic, "min.compaction.lag.ms")).isEqualTo("4000");
        alter(ALL_BROKERS, delete("log.cleaner.max.compaction.lag.ms"));
    }

    @Test
    void shouldKeepSettingsOfGroups() {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, "workers");

        assertThat(value(group, "consumer.session.timeout.ms")).isEqualTo("45000");
        assertThat(value(group, "streams.assignor.name")).isEqualTo("sticky");
        assertThat(valueIn(
                                get(admin.describeConfigs(
                                                List.of(group), new DescribeConfigsOptions().includeSynonyms(true))
                                        .all()),
                                group)
                        .get("consumer.session.timeout.ms")
                        .synonyms())
                .extracting(ConfigEntry.ConfigSynonym::name)
                .containsExactly("group.consumer.session.timeout.ms");
        alter(group, set("consumer.session.timeout.ms", "50000"), set("share.auto.offset.reset", "earliest"));

        assertThat(entry(group, "consumer.session.timeout.ms").source()).isEqualTo(ConfigSource.DYNAMIC_GROUP_CONFIG);
        assertThat(value(group, "share.auto.offset.reset")).isEqualTo("earliest");
        assertFails(tryAlter(group, set("share.auto.offset.reset", "never")), InvalidConfigurationException.class);
        assertFails(tryAlter(group, set("retention.ms", "1")), InvalidConfigurationException.class);
        assertThat(get(admin.listConfigResources(Set.of(ConfigResource.Type.GROUP), new ListConfigResourcesOptions())
                        .all()))
                .contains(group);
    }

    @Test
    void shouldKeepSubscriptionsOfClientMetrics() {
        ConfigResource metrics = new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "all");

        assertThat(value(metrics, "interval.ms")).isEqualTo("300000");
        alter(metrics, set("interval.ms", "1000"), set("metrics", "org.apache."), set("match", "client_id=app.*"));
        assertThat(entry(metrics, "interval.ms").source()).isEqualTo(ConfigSource.DYNAMIC_CLIENT_METRICS_CONFIG);
        assertThat(value(metrics, "match")).isEqualTo("client_id=app.*");
        assertThat(get(admin.listConfigResources(
                                Set.of(ConfigResource.Type.CLIENT_METRICS), new ListConfigResourcesOptions())
                        .all()))
                .containsExactly(metrics);

        assertFails(tryAlter(metrics, set("interval.ms", "1")), InvalidRequestException.class);
        assertFails(tryAlter(metrics, set("no.such.key", "1")), InvalidRequestException.class);
        assertFails(tryAlter(metrics, set("match", "planet=mars")), InvalidConfigurationException.class);
        assertFails(tryAlter(metrics, set("match", "client_id=[")), InvalidConfigurationException.class);

        alter(metrics, delete("interval.ms"), delete("metrics"), delete("match"));
        assertThat(get(admin.listConfigResources(
                                Set.of(ConfigResource.Type.CLIENT_METRICS), new ListConfigResourcesOptions())
                        .all()))
                .isEmpty();
    }

    // ---- users -----------------------------------------------------------------------------------------------------

    @Test
    void shouldKeepWhatUsersLogInWith() {
        ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 5_000);
        await(admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion("alice", info, "secret")))
                .all());

        UserScramCredentialsDescription alice =
                get(admin.describeUserScramCredentials(List.of("alice")).description("alice"));
        assertThat(alice.credentialInfos()).containsExactly(info);
        assertThat(get(admin.describeUserScramCredentials().users())).contains("alice");

        await(admin.alterUserScramCredentials(
                        List.of(new UserScramCredentialDeletion("alice", ScramMechanism.SCRAM_SHA_512)))
                .all());
        assertFails(
                admin.describeUserScramCredentials(List.of("alice")).description("alice"),
                ResourceNotFoundException.class);
    }

    @Test
    void shouldRefuseWrongCredentialsAndKeepTheOthers() {
        Map<String, KafkaFuture<Void>> results = admin.alterUserScramCredentials(List.of(
                        upsertion("good", ScramMechanism.SCRAM_SHA_256, 4_096),
                        upsertion("few", ScramMechanism.SCRAM_SHA_256, 4_095),
                        upsertion("many", ScramMechanism.SCRAM_SHA_256, 16_385),
                        upsertion("twice", ScramMechanism.SCRAM_SHA_256, 4_096),
                        upsertion("twice", ScramMechanism.SCRAM_SHA_512, 4_096),
                        new UserScramCredentialDeletion("nobody", ScramMechanism.SCRAM_SHA_256)))
                .values();

        await(results.get("good"));
        assertFails(results.get("few"), UnacceptableCredentialException.class);
        assertFails(results.get("many"), UnacceptableCredentialException.class);
        assertFails(results.get("twice"), DuplicateResourceException.class);
        assertFails(results.get("nobody"), ResourceNotFoundException.class);
    }

    // ---- quotas ----------------------------------------------------------------------------------------------------

    @Test
    void shouldKeepQuotasOfUsersClientsAndAddresses() {
        ClientQuotaEntity user = new ClientQuotaEntity(Map.of("user", "quoted"));
        ClientQuotaEntity both = new ClientQuotaEntity(Map.of("user", "quoted", "client-id", "app"));
        Map<String, @Nullable String> defaultOf = new HashMap<>();
        defaultOf.put("client-id", null);
        ClientQuotaEntity anybody = new ClientQuotaEntity(defaultOf);
        ClientQuotaEntity address = new ClientQuotaEntity(Map.of("ip", "10.0.0.1"));
        await(admin.alterClientQuotas(List.of(
                        alteration(user, "producer_byte_rate", 1_000.0),
                        alteration(both, "consumer_byte_rate", 2_000.0),
                        alteration(anybody, "request_percentage", 12.5),
                        alteration(address, "connection_creation_rate", 5.0)))
                .all());

        assertThat(get(admin.describeClientQuotas(ClientQuotaFilter.all()).entities()))
                .containsEntry(user, Map.of("producer_byte_rate", 1_000.0))
                .containsEntry(both, Map.of("consumer_byte_rate", 2_000.0))
                .containsEntry(anybody, Map.of("request_percentage", 12.5))
                .containsEntry(address, Map.of("connection_creation_rate", 5.0));
        assertThat(quotas(ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntity("user", "quoted")))))
                .containsOnlyKeys(user, both);
        assertThat(quotas(
                        ClientQuotaFilter.containsOnly(List.of(ClientQuotaFilterComponent.ofEntity("user", "quoted")))))
                .containsOnlyKeys(user);
        assertThat(quotas(ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofDefaultEntity("client-id")))))
                .containsOnlyKeys(anybody);
        assertThat(quotas(ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntityType("client-id")))))
                .containsOnlyKeys(anybody, both);

        await(admin.alterClientQuotas(List.of(alteration(user, "producer_byte_rate", null)))
                .all());
        assertThat(quotas(ClientQuotaFilter.all())).doesNotContainKey(user);
    }

    @Test
    void shouldRefuseQuotasThatCannotBe() {
        ClientQuotaEntity user = new ClientQuotaEntity(Map.of("user", "refused"));

        for (ClientQuotaAlteration wrong : List.of(
                alteration(user, "no_such_rate", 1.0),
                alteration(user, "producer_byte_rate", 0.0),
                alteration(user, "producer_byte_rate", 1.5),
                alteration(user, "connection_creation_rate", 1.0),
                alteration(new ClientQuotaEntity(Map.of("planet", "mars")), "producer_byte_rate", 1.0),
                alteration(new ClientQuotaEntity(Map.of("ip", "nowhere")), "connection_creation_rate", 1.0),
                alteration(new ClientQuotaEntity(Map.of("ip", "10.0.0.1", "user", "u")), "producer_byte_rate", 1.0))) {
            assertFails(admin.alterClientQuotas(List.of(wrong)).all(), InvalidRequestException.class);
        }
        await(admin.alterClientQuotas(List.of(alteration(user, "no_such_rate", null)))
                .all());
        assertThat(quotas(ClientQuotaFilter.all())).doesNotContainKey(user);
    }

    // ---- features, ACLs --------------------------------------------------------------------------------------------

    @Test
    void shouldTellAndChangeFeatures() {
        FeatureMetadata features = get(admin.describeFeatures().featureMetadata());
        assertThat(valueIn(features.finalizedFeatures(), "metadata.version").maxVersionLevel())
                .isEqualTo((short) 33);
        assertThat(valueIn(features.finalizedFeatures(), "transaction.version").maxVersionLevel())
                .isEqualTo((short) 2);
        assertThat(features.finalizedFeaturesEpoch()).isPresent();

        await(update("eligible.leader.replicas.version", 0, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE));
        assertThat(get(admin.describeFeatures().featureMetadata()).finalizedFeatures())
                .doesNotContainKey("eligible.leader.replicas.version");
        await(update("eligible.leader.replicas.version", 1, FeatureUpdate.UpgradeType.UPGRADE));
        assertFails(update("group.version", 9, FeatureUpdate.UpgradeType.UPGRADE), InvalidUpdateVersionException.class);
        assertFails(
                update("no.such.version", 1, FeatureUpdate.UpgradeType.UPGRADE), InvalidUpdateVersionException.class);
        assertFails(
                update("metadata.version", 30, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE),
                InvalidUpdateVersionException.class);
    }

    @Test
    void shouldNotPretendToKeepAclsWhereNobodyGoesByThem() {
        assertFails(admin.describeAcls(AclBindingFilter.ANY).values(), SecurityDisabledException.class);
    }

    private static KafkaFuture<Void> update(String feature, int level, FeatureUpdate.UpgradeType type) {
        return admin.updateFeatures(
                        Map.of(feature, new FeatureUpdate((short) level, type)), new UpdateFeaturesOptions())
                .all();
    }

    private static UserScramCredentialUpsertion upsertion(String user, ScramMechanism mechanism, int iterations) {
        return new UserScramCredentialUpsertion(user, new ScramCredentialInfo(mechanism, iterations), "secret");
    }

    private static ClientQuotaAlteration alteration(ClientQuotaEntity entity, String key, @Nullable Double value) {
        return new ClientQuotaAlteration(entity, List.of(new ClientQuotaAlteration.Op(key, value)));
    }

    private static Map<ClientQuotaEntity, Map<String, Double>> quotas(ClientQuotaFilter filter) {
        return get(admin.describeClientQuotas(filter).entities());
    }

    private static ConfigResource topic(String name, Map<String, String> config) {
        await(admin.createTopics(List.of(new NewTopic(name, Optional.of(1), Optional.empty()).configs(config)))
                .all());
        return new ConfigResource(ConfigResource.Type.TOPIC, name);
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), OpType.SET);
    }

    private static AlterConfigOp delete(String key) {
        return new AlterConfigOp(new ConfigEntry(key, ""), OpType.DELETE);
    }

    private static KafkaFuture<Void> tryAlter(ConfigResource resource, AlterConfigOp... operations) {
        return admin.incrementalAlterConfigs(Map.of(resource, List.of(operations)))
                .all();
    }

    private static void alter(ConfigResource resource, AlterConfigOp... operations) {
        await(tryAlter(resource, operations));
    }

    private static ConfigEntry entry(ConfigResource resource, String key) {
        return valueIn(get(admin.describeConfigs(List.of(resource)).all()), resource)
                .get(key);
    }

    private static String value(ConfigResource resource, String key) {
        return entry(resource, key).value();
    }
}
