package io.millrace.jms.internal.naming;

import java.util.ArrayList;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import javax.naming.ServiceUnavailableException;

/** A context that cannot be changed. For any thread. */
@SuppressWarnings("BanJNDI") // it is the context itself, and resolves nothing
public final class ReadOnlyContext implements Context {

    private final NamedObjects objects;
    private final String path;
    private final Hashtable<?, ?> environment;
    private final AtomicBoolean closed;

    /**
     * Makes the root of what is there.
     *
     * @param environment what it was made of; copied
     */
    @SuppressWarnings("JdkObsolete") // JNDI's interfaces want it
    public ReadOnlyContext(NamedObjects objects, Hashtable<?, ?> environment) {
        this(objects, "", new Hashtable<>(environment), new AtomicBoolean());
    }

    private ReadOnlyContext(NamedObjects objects, String path, Hashtable<?, ?> environment, AtomicBoolean closed) {
        this.objects = objects;
        this.path = path;
        this.environment = environment;
        this.closed = closed;
    }

    // ---- reading ----

    @Override
    public Object lookup(String name) throws NamingException {
        checkOpen();
        String full = fullName(name);
        Optional<Object> found = objects.find(full);
        if (found.isPresent()) {
            return found.get();
        }
        if (objects.isContext(full)) {
            return new ReadOnlyContext(objects, full, environment, closed);
        }
        throw new NameNotFoundException("There is no " + quote(full) + "; bound here are "
                + objects.children(path).keySet() + ". Names come from properties connectionFactory.NAME, queue.NAME"
                + " and topic.NAME; dynamicQueues/NAME and dynamicTopics/NAME need none");
    }

    @Override
    public Object lookup(Name name) throws NamingException {
        return lookup(name.toString());
    }

    /** There are no links. */
    @Override
    public Object lookupLink(String name) throws NamingException {
        return lookup(name);
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return lookup(name);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        return enumerate(
                name,
                (child, object) -> new NameClassPair(child, object.getClass().getName()));
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        return list(name.toString());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        return enumerate(name, Binding::new);
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        return listBindings(name.toString());
    }

    private <T> NamingEnumeration<T> enumerate(String name, BiFunction<String, Object, T> item) throws NamingException {
        checkOpen();
        String full = fullName(name);
        if (!objects.isContext(full)) {
            if (objects.find(full).isPresent()) {
                throw new NotContextException(quote(full) + " is an object, which holds no names");
            }
            throw new NameNotFoundException("There is no context " + quote(full));
        }
        List<T> items = new ArrayList<>();
        SortedMap<String, Optional<Object>> children = objects.children(full);
        children.forEach((child, object) -> items.add(item.apply(
                child, object.orElseGet(() -> new ReadOnlyContext(objects, join(full, child), environment, closed)))));
        return new Items<>(items.iterator());
    }

    private String fullName(String name) {
        return name.isEmpty() ? path : join(path, name);
    }

    private static String join(String context, String name) {
        return context.isEmpty() ? name : context + "/" + name;
    }

    private static String quote(String name) {
        String shown = name.length() > 300 ? name.substring(0, 300) + "..." : name;
        return "'" + shown.replaceAll("\\p{Cntrl}", "?") + "'";
    }

    @Override
    public NameParser getNameParser(String name) throws NamingException {
        checkOpen();
        return CompositeName::new;
    }

    @Override
    public NameParser getNameParser(Name name) throws NamingException {
        return getNameParser(name.toString());
    }

    @Override
    public String composeName(String name, String prefix) throws NamingException {
        checkOpen();
        return name.isEmpty() ? prefix : prefix.isEmpty() ? name : prefix + "/" + name;
    }

    @Override
    public Name composeName(Name name, Name prefix) throws NamingException {
        checkOpen();
        return ((Name) prefix.clone()).addAll(name);
    }

    @Override
    public String getNameInNamespace() {
        return path;
    }

    @Override
    @SuppressWarnings("JdkObsolete") // JNDI's interfaces want it
    public Hashtable<?, ?> getEnvironment() throws NamingException {
        checkOpen();
        return new Hashtable<>(environment);
    }

    /** Ends it, with the contexts that were looked up in it; connection factories and destinations stay good. */
    @Override
    public void close() {
        closed.set(true);
    }

    private void checkOpen() throws NamingException {
        if (closed.get()) {
            throw new ServiceUnavailableException("The context is closed");
        }
    }

    // ---- what changes something ----

    private static OperationNotSupportedException readOnly() {
        return new OperationNotSupportedException(
                "The context is read-only: what it holds comes from the properties that it was made of");
    }

    @Override
    public void bind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void bind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(Name from, Name to) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(String from, String to) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Object addToEnvironment(String name, Object value) throws NamingException {
        throw readOnly();
    }

    @Override
    public Object removeFromEnvironment(String name) throws NamingException {
        throw readOnly();
    }

    /** What a context held when it was asked. */
    private record Items<T>(Iterator<T> rest) implements NamingEnumeration<T> {

        @Override
        public boolean hasMore() {
            return rest.hasNext();
        }

        @Override
        public T next() {
            return rest.next();
        }

        @Override
        public boolean hasMoreElements() {
            return rest.hasNext();
        }

        @Override
        public T nextElement() {
            return rest.next();
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
