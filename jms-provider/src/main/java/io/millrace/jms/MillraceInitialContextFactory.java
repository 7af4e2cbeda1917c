package io.millrace.jms;

import io.millrace.jms.internal.naming.NamedObjects;
import io.millrace.jms.internal.naming.ReadOnlyContext;
import jakarta.jms.InvalidDestinationException;
import java.util.Hashtable;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.InvalidNameException;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * JNDI without a server: connection factories and destinations by names that properties give, for programs that look them up (Jakarta Messaging 5).
 *
 * <pre>
 * java.naming.factory.initial = io.millrace.jms.MillraceInitialContextFactory
 * java.naming.provider.url    = millrace://host:9092        of factories without a URL of their own
 * connectionFactory.NAME      = millrace://host:9092?...    empty: the provider's URL
 * queue.NAME                  = orders                      empty: NAME itself
 * topic.NAME                  = prices
 * </pre>
 *
 * Without a {@code connectionFactory.NAME} there are {@code ConnectionFactory}, {@code QueueConnectionFactory}, {@code TopicConnectionFactory} and
 * {@code XAConnectionFactory}, by the provider's URL. {@code dynamicQueues/NAME} and {@code dynamicTopics/NAME} are there for every name.
 * {@code java.naming.security.principal} and {@code .credentials} are user and password of factories whose URL names none. A name may have
 * slashes ({@code queue.jms/orders}); what stands before one is a context. For any thread.
 */
public final class MillraceInitialContextFactory implements InitialContextFactory {

    private static final String DEFAULT_URL = "millrace://localhost:9092";

    private static final String FACTORY_PREFIX = "connectionFactory.";
    private static final String QUEUE_PREFIX = "queue.";
    private static final String TOPIC_PREFIX = "topic.";

    /**
     * Makes a read-only context of properties.
     *
     * @param environment the properties; others than these are passed over
     * @throws ConfigurationException if a URL or the name of a destination is none; says in which property
     */
    @Override
    @SuppressWarnings("JdkObsolete") // JNDI's interfaces want it
    public Context getInitialContext(@Nullable Hashtable<?, ?> environment) throws NamingException {
        Hashtable<?, ?> properties = environment == null ? new Hashtable<>() : environment;
        SortedMap<String, Object> bound = new TreeMap<>();
        boolean factories = false;
        for (Map.Entry<?, ?> entry : properties.entrySet()) {
            if (entry.getKey() instanceof String key && entry.getValue() instanceof String text) {
                String value = text.strip();
                if (key.startsWith(FACTORY_PREFIX)) {
                    factories = true;
                    put(
                            bound,
                            key,
                            FACTORY_PREFIX,
                            factory(key, value.isEmpty() ? url(properties) : value, properties));
                } else if (key.startsWith(QUEUE_PREFIX)) {
                    put(bound, key, QUEUE_PREFIX, destination(key, QUEUE_PREFIX, value, MillraceQueue::new));
                } else if (key.startsWith(TOPIC_PREFIX)) {
                    put(bound, key, TOPIC_PREFIX, destination(key, TOPIC_PREFIX, value, MillraceTopic::new));
                }
            }
        }
        if (!factories) {
            MillraceConnectionFactory factory = factory(Context.PROVIDER_URL, url(properties), properties);
            bound.putIfAbsent("ConnectionFactory", factory);
            bound.putIfAbsent("QueueConnectionFactory", factory);
            bound.putIfAbsent("TopicConnectionFactory", factory);
            bound.putIfAbsent("XAConnectionFactory", factory);
        }
        SortedMap<String, NamedObjects.Maker> dynamic = new TreeMap<>();
        dynamic.put("dynamicQueues", name -> dynamic(name, MillraceQueue::new));
        dynamic.put("dynamicTopics", name -> dynamic(name, MillraceTopic::new));
        return new ReadOnlyContext(new NamedObjects(bound, dynamic), properties);
    }

    private static String url(Hashtable<?, ?> properties) {
        return properties.get(Context.PROVIDER_URL) instanceof String url && !url.isBlank() ? url.strip() : DEFAULT_URL;
    }

    private static void put(SortedMap<String, Object> bound, String key, String prefix, Object object)
            throws ConfigurationException {
        String name = key.substring(prefix.length());
        if (name.isEmpty() || name.startsWith("/") || name.endsWith("/")) {
            throw new ConfigurationException("Property " + key + ": a name stands behind " + prefix
                    + ", without a slash at its beginning or end");
        }
        if (bound.putIfAbsent(name, object) != null) {
            throw new ConfigurationException("Property " + key + ": another property binds the name " + name + " too");
        }
    }

    private static MillraceConnectionFactory factory(String property, String url, Hashtable<?, ?> properties)
            throws ConfigurationException {
        try {
            MillraceConnectionFactory factory = new MillraceConnectionFactory(url);
            if (properties.get(Context.SECURITY_PRINCIPAL) instanceof String user
                    && factory.getUser().isEmpty()) {
                factory.setUser(user);
                if (properties.get(Context.SECURITY_CREDENTIALS) instanceof String password) {
                    factory.setPassword(password);
                }
            }
            return factory;
        } catch (IllegalArgumentException bad) {
            throw because(new ConfigurationException("Property " + property + ": " + bad.getMessage()), bad);
        }
    }

    @FunctionalInterface
    private interface DestinationMaker {
        MillraceDestination make(String name) throws InvalidDestinationException;
    }

    private static MillraceDestination destination(String key, String prefix, String value, DestinationMaker maker)
            throws ConfigurationException {
        try {
            return maker.make(value.isEmpty() ? key.substring(prefix.length()) : value);
        } catch (InvalidDestinationException bad) {
            throw because(new ConfigurationException("Property " + key + ": " + bad.getMessage()), bad);
        }
    }

    private static MillraceDestination dynamic(String name, DestinationMaker maker) throws InvalidNameException {
        try {
            return maker.make(name);
        } catch (InvalidDestinationException bad) {
            throw because(new InvalidNameException(bad.getMessage()), bad);
        }
    }

    private static <E extends NamingException> E because(E failure, Throwable cause) {
        failure.setRootCause(cause);
        return failure;
    }
}
