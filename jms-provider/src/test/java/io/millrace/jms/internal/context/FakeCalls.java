package io.millrace.jms.internal.context;

import jakarta.jms.JMSException;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One fake of an interface: records the calls, gives the answers it was told, and else behaves as a bean: a getter returns what
 * the setter of its name was given, or the default of its type.
 */
final class FakeCalls<T> {
    private final String name;
    private final CallLog log;
    private final T proxy;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final Map<String, Object> properties = new ConcurrentHashMap<>();
    private volatile @Nullable JMSException failureOfAll;

    @FunctionalInterface
    interface Answer {
        @Nullable
        Object to(Object[] args) throws JMSException;
    }

    FakeCalls(Class<T> type, String name, CallLog log) {
        this.name = name;
        this.log = log;
        InvocationHandler handler = (self, method, args) -> called(method, args == null ? new Object[0] : args);
        this.proxy = type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    T proxy() {
        return proxy;
    }

    void answer(String method, Answer answer) {
        answers.put(method, answer);
    }

    void fail(String method, JMSException failure) {
        answer(method, args -> {
            throw failure;
        });
    }

    void failAll(JMSException failure) {
        failureOfAll = failure;
    }

    private @Nullable Object called(Method method, Object[] args) throws JMSException {
        log.add(name + "." + method.getName()
                + Arrays.stream(args).map(FakeCalls::text).collect(Collectors.joining(", ", "(", ")")));
        if (failureOfAll != null) {
            throw failureOfAll;
        }
        Answer answer = answers.get(method.getName());
        return answer != null ? answer.to(args) : asBean(method, args);
    }

    private @Nullable Object asBean(Method method, Object[] args) {
        String property =
                method.getName().substring(Math.min(3, method.getName().length()));
        if (method.getName().startsWith("set")) {
            properties.compute(property, (name, before) -> args[0]);
        }
        Object value = properties.get(property);
        Class<?> type = method.getReturnType();
        return value == null && type.isPrimitive() && type != void.class
                ? Array.get(Array.newInstance(type, 1), 0)
                : value;
    }

    private static String text(@Nullable Object value) {
        return value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
    }
}
