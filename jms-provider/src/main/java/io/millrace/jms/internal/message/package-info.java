/**
 * The messages of the Jakarta Messaging client: its six message interfaces, on the neutral messages of
 * {@link io.millrace.wire.message}.
 *
 * <p>Read {@link io.millrace.jms.internal.message.MessageFactory} first: sessions create empty messages with it, producers turn
 * any message (foreign ones too) into what is sent, consumers turn records into messages. As Jakarta Messaging demands of
 * applications, a message is used by one thread at a time; nothing here synchronizes.
 */
@NullMarked
package io.millrace.jms.internal.message;

import org.jspecify.annotations.NullMarked;
