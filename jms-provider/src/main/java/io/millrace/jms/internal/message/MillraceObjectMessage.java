package io.millrace.jms.internal.message;

import io.millrace.wire.message.MessageBody;
import io.millrace.wire.message.StoredMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A serialized object (Jakarta Messaging 3.11.3), or none. It is serialized when it is set, so later changes of the object do not
 * reach the message; each {@link #getObject} deserializes it anew.
 */
final class MillraceObjectMessage extends MillraceMessage implements ObjectMessage {
    private final TrustedClasses trusted;
    private MessageBody body = MessageBody.absentObject();

    /** Whether this program wrote the body itself: then its classes are not in question. */
    private boolean ours = true;

    MillraceObjectMessage(TrustedClasses trusted) {
        this.trusted = trusted;
    }

    MillraceObjectMessage(StoredMessage stored, Delivery delivery, TrustedClasses trusted) {
        super(stored, delivery);
        this.trusted = trusted;
        this.body = stored.body();
        this.ours = false;
    }

    @Override
    public void setObject(@Nullable Serializable object) throws JMSException {
        checkBodyWriteable();
        body = serialize(object);
        ours = true;
    }

    static MessageBody serialize(@Nullable Serializable object) throws MessageFormatException {
        if (object == null) {
            return MessageBody.absentObject();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException e) {
            throw Failures.format(
                    "an object of class " + object.getClass().getName() + " cannot be serialized: " + e, e);
        } catch (StackOverflowError e) {
            throw new MessageFormatException(
                    "an object of class " + object.getClass().getName()
                            + " cannot be serialized: it is nested too deeply for this thread's stack");
        }
        return MessageBody.object(ByteBuffer.wrap(bytes.toByteArray()));
    }

    @Override
    public @Nullable Serializable getObject() throws JMSException {
        if (body.sizeBytes() == 0) {
            return null;
        }
        return TrustedObjectInput.read(body.bytes(), ours ? TrustedClasses.ALL : trusted);
    }

    @Override
    @Nullable
    Object body(Class<?> wanted) throws JMSException {
        return getObject();
    }

    @Override
    void clearContent() {
        body = MessageBody.absentObject();
        ours = true;
    }

    @Override
    MessageBody bodyToSend() {
        return body;
    }
}
