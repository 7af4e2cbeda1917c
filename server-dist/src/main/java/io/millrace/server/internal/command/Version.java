package io.millrace.server.internal.command;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
final class Version implements IVersionProvider {

    static String text() {
        return Objects.requireNonNullElse(Version.class.getPackage().getImplementationVersion(), "development build");
    }

    @Override
    public String[] getVersion() {
        return new String[] {"millrace " + text() + " (Java " + Runtime.version() + ")"};
    }
}
