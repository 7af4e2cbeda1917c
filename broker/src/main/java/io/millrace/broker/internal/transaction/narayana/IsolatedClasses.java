package io.millrace.broker.internal.transaction.narayana;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * A copy of Narayana's classes for the brokers of this JVM alone, and the classes that extend them. Narayana has one object store, one set
 * of settings and one node identifier for each copy of its classes: an application that embeds a broker may have a transaction manager of its
 * own, with its own, and starts and stops it when it likes.
 *
 * <p>The classes come from wherever the class loader of the broker finds them.
 */
final class IsolatedClasses extends ClassLoader {

    static {
        registerAsParallelCapable();
    }

    private static final String NARAYANA = "com.arjuna.";
    private static final String OURS = IsolatedClasses.class.getPackageName() + ".isolated.";
    private static final String ENTRY = OURS + "NarayanaTwoPhases";

    private final ClassLoader broker;

    IsolatedClasses(ClassLoader broker) {
        super("millrace-narayana", broker);
        this.broker = broker;
    }

    /** Makes a copy. */
    static TwoPhases load() {
        ClassLoader broker = Objects.requireNonNull(IsolatedClasses.class.getClassLoader());
        try {
            return Class.forName(ENTRY, true, new IsolatedClasses(broker))
                    .asSubclass(TwoPhases.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot load the transaction manager: is narayana-jta on the class path?", e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(NARAYANA) && !name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = broker.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
