package io.millrace.jms;

import jakarta.jms.InvalidDestinationException;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;

/** Makes the destinations and connection factories again that were bound in a JNDI directory as references. Called by JNDI. */
public final class MillraceObjectFactory implements ObjectFactory {
    static final String NAME_ADDRESS = "name";
    static final String URL_ADDRESS = "url";

    /** Makes a factory, as JNDI does. */
    public MillraceObjectFactory() {}

    /**
     * Makes what a reference refers to.
     *
     * @return {@code null} if it is not one of ours, as JNDI asks for
     * @throws InvalidDestinationException if it has a name that no destination can have
     */
    @Override
    @SuppressWarnings({"JdkObsolete", "NonApiType"}) // the interface has it so
    public @Nullable Object getObjectInstance(
            Object object, @Nullable Name name, @Nullable Context context, @Nullable Hashtable<?, ?> environment)
            throws InvalidDestinationException {
        if (!(object instanceof Reference reference)) {
            return null;
        }
        if (reference.getClassName().equals(MillraceConnectionFactory.class.getName())) {
            RefAddr url = reference.get(URL_ADDRESS);
            return url != null && url.getContent() instanceof String text ? new MillraceConnectionFactory(text) : null;
        }
        RefAddr address = reference.get(NAME_ADDRESS);
        if (address == null || !(address.getContent() instanceof String destination)) {
            return null;
        }
        if (reference.getClassName().equals(MillraceQueue.class.getName())) {
            return new MillraceQueue(destination);
        }
        return reference.getClassName().equals(MillraceTopic.class.getName()) ? new MillraceTopic(destination) : null;
    }
}
