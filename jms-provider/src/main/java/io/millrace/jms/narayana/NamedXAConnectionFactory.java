package io.millrace.jms.narayana;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/** A connection factory whose sessions' resources have a name: for pools and containers, which enlist sessions by themselves. */
public final class NamedXAConnectionFactory {

    private NamedXAConnectionFactory() {}

    /**
     * Names a broker.
     *
     * @param name the same over restarts, and the one that recovery has
     * @return the same factory, but for the resources
     */
    public static XAConnectionFactory of(XAConnectionFactory factory, String name) {
        return (XAConnectionFactory) Naming.wrap(factory, name);
    }

    /** Passes on every call, and wraps what leads to a resource. */
    private record Naming(Object target, String name) implements InvocationHandler {

        private static Object wrap(Object target, String name) {
            Set<Class<?>> interfaces = new LinkedHashSet<>();
            for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
                addInterfaces(type, interfaces);
            }
            return Proxy.newProxyInstance(
                    NamedXAConnectionFactory.class.getClassLoader(),
                    interfaces.toArray(Class<?>[]::new),
                    new Naming(target, name));
        }

        /** Only those of JMS: others may not be visible here. */
        private static void addInterfaces(Class<?> type, Set<Class<?>> interfaces) {
            for (Class<?> each : type.getInterfaces()) {
                if (each.getName().startsWith("jakarta.jms.")) {
                    interfaces.add(each);
                }
                addInterfaces(each, interfaces);
            }
        }

        /** What the interfaces of JMS throw is of these three kinds. */
        private @Nullable Object call(Method method, Object @Nullable [] arguments) throws JMSException {
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof JMSException cause) {
                    throw cause;
                } else if (e.getCause() instanceof RuntimeException cause) {
                    throw cause;
                } else if (e.getCause() instanceof Error cause) {
                    throw cause;
                }
                throw new IllegalStateException(method + " threw what it does not declare", e);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(method + " of an interface of JMS is not public", e);
            }
        }

        private boolean isSame(@Nullable Object other) {
            return other != null
                    && Proxy.isProxyClass(other.getClass())
                    && Proxy.getInvocationHandler(other) instanceof Naming naming
                    && naming.equals(this);
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws JMSException {
            if (method.getName().equals("equals") && arguments != null) {
                return isSame(arguments[0]);
            }
            Object result = call(method, arguments);
            if (result instanceof XAResource resource) {
                return new NamedXAResource(resource, name);
            }
            return result instanceof XAConnection || result instanceof XASession || result instanceof XAJMSContext
                    ? wrap(result, name)
                    : result;
        }
    }
}
