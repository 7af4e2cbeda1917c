package io.millrace.broker.internal.transaction.narayana.isolated;

import com.arjuna.common.util.propertyservice.AbstractPropertiesFactory;
import java.io.InputStream;
import java.util.Properties;

/** No file, and no system property: those are an application's, for its own transaction manager. Spares reading XML, too. */
final class NoProperties extends AbstractPropertiesFactory {

    @Override
    public Properties getDefaultProperties() {
        return new Properties();
    }

    @Override
    public Properties getPropertiesFromFile(String file, ClassLoader loader) {
        return new Properties();
    }

    @Override
    protected Properties loadFromXML(Properties properties, InputStream in) {
        return properties;
    }
}
