package io.millrace.jms.narayana;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/** Connections to a broker of which only the resource is there. */
final class FakeXAConnectionFactory {

    private final Supplier<XAResource> resources;
    private boolean down;
    private int opened;
    private int closed;

    /** @param resources gives each session its resource */
    FakeXAConnectionFactory(Supplier<XAResource> resources) {
        this.resources = resources;
    }

    int opened() {
        return opened;
    }

    int closed() {
        return closed;
    }

    void setDown(boolean isDown) {
        down = isDown;
    }

    XAConnectionFactory factory() {
        return proxy(XAConnectionFactory.class, method -> {
            if (down) {
                throw new JMSException("the broker is down");
            }
            opened++;
            return method.equals("createXAContext") ? context() : connection();
        });
    }

    private XAConnection connection() {
        return proxy(XAConnection.class, method -> switch (method) {
            case "createXASession" -> session();
            case "close" -> {
                closed++;
                yield null;
            }
            case "getClientID" -> "fake";
            default -> throw new JMSException("no " + method);
        });
    }

    private XASession session() {
        return proxy(XASession.class, method -> switch (method) {
            case "getXAResource" -> resources.get();
            case "getTransacted" -> true;
            default -> throw new JMSException("no " + method);
        });
    }

    private XAJMSContext context() {
        return proxy(XAJMSContext.class, method -> resources.get());
    }

    private interface Answer {
        @Nullable
        Object to(String method) throws JMSException;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                FakeXAConnectionFactory.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getName().equals("equals")
                        ? System.identityHashCode(proxy) == System.identityHashCode(arguments[0])
                        : answer.to(method.getName())));
    }
}
