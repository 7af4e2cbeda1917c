package io.millrace.jms.internal.message;

import io.millrace.wire.message.MalformedMessageException;
import io.millrace.wire.message.MessageBody;
import io.millrace.wire.message.StoredMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.TextMessage;
import org.jspecify.annotations.Nullable;

/** Text (Jakarta Messaging 3.11.3), or none. Received text is decoded when it is asked for, and sent on without that. */
final class MillraceTextMessage extends MillraceMessage implements TextMessage {
    private @Nullable String text;
    private @Nullable MessageBody undecoded;

    MillraceTextMessage(@Nullable String text) {
        this.text = text;
    }

    MillraceTextMessage(StoredMessage stored, Delivery delivery) {
        super(stored, delivery);
        undecoded = stored.body();
    }

    @Override
    public void setText(@Nullable String value) throws JMSException {
        checkBodyWriteable();
        undecoded = null;
        text = value;
    }

    @Override
    public @Nullable String getText() throws JMSException {
        if (undecoded != null) {
            try {
                text = undecoded.text().orElse(null);
            } catch (MalformedMessageException e) {
                throw Failures.unreadable(e);
            }
            undecoded = null;
        }
        return text;
    }

    @Override
    @Nullable
    Object body(Class<?> wanted) throws JMSException {
        String body = getText();
        if (body != null && !wanted.isInstance(body)) {
            throw new MessageFormatException(notAssignable(wanted));
        }
        return body;
    }

    @Override
    void clearContent() {
        undecoded = null;
        text = null;
    }

    @Override
    MessageBody bodyToSend() {
        if (undecoded != null) {
            return undecoded;
        }
        return text == null ? MessageBody.absentText() : MessageBody.text(text);
    }
}
