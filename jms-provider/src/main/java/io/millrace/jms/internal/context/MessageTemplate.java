package io.millrace.jms.internal.context;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** A message whose properties and header fields go onto every message that a producer sends (Jakarta Messaging 7.5, 7.6). */
final class MessageTemplate {
    private final Message message;
    private final Set<String> propertyNames = Collections.unmodifiableSet(new PropertyNames());

    /**
     * Makes a template.
     *
     * @param message a new one, which is never sent
     */
    MessageTemplate(Message message) {
        this.message = message;
    }

    Message message() {
        return message;
    }

    /** Returns a view. */
    Set<String> propertyNames() {
        return propertyNames;
    }

    /**
     * Overrides what a message says where the template says something.
     *
     * @throws jakarta.jms.MessageNotWriteableException if the template has properties and those of the message are read-only
     */
    void applyTo(Message target) throws JMSException {
        for (String name : names()) {
            target.setObjectProperty(name, message.getObjectProperty(name));
        }
        applyCorrelationId(target);
        String type = message.getJMSType();
        if (type != null) {
            target.setJMSType(type);
        }
        Destination replyTo = message.getJMSReplyTo();
        if (replyTo != null) {
            target.setJMSReplyTo(replyTo);
        }
    }

    /** Text reads as bytes too, but bytes need not be text. */
    private void applyCorrelationId(Message target) throws JMSException {
        String text = message.getJMSCorrelationID();
        if (text != null) {
            target.setJMSCorrelationID(text);
            return;
        }
        byte[] bytes = message.getJMSCorrelationIDAsBytes();
        if (bytes != null) {
            target.setJMSCorrelationIDAsBytes(bytes);
        }
    }

    private List<String> names() throws JMSException {
        List<String> names = new ArrayList<>();
        Enumeration<?> all = message.getPropertyNames();
        while (all.hasMoreElements()) {
            names.add((String) all.nextElement());
        }
        return names;
    }

    /** A change of the template. */
    @FunctionalInterface
    interface Change {
        void make(Message message) throws JMSException;
    }

    private final class PropertyNames extends AbstractSet<String> {
        @Override
        public Iterator<String> iterator() {
            return Unchecked.call(MessageTemplate.this::names).iterator();
        }

        @Override
        public int size() {
            return Unchecked.call(MessageTemplate.this::names).size();
        }
    }
}
