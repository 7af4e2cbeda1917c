package io.millrace.broker.internal.metrics;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.jmx.JmxReporter;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.jmx.JmxConfig;
import io.micrometer.jmx.JmxMeterRegistry;
import java.util.regex.Pattern;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Micrometer's registry for JMX, with object names that say the same as a line of Prometheus would: {@code
 * io.millrace:name=millrace_messages_in_total,broker=1}, and where it applies {@code ,destination="orders",kind=queue}.
 */
final class JmxRegistry {

    private static final String DOMAIN = "io.millrace";

    /** Values that an object name takes without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[a-zA-Z0-9_. -]+");

    private JmxRegistry() {}

    static MeterRegistry create(int brokerId) {
        MetricRegistry metrics = new MetricRegistry();
        JmxReporter reporter = JmxReporter.forRegistry(metrics)
                .inDomain(DOMAIN)
                .createsObjectNamesWith((type, domain, name) -> objectName(name))
                .build();
        JmxMeterRegistry registry =
                new JmxMeterRegistry(JmxConfig.DEFAULT, Clock.SYSTEM, JmxRegistry::properties, metrics, reporter);
        registry.config().namingConvention(new PrometheusNames()).commonTags("broker", Integer.toString(brokerId));
        return registry;
    }

    /** The name of a meter among Dropwizard's: the properties of its object name. */
    private static String properties(Meter.Id id, NamingConvention convention) {
        StringBuilder properties = new StringBuilder(64).append("name=").append(id.getConventionName(convention));
        // In the order of their keys; a tag that is called as the meter's name is none of ours.
        for (Tag tag : Tags.of(id.getConventionTags(convention))) {
            properties.append(',').append(tag.getKey()).append('=').append(value(tag.getValue()));
        }
        return properties.toString();
    }

    private static String value(String text) {
        boolean plain = PLAIN.matcher(text).matches();
        return plain ? text : ObjectName.quote(text);
    }

    private static ObjectName objectName(String properties) {
        try {
            return new ObjectName(DOMAIN + ":" + properties);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("no object name: " + properties, e);
        }
    }

    /** Dots become underscores; the unit stands last, and behind it what says that a number only grows. */
    static final class PrometheusNames implements NamingConvention {

        @Override
        public String name(String name, Meter.Type type, @Nullable String baseUnit) {
            StringBuilder result = new StringBuilder(name.replace('.', '_'));
            if (type == Meter.Type.TIMER) {
                result.append("_seconds");
            } else if (baseUnit != null && !name.endsWith("." + baseUnit)) {
                result.append('_').append(baseUnit);
            }
            boolean summary = name.endsWith(".count") || name.endsWith(".sum");
            if (type == Meter.Type.COUNTER && !summary) {
                result.append("_total");
            }
            return result.toString();
        }

        @Override
        public String tagKey(String key) {
            return key.replace('.', '_');
        }
    }
}
