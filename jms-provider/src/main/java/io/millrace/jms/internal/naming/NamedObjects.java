package io.millrace.jms.internal.naming;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.naming.NamingException;

/** Objects by name, of which a part before a slash names a context. Immutable, for any thread. */
public final class NamedObjects {

    /** Makes an object for a name that nobody has bound. */
    @FunctionalInterface
    public interface Maker {
        /**
         * Makes it.
         *
         * @param name what stands behind the slash, not empty
         * @throws NamingException if there can be no such object
         */
        Object make(String name) throws NamingException;
    }

    private final SortedMap<String, Object> bound;
    private final SortedMap<String, Maker> dynamic;

    /**
     * Takes what there is.
     *
     * @param bound objects by name
     * @param dynamic names of contexts in which every name is an object
     */
    public NamedObjects(SortedMap<String, Object> bound, SortedMap<String, Maker> dynamic) {
        this.bound = new TreeMap<>(bound);
        this.dynamic = new TreeMap<>(dynamic);
    }

    /** Returns what has exactly this name, or is made of it. */
    Optional<Object> find(String name) throws NamingException {
        Object known = bound.get(name);
        int slash = name.indexOf('/');
        if (known != null || slash < 0 || slash == name.length() - 1) {
            return Optional.ofNullable(known);
        }
        Maker maker = dynamic.get(name.substring(0, slash));
        return maker == null ? Optional.empty() : Optional.of(maker.make(name.substring(slash + 1)));
    }

    /** Returns whether a name, which may be empty, is one of a context. */
    boolean isContext(String name) {
        return name.isEmpty() || dynamic.containsKey(name) || !children(name).isEmpty();
    }

    /** Returns what a context holds: names of its own, with the object, or with nothing where it is a context in turn. */
    SortedMap<String, Optional<Object>> children(String context) {
        String prefix = context.isEmpty() ? "" : context + "/";
        SortedMap<String, Optional<Object>> children = new TreeMap<>();
        if (context.isEmpty()) {
            dynamic.keySet().forEach(name -> children.put(name, Optional.empty()));
        }
        bound.forEach((name, object) -> {
            if (name.startsWith(prefix) && name.length() > prefix.length()) {
                String rest = name.substring(prefix.length());
                int slash = rest.indexOf('/');
                if (slash < 0) {
                    children.put(rest, Optional.of(object));
                } else {
                    children.putIfAbsent(rest.substring(0, slash), Optional.empty());
                }
            }
        });
        return children;
    }
}
