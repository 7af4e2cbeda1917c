package io.millrace.broker.config;

import io.millrace.coordinator.cursor.RedeliveryPolicy;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.log.CleanerConfig;
import io.millrace.log.LogConfig;
import io.millrace.log.LogConfigKeys;
import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigKeys;
import io.millrace.log.config.ConfigValues;
import io.millrace.log.config.InvalidConfigException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of one broker, read and checked. Whatever a file can set, {@code EmbeddedBroker.builder().config(key, value)} can.
 *
 * <p>A destination may override some of them under the names that {@link #destinationKeys} lists.
 */
public final class BrokerConfig {

    private static final ConfigKeys DESTINATION_KEYS = ReplacedTopicKeys.acceptedBy(BrokerKeys.ALL.perDestination());

    private static final int USUAL_MESSAGE_MAX_BYTES = 64 << 20;

    private final Map<String, String> texts;
    private final ConfigValues values;
    private final List<ListenerConfig> listeners;
    private final ProcessLimits limits;

    private BrokerConfig(
            Map<String, String> texts, ConfigValues values, List<ListenerConfig> listeners, ProcessLimits limits) {
        this.texts = Map.copyOf(texts);
        this.values = values;
        this.listeners = listeners;
        this.limits = limits;
    }

    /**
     * Reads settings.
     *
     * @param texts values by key
     * @throws InvalidConfigException if one is unknown or wrong, or two contradict each other; unknown ones with a suggestion
     */
    public static BrokerConfig of(Map<String, String> texts) {
        return of(texts, ProcessLimits.current());
    }

    /** Reads settings for a process with other limits than this one. */
    static BrokerConfig of(Map<String, String> texts, ProcessLimits limits) {
        RefusedKeys.check(texts);
        Map<String, String> shared = OtherNames.resolved(texts);
        Map<String, Map<String, String>> ofListeners = ListenerList.takePrefixed(shared);
        ConfigValues values = BrokerKeys.ALL.parse(shared);
        BrokerConfig config = new BrokerConfig(texts, values, ListenerList.read(values, ofListeners), limits);
        config.check();
        return config;
    }

    private void check() {
        listeners.forEach(listener -> advertised(listener, 1));
        if (transferPoolBytes() < maxTransferBytes()) {
            throw new InvalidConfigException(
                    BrokerKeys.TRANSFER_POOL_BYTES + " must hold one request of the largest size, "
                            + maxTransferBytes() + " bytes by " + BrokerKeys.JMS_MESSAGE_MAX_BYTES + "; it is "
                            + transferPoolBytes());
        }
    }

    /**
     * Returns this configuration with other values for some keys.
     *
     * @param more values by key
     * @throws InvalidConfigException if one is unknown or wrong, or two contradict each other
     */
    public BrokerConfig with(Map<String, String> more) {
        if (more.isEmpty()) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(texts);
        all.putAll(more);
        return of(all, limits);
    }

    /**
     * Says whether a setting can be changed while the broker runs; see {@link DynamicKeys}.
     */
    public static boolean isDynamic(String key) {
        return DynamicKeys.isDynamic(key);
    }

    /** Returns what was set under a name, whether it has an effect or not. */
    public Optional<String> setText(String name) {
        return Optional.ofNullable(texts.get(name));
    }

    /** Returns what was set for a key, as it would be written in a file. */
    public <T> Optional<String> setText(ConfigKey<T> key) {
        return values.findSet(key).map(key.type()::format);
    }

    /**
     * Returns what applies to a destination, as text, by key: its own settings, the broker's, or defaults; times in the unit of the key.
     * What has no value of its own, such as a flush interval that is not set, is left out.
     *
     * @param origin through which door it was created
     * @param own what the destination sets for itself
     */
    public Map<String, String> effectiveTexts(LogOrigin origin, Map<String, String> own) {
        ConfigValues destination = DESTINATION_KEYS.parse(withDefaults(origin, own));
        LogConfig config = LogConfigKeys.logConfig(values, destination);
        Map<String, String> effective = new LinkedHashMap<>();
        for (ConfigKey<?> key : BrokerKeys.ALL.all()) {
            key.destinationName()
                    .ifPresent(name -> valueText(key, destination).ifPresent(text -> effective.put(name, text)));
        }
        effective.put(LogConfigKeys.ROLL_MS.destinationName().orElseThrow(), String.valueOf(config.rollMs()));
        effective.put(
                LogConfigKeys.ROLL_JITTER_MS.destinationName().orElseThrow(), String.valueOf(config.rollJitterMs()));
        effective.put(LogConfigKeys.RETENTION_MS.destinationName().orElseThrow(), String.valueOf(config.retentionMs()));
        return effective;
    }

    private <T> Optional<String> valueText(ConfigKey<T> key, ConfigValues destination) {
        return destination
                .findSet(key.destinationKey())
                .or(() -> values.find(key))
                .map(key.type()::format);
    }

    /** Returns the keys that queues and topics may set for themselves. */
    public static ConfigKeys destinationKeys() {
        return DESTINATION_KEYS;
    }

    /** Returns the value of a key, or its default. */
    public <T> T get(ConfigKey<T> key) {
        return values.get(key);
    }

    /** Returns the value of a key, or its default; nothing if it has neither. */
    public <T> Optional<T> find(ConfigKey<T> key) {
        return values.find(key);
    }

    /** Returns what somebody should be told about the settings, such as obsolete ones. */
    public List<String> warnings() {
        return values.warnings();
    }

    /** Returns the settings that were made, as {@code key=value} separated by blanks, in the order of the documentation. */
    public String overrides() {
        StringBuilder set = new StringBuilder();
        for (ConfigKey<?> key : BrokerKeys.ALL.all()) {
            if (values.findSet(key).isPresent()) {
                set.append(set.isEmpty() ? "" : " ")
                        .append(key.name())
                        .append('=')
                        .append(ListenerKeys.SECRETS.contains(key.name()) ? "[hidden]" : textOf(key));
            }
        }
        return set.toString();
    }

    /** Returns the listeners, at least one. */
    public List<ListenerConfig> listeners() {
        return listeners;
    }

    /** Returns where the first listener listens. */
    public ListenerAddress listener() {
        return listeners.getFirst().address();
    }

    /** Returns what clients of the first listener are told to connect to. */
    public ListenerAddress advertised(int boundPort) {
        return advertised(listeners.getFirst(), boundPort);
    }

    /**
     * Returns what clients of a listener are told to connect to.
     *
     * @param boundPort the port that the listener listens on
     */
    public ListenerAddress advertised(ListenerConfig listener, int boundPort) {
        for (String text : values.findSet(BrokerKeys.ADVERTISED_LISTENERS).orElse(List.of())) {
            ListenerAddress.Named named = ListenerAddress.parse(BrokerKeys.ADVERTISED_LISTENERS.name(), text);
            if (named.name().equals(listener.name())) {
                ListenerAddress address = named.address();
                return address.port() == 0 ? new ListenerAddress(address.host(), boundPort) : address;
            }
        }
        String host = listener.address().host();
        return new ListenerAddress(host.equals("0.0.0.0") ? "127.0.0.1" : host, boundPort);
    }

    /** Returns whether access control lists decide who may do what. */
    public boolean authorizes() {
        return get(SecurityKeys.AUTHORIZER_ENABLED)
                || !get(SecurityKeys.AUTHORIZER_CLASS).isEmpty();
    }

    /** Returns how many threads serve the sockets. */
    public int networkThreads() {
        return values.find(BrokerKeys.NUM_NETWORK_THREADS)
                .orElseGet(() -> Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    /** Returns how many shards own the partitions. */
    public int shards() {
        return values.find(BrokerKeys.NUM_IO_THREADS).orElseGet(this::networkThreads);
    }

    /** Returns the largest frame that may travel in chunks: the largest batch and the fields before it. */
    public int maxTransferBytes() {
        return messageMaxBytes() + 1_024;
    }

    private int messageMaxBytes() {
        return values.find(BrokerKeys.JMS_MESSAGE_MAX_BYTES)
                .orElseGet(() -> Math.max(1 << 20, (int) limits.heapShare(8, USUAL_MESSAGE_MAX_BYTES)));
    }

    /** Returns the memory for requests that travel in chunks. */
    public long transferPoolBytes() {
        return values.find(BrokerKeys.TRANSFER_POOL_BYTES)
                .orElseGet(() -> Math.max(maxTransferBytes(), limits.heapShare(4, Long.MAX_VALUE)));
    }

    /** Returns how many bytes of requests may be in work for all connections together. */
    public long queuedMaxRequestBytes() {
        return share(BrokerKeys.QUEUED_MAX_REQUEST_BYTES);
    }

    /** Returns how many bytes may wait for all clients together to read them. */
    public long brokerOutboundBytes() {
        return share(BrokerKeys.BROKER_OUTBOUND_BYTES);
    }

    /** Returns the memory in which cursors note what they have lent. */
    public long cursorLentBytes() {
        return share(BrokerKeys.CURSOR_LENT_BYTES, 16);
    }

    /** Returns the memory for the messages of all temporary destinations. */
    public long temporaryBytes() {
        return share(BrokerKeys.TEMPORARY_MAX_BYTES);
    }

    /** Returns how much of it one of them may take. */
    public int temporaryDestinationBytes() {
        return values.find(BrokerKeys.TEMPORARY_DESTINATION_MAX_BYTES)
                .orElseGet(() -> (int) Math.min(16 << 20, temporaryBytes() / 8));
    }

    private long share(ConfigKey<Long> key) {
        return share(key, 8);
    }

    private long share(ConfigKey<Long> key, int divisor) {
        return values.find(key).orElseGet(() -> Math.max(1 << 20, limits.heapShare(divisor, Long.MAX_VALUE)));
    }

    /** Returns how many files of logs are held open at most. */
    public int openLogFiles() {
        return values.findSet(LogConfigKeys.OPEN_FILES_MAX).orElseGet(limits::logFiles);
    }

    /** Returns how many connections there may be: as many as the settings say, and the process has room for. */
    public int maxConnections() {
        return Math.min(get(BrokerKeys.MAX_CONNECTIONS), limits.connections(openLogFiles()));
    }

    /**
     * Returns the settings of one log.
     *
     * @param origin through which door it was created
     * @param own what the destination sets for itself
     * @throws InvalidConfigException if it sets something that it cannot, or to a wrong value
     */
    public LogConfig logConfig(LogOrigin origin, Map<String, String> own) {
        return LogConfigKeys.logConfig(values, DESTINATION_KEYS.parse(withDefaults(origin, own)));
    }

    /**
     * Says which settings of a destination contradict each other.
     *
     * @param own what the destination sets for itself, each of which it may set
     */
    public Optional<String> contradictionOfDestination(Map<String, String> own) {
        return LogConfigKeys.contradiction(values, DESTINATION_KEYS.parse(own));
    }

    /** Returns what applies to logs that were created through a door and do not set it, where that differs from the broker's settings. */
    public Map<String, String> originDefaults(LogOrigin origin) {
        return new OriginDefaults(values, messageMaxBytes()).of(origin);
    }

    private Map<String, String> withDefaults(LogOrigin origin, Map<String, String> own) {
        Map<String, String> all = new HashMap<>(originDefaults(origin));
        all.putAll(own);
        return all;
    }

    /** Returns how logs are compacted. */
    public CleanerConfig cleaner() {
        return CleanerConfig.of(values);
    }

    /** Returns how long the records of a queue stay after they were consumed, in milliseconds. */
    public long consumedRetentionMs(Map<String, String> own) {
        return setThereOrHere(BrokerKeys.CONSUMED_RETENTION_MS, DESTINATION_KEYS.parse(own));
    }

    /** Returns how long the messages of a destination rest that came back unacknowledged. */
    public RedeliveryPolicy redelivery(Map<String, String> own) {
        ConfigValues destination = DESTINATION_KEYS.parse(own);
        return new RedeliveryPolicy(
                setThereOrHere(RedeliveryKeys.DELAY_MS, destination),
                setThereOrHere(RedeliveryKeys.MULTIPLIER, destination),
                setThereOrHere(RedeliveryKeys.MAX_DELAY_MS, destination),
                setThereOrHere(RedeliveryKeys.JITTER, destination));
    }

    private <T> T setThereOrHere(ConfigKey<T> key, ConfigValues destination) {
        return destination.findSet(key.destinationKey()).orElseGet(() -> get(key));
    }

    /** Returns all settings of a destination as text, by key: its own, and what applies where it sets none. */
    public Map<String, String> destinationTexts(LogOrigin origin, Map<String, String> own) {
        ConfigValues destination = DESTINATION_KEYS.parse(withDefaults(origin, own));
        Map<String, String> texts = new LinkedHashMap<>();
        for (ConfigKey<?> key : BrokerKeys.ALL.all()) {
            key.destinationName().ifPresent(name -> texts.put(name, textOf(key, destination)));
        }
        // Those that go by another setting, as log.roll.hours, have its value.
        texts.putAll(effectiveTexts(origin, own));
        return texts;
    }

    /** Returns the value of a key as it would be written in a file, or what applies instead of one. */
    public <T> String textOf(ConfigKey<T> key) {
        return values.find(key).map(key.type()::format).orElse(key.defaultText());
    }

    private <T> String textOf(ConfigKey<T> key, ConfigValues destination) {
        return destination.findSet(key.destinationKey()).map(key.type()::format).orElseGet(() -> textOf(key));
    }
}
