package io.millrace.server.internal.command;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.name.DestinationKind;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Of commands that send to a destination or receive from it: which one, and the broker that has it. */
final class DestinationOptions {
    @Parameters(
            paramLabel = "DEST",
            description = DestinationReference.HELP,
            converter = DestinationReference.Converter.class)
    private DestinationReference reference = new DestinationReference(Optional.empty(), "");

    @Mixin
    private ServerOption server = new ServerOption();

    /** Returns what was typed. */
    DestinationReference reference() {
        return reference;
    }

    MillraceAdmin connectAdmin() {
        return server.connectAdmin();
    }

    MillraceConnectionFactory connectionFactory() {
        return server.connectionFactory();
    }

    /** Asks the broker which kind it is, unless that was typed. */
    DestinationKind resolveKind() {
        try (MillraceAdmin admin = connectAdmin()) {
            return reference.resolveKind(admin);
        }
    }
}
