package io.millrace.broker.internal.destination;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.DynamicKeys;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.MetadataListener;
import io.millrace.coordinator.metadata.MetadataRecord;
import io.millrace.log.config.InvalidConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The broker's settings as they are now: those of its file, changed by what was set for all brokers and for this one while they ran. Read from
 * any thread; changes on the metadata's executor, before anybody who is told of the same change later.
 */
public final class LiveConfig implements MetadataListener {

    private static final Logger LOG = LoggerFactory.getLogger(LiveConfig.class);

    private final BrokerConfig file;
    private final int brokerId;
    private final List<Consumer<BrokerConfig>> listeners = new CopyOnWriteArrayList<>();
    private volatile BrokerConfig current;

    /** @param file what the broker was started with */
    public LiveConfig(BrokerConfig file, int brokerId) {
        this.file = file;
        this.brokerId = brokerId;
        this.current = file;
    }

    /** Has somebody told of the settings whenever they change; on the metadata's executor. Before the metadata begins. */
    public void onChange(Consumer<BrokerConfig> listener) {
        listeners.add(listener);
    }

    /** Returns the settings that apply now. */
    public BrokerConfig current() {
        return current;
    }

    @Override
    public void onCommitted(MetadataImage before, MetadataImage after, List<MetadataRecord> records) {
        apply(before, after);
    }

    @Override
    public void onReset(MetadataImage before, MetadataImage after) {
        apply(before, after);
    }

    private void apply(MetadataImage before, MetadataImage after) {
        Map<String, String> set = overrides(after);
        if (set.equals(overrides(before))) {
            return;
        }
        try {
            current = file.with(set);
            listeners.forEach(listener -> listener.accept(current));
            warnOfNoEffect(set, overrides(before));
            LOG.atInfo()
                    .addKeyValue("event", "config_changed")
                    .addKeyValue("settings", set)
                    .log("Settings of the broker are changed while it runs");
        } catch (InvalidConfigException e) {
            // Each value was checked when it was set; the file may contradict it since.
            LOG.atError()
                    .addKeyValue("event", "config_not_changed")
                    .addKeyValue("settings", set)
                    .addKeyValue("cause", e.getMessage())
                    .log(
                            "Settings that were changed while brokers ran do not fit this broker's file, and are left out");
        }
    }

    private static void warnOfNoEffect(Map<String, String> set, Map<String, String> before) {
        set.forEach((key, value) -> {
            if (!value.equals(before.get(key))) {
                DynamicKeys.withoutEffect(key)
                        .ifPresent(why -> LOG.atWarn()
                                .addKeyValue("event", "config_without_effect")
                                .addKeyValue("setting", key)
                                .log("A setting was set while the broker runs, and has no effect: {}", why));
            }
        });
    }

    private Map<String, String> overrides(MetadataImage image) {
        Map<String, String> set = new HashMap<>(image.config(new ConfigScope.Cluster()));
        set.putAll(image.config(new ConfigScope.Broker(brokerId)));
        return set;
    }
}
