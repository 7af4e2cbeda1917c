package io.millrace.server.internal.command;

import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.jms.admin.MillraceAdminException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A destination as the command line names it: {@code queue:NAME}, {@code topic:NAME}, or a bare name. */
record DestinationReference(Optional<DestinationKind> kind, String name) {
    static final String HELP =
            "queue:NAME, topic:NAME, or the bare name of an existing destination; a bare name that does not exist is a new queue.";

    /** Reads it from an argument. */
    static final class Converter implements ITypeConverter<DestinationReference> {
        @Override
        public DestinationReference convert(String text) {
            int colon = text.indexOf(':');
            String name = text.substring(colon + 1);
            if (name.isEmpty()) {
                throw new TypeConversionException(
                        "'" + text + "' names no destination; write queue:NAME or topic:NAME");
            }
            if (colon < 0) {
                return new DestinationReference(Optional.empty(), name);
            }
            return switch (text.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "queue" -> new DestinationReference(Optional.of(DestinationKind.QUEUE), name);
                case "topic" -> new DestinationReference(Optional.of(DestinationKind.TOPIC), name);
                default -> throw new TypeConversionException("'" + text + "' must start with queue: or topic:");
            };
        }
    }

    /** Which kind it is: as said, else as it exists, else a queue. */
    DestinationKind resolveKind(MillraceAdmin admin) {
        return kind.orElseGet(() -> {
            try {
                return admin.describe(Optional.empty(), name).kind();
            } catch (MillraceAdminException unknown) {
                if (unknown.code().equals(Optional.of(ErrorCode.DESTINATION_NOT_FOUND))) {
                    return DestinationKind.QUEUE;
                }
                throw unknown;
            }
        });
    }

    Destination destination(Session session, DestinationKind resolved) throws JMSException {
        return switch (resolved) {
            case QUEUE -> session.createQueue(name);
            case TOPIC -> session.createTopic(name);
        };
    }

    @Override
    public String toString() {
        return kind.map(known -> known.word() + ":").orElse("") + name;
    }
}
