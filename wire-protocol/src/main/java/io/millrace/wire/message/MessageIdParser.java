package io.millrace.wire.message;

import java.util.UUID;

/** Recognizes the two forms of ids that Millrace makes. Lenient: {@link MessageId#parse} compares the result with the text. */
final class MessageIdParser {
    private static final int UUID_START = MessageId.PREFIX.length();
    private static final int UUID_END = UUID_START + 36;

    private MessageIdParser() {}

    static MessageId parse(String text) {
        if (text.startsWith(MessageId.PREFIX) && text.length() > UUID_END + 1) {
            try {
                UUID uuid = UUID.fromString(text.substring(UUID_START, UUID_END));
                String rest = text.substring(UUID_END + 1);
                char separator = text.charAt(UUID_END);
                if (separator == ':') {
                    return new MessageId.Client(uuid, Long.parseLong(rest));
                }
                int slash = rest.indexOf('/');
                if (separator == '/' && slash > 0) {
                    int partition = Integer.parseInt(rest.substring(0, slash));
                    return new MessageId.Position(uuid, partition, Long.parseLong(rest.substring(slash + 1)));
                }
            } catch (IllegalArgumentException notOurs) {
                // no UUID, no number, or a negative one: somebody else's id, which is as good as any
                return new MessageId.Text(text);
            }
        }
        return new MessageId.Text(text);
    }
}
