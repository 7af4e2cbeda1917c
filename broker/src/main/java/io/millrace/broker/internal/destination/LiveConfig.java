package io.millrace.broker.internal.destination;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.MetadataListener;
import io.millrace.coordinator.metadata.MetadataRecord;
import io.millrace.log.config.InvalidConfigException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private volatile BrokerConfig current;

    /** @param file what the broker was started with */
    public LiveConfig(BrokerConfig file, int brokerId) {
        this.file = file;
        this.brokerId = brokerId;
        this.current = file;
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

    private Map<String, String> overrides(MetadataImage image) {
        Map<String, String> set = new HashMap<>(image.config(new ConfigScope.Cluster()));
        set.putAll(image.config(new ConfigScope.Broker(brokerId)));
        return set;
    }
}
