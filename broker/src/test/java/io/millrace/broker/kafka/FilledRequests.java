package io.millrace.broker.kafka;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.utils.internals.ImplicitLinkedHashCollection;

/**
 * Makes requests of every kind and version in which every field that the version has is filled, whatever it means: Kafka's own classes say
 * which those are.
 */
final class FilledRequests {

    /** Deeper than any request is nested. */
    private static final int MOST_LEVELS = 12;

    private static final Set<String> LINKS = Set.of("setPrev", "setNext");

    private final String text;
    private final int number;
    private final Uuid id;
    private final int copies;

    /**
     * @param text what is in each field that takes text
     * @param copies how many elements, all the same, are in each list
     */
    FilledRequests(String text, int copies) {
        this(text, 1, new Uuid(1, 2), copies);
    }

    /**
     * @param number what is in each field that takes a number
     * @param id what is in each field that takes an id
     */
    FilledRequests(String text, int number, Uuid id, int copies) {
        this.text = text;
        this.number = number;
        this.id = id;
        this.copies = copies;
    }

    /** Returns a request as it goes over the wire, without its length. */
    ByteBuffer request(ApiKeys key, short version, int correlationId) {
        ByteBuffer head = header(key, version, correlationId);
        ByteBuffer body = body(key, version);
        return ByteBuffer.allocate(head.remaining() + body.remaining())
                .put(head)
                .put(body)
                .flip();
    }

    static ByteBuffer header(ApiKeys key, short version, int correlationId) {
        RequestHeader header = new RequestHeader(key, version, "filled", correlationId);
        return MessageUtil.toByteBufferAccessor(header.data(), header.headerVersion())
                .buffer();
    }

    ByteBuffer body(ApiKeys key, short version) {
        return MessageUtil.toByteBufferAccessor(message(key, version), version).buffer();
    }

    ApiMessage message(ApiKeys key, short version) {
        ApiMessage message = ApiMessageType.fromApiKey(key.id).newRequest();
        fill(message, version, MOST_LEVELS);
        return message;
    }

    /** Returns where the fields of a body end, as Kafka's own reader finds them: each is a place at which a request may be cut. */
    static Set<Integer> boundaries(ApiKeys key, short version, ByteBuffer body) {
        Tracer tracer = new Tracer(body.duplicate());
        ApiMessage message = ApiMessageType.fromApiKey(key.id).newRequest();
        message.read(tracer, version);
        tracer.ends.remove(body.remaining());
        return tracer.ends;
    }

    private boolean isWritable(Message message, short version) {
        try {
            MessageUtil.toByteBufferAccessor(message, version);
            return true;
        } catch (RuntimeException notInThisVersion) {
            return false;
        }
    }

    /** Sets each field that the version takes, and leaves the others as they are. */
    private void fill(Message message, short version, int levels) {
        List<Method> setters = Arrays.stream(message.getClass().getMethods())
                .filter(method -> method.getName().startsWith("set")
                        && method.getParameterCount() == 1
                        // Where an element is in its collection, which is not in the message.
                        && !LINKS.contains(method.getName())
                        && !Modifier.isStatic(method.getModifiers()))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
        // What cannot be written when it is empty has to be filled first, however often it takes.
        for (int round = 0; round < 2; round++) {
            for (Method setter : setters) {
                Object before = call(getter(message, setter), message);
                Optional<Object> value =
                        value(setter.getParameterTypes()[0], setter.getGenericParameterTypes()[0], version, levels);
                if (value.isEmpty()) {
                    continue;
                }
                boolean wasWritable = isWritable(message, version);
                call(setter, message, value.get());
                if (wasWritable && !isWritable(message, version)) {
                    call(setter, message, before);
                }
            }
        }
    }

    private static Method getter(Message message, Method setter) {
        String name = setter.getName();
        String field = Character.toLowerCase(name.charAt(3)) + name.substring(4);
        try {
            return message.getClass().getMethod(field);
        } catch (NoSuchMethodException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static Object call(Method method, Object target, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new LinkageError(method + " of " + target, e);
        }
    }

    private Optional<Object> value(Class<?> type, Type generic, short version, int levels) {
        if (type == String.class) {
            return Optional.of(text);
        } else if (type == boolean.class) {
            return Optional.of(true);
        } else if (type == byte.class) {
            return Optional.of((byte) number);
        } else if (type == short.class) {
            return Optional.of((short) number);
        } else if (type == int.class) {
            return Optional.of(number);
        } else if (type == long.class) {
            return Optional.of((long) number);
        } else if (type == double.class) {
            return Optional.of((double) number);
        } else if (type == Uuid.class) {
            return Optional.of(id);
        } else if (type == byte[].class) {
            return Optional.of(text.getBytes(StandardCharsets.UTF_8));
        } else if (type == ByteBuffer.class) {
            return Optional.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } else if (BaseRecords.class.isAssignableFrom(type)) {
            return Optional.of(MemoryRecords.withRecords(
                    Compression.NONE, new SimpleRecord("value".getBytes(StandardCharsets.UTF_8))));
        } else if (levels == 0) {
            return Optional.empty();
        } else if (Message.class.isAssignableFrom(type)) {
            return Optional.of(element(type, version, levels - 1));
        } else if (ImplicitLinkedHashCollection.class.isAssignableFrom(type)) {
            return Optional.of(collection(type, version, levels - 1));
        } else if (List.class.isAssignableFrom(type)) {
            return Optional.of(list((ParameterizedType) generic, version, levels - 1));
        }
        return Optional.empty();
    }

    private Message element(Class<?> type, short version, int levels) {
        try {
            Message element = (Message) type.getDeclaredConstructor().newInstance();
            fill(element, version, levels);
            return element;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Of what the elements are is seen only as the program runs.
    private Object collection(Class<?> type, short version, int levels) {
        try {
            ImplicitLinkedHashCollection made =
                    (ImplicitLinkedHashCollection) type.getDeclaredConstructor().newInstance();
            Type of = ((ParameterizedType) type.getGenericSuperclass()).getActualTypeArguments()[0];
            for (int i = 0; i < copies; i++) {
                made.add((ImplicitLinkedHashCollection.Element) element((Class<?>) of, version, levels));
            }
            return made;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private List<Object> list(ParameterizedType type, short version, int levels) {
        Type of = type.getActualTypeArguments()[0];
        List<Object> made = new ArrayList<>();
        for (int i = 0; i < copies; i++) {
            made.add(scalarOr(of, version, levels));
        }
        return made;
    }

    private Object scalarOr(Type of, short version, int levels) {
        if (of == Integer.class) {
            return number;
        } else if (of == Long.class) {
            return (long) number;
        } else if (of == Short.class) {
            return (short) number;
        } else if (of == Byte.class) {
            return (byte) number;
        }
        Class<?> plain = of instanceof ParameterizedType nested ? (Class<?>) nested.getRawType() : (Class<?>) of;
        return value(plain, of, version, levels).orElseThrow();
    }

    /** Notes where each field that is read ends. */
    private static final class Tracer extends ByteBufferAccessor {

        private final Set<Integer> ends = new TreeSet<>(Set.of(0));

        Tracer(ByteBuffer bytes) {
            super(bytes);
        }

        private <T> T ended(T value) {
            ends.add(buffer().position());
            return value;
        }

        @Override
        public byte readByte() {
            return ended(super.readByte());
        }

        @Override
        public short readShort() {
            return ended(super.readShort());
        }

        @Override
        public int readInt() {
            return ended(super.readInt());
        }

        @Override
        public long readLong() {
            return ended(super.readLong());
        }

        @Override
        public double readDouble() {
            return ended(super.readDouble());
        }

        @Override
        public byte[] readArray(int length) {
            return ended(super.readArray(length));
        }

        @Override
        public int readUnsignedVarint() {
            return ended(super.readUnsignedVarint());
        }

        @Override
        public ByteBuffer readByteBuffer(int length) {
            return ended(super.readByteBuffer(length));
        }

        @Override
        public int readVarint() {
            return ended(super.readVarint());
        }

        @Override
        public long readVarlong() {
            return ended(super.readVarlong());
        }

        @Override
        public Readable slice() {
            return new Tracer(buffer().slice());
        }
    }
}
