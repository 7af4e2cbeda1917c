package io.millrace.jms.internal.message;

import jakarta.jms.MessageFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Deserializes the object of a message. Classes are checked by name before they are even loaded; {@link DeserializationLimits}
 * keeps small messages from taking much memory or time.
 */
final class TrustedObjectInput extends ObjectInputStream {
    private final TrustedClasses trusted;
    private final PathCount paths;

    private TrustedObjectInput(byte[] serialized, TrustedClasses trusted, DeserializationLimits limits)
            throws IOException {
        super(new ByteArrayInputStream(serialized));
        this.trusted = trusted;
        this.paths = new PathCount(serialized.length);
        enableResolveObject(true);
        // A filter of the whole JVM would be replaced; it counts as well.
        ObjectInputFilter jvmFilter = getObjectInputFilter();
        setObjectInputFilter(jvmFilter == null ? limits : limits.and(jvmFilter));
    }

    /**
     * Reads the object.
     *
     * @throws MessageFormatException if a class of it is not trusted or not there, or the bytes are damaged
     */
    static @Nullable Serializable read(ByteBuffer serialized, TrustedClasses trusted) throws MessageFormatException {
        byte[] bytes = new byte[serialized.remaining()];
        serialized.get(bytes);
        DeserializationLimits limits = new DeserializationLimits(bytes.length);
        try (TrustedObjectInput in = new TrustedObjectInput(bytes, trusted, limits)) {
            return (Serializable) in.readObject();
        } catch (UntrustedClassException e) {
            throw Failures.format(String.valueOf(e.getMessage()), e);
        } catch (ClassNotFoundException e) {
            throw Failures.format(
                    "the object cannot be deserialized: class " + e.getMessage() + " is not on the class path", e);
        } catch (IOException | RuntimeException e) {
            // The code of the classes themselves runs here, and may throw anything for bytes that it does not expect.
            throw Failures.format(
                    "the object cannot be deserialized: " + limits.rejection().orElse(e.toString()), e);
        } catch (StackOverflowError e) {
            throw new MessageFormatException(
                    "the object cannot be deserialized: it is nested too deeply for this thread's stack");
        }
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        String name = description.getName();
        check(elementClass(name));
        ClassLoader contextLoader = Thread.currentThread().getContextClassLoader();
        if (contextLoader != null && !isPrimitive(name)) {
            try {
                return Class.forName(name, false, contextLoader);
            } catch (ClassNotFoundException notThere) {
                return super.resolveClass(description);
            }
        }
        return super.resolveClass(description);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws IOException, ClassNotFoundException {
        check(Proxy.class.getName());
        for (String name : interfaces) {
            check(name);
        }
        return super.resolveProxyClass(interfaces);
    }

    /** Called with each object when it is complete, before the object that holds it gets it, and maybe hashes it. */
    @Override
    protected @Nullable Object resolveObject(@Nullable Object object) throws IOException {
        paths.add(object);
        return object;
    }

    private void check(String className) throws UntrustedClassException {
        if (!isPrimitive(className) && !trusted.trusts(className)) {
            throw new UntrustedClassException(className);
        }
    }

    /** Of {@code [[Lx.Y;} that is {@code x.Y}, of {@code [I} it is {@code int}'s own name, of {@code x.Y} itself. */
    private static String elementClass(String name) {
        int dimensions = name.lastIndexOf('[') + 1;
        if (dimensions == 0) {
            return name;
        }
        return name.charAt(dimensions) == 'L' ? name.substring(dimensions + 1, name.length() - 1) : "int";
    }

    private static boolean isPrimitive(String name) {
        return switch (name) {
            case "boolean", "byte", "char", "short", "int", "long", "float", "double", "void" -> true;
            default -> false;
        };
    }

    /** A class is not trusted. */
    private static final class UntrustedClassException extends InvalidClassException {
        private static final long serialVersionUID = 1L;

        UntrustedClassException(String className) {
            super("class " + className
                    + " of an object message is not trusted, so the object is not deserialized. If all who can"
                    + " send to this destination are trusted with it, add its package to the option "
                    + TrustedClasses.OPTION + " of the connection factory (as in ?" + TrustedClasses.OPTION + "="
                    + packageOf(className) + ")");
        }

        private static String packageOf(String className) {
            int dot = className.lastIndexOf('.');
            return dot < 0 ? className : className.substring(0, dot);
        }
    }
}
