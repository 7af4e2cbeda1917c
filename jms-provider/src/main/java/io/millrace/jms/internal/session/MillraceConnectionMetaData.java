package io.millrace.jms.internal.session;

import io.millrace.jms.internal.message.MessageFactory;
import jakarta.jms.ConnectionMetaData;
import java.util.Collections;
import java.util.Enumeration;

/** Versions, and the JMSX properties that are supported. */
public final class MillraceConnectionMetaData implements ConnectionMetaData {

    /** Of a class directory, which has no manifest. */
    private static final String DEVELOPMENT_VERSION = "0.1.0";

    /** Returns the version of this library. */
    public static String version() {
        String version = MillraceConnectionMetaData.class.getPackage().getImplementationVersion();
        return version == null ? DEVELOPMENT_VERSION : version;
    }

    @Override
    public String getJMSVersion() {
        return "3.1";
    }

    @Override
    public int getJMSMajorVersion() {
        return 3;
    }

    @Override
    public int getJMSMinorVersion() {
        return 1;
    }

    @Override
    public String getJMSProviderName() {
        return "Millrace";
    }

    @Override
    public String getProviderVersion() {
        return version();
    }

    @Override
    public int getProviderMajorVersion() {
        return numberAt(0);
    }

    @Override
    public int getProviderMinorVersion() {
        return numberAt(1);
    }

    @Override
    public Enumeration<String> getJMSXPropertyNames() {
        return Collections.enumeration(MessageFactory.JMSX_PROPERTY_NAMES);
    }

    private static int numberAt(int index) {
        String[] parts = version().split("[.-]", -1);
        return index < parts.length && parts[index].matches("\\d{1,9}") ? Integer.parseInt(parts[index]) : 0;
    }
}
