package io.millrace.jms.internal.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.MessageFormatException;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedObjectInputTest {
    private static final TrustedClasses DEFAULT = TrustedClasses.of("");
    private static final String HERE = "io.millrace.jms.internal.message";

    /** Runs code when it is deserialized, as gadgets do. */
    private static final class Gadget implements Serializable {
        private static final long serialVersionUID = 1L;
        private static int runs;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            runs++;
        }
    }

    private enum Level {
        LOW
    }

    private interface Service {}

    private record Handler(String name) implements InvocationHandler, Serializable {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) {
            return null;
        }
    }

    /** Calls what it should not when it is read. */
    private static final class Thrower implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) {
            throw new IllegalStateException("thrown while reading");
        }
    }

    private static ByteBuffer serialized(Serializable object) throws MessageFormatException {
        return MillraceObjectMessage.serialize(object).bytes();
    }

    private static @Nullable Serializable read(Serializable object, TrustedClasses trusted)
            throws MessageFormatException {
        return TrustedObjectInput.read(serialized(object), trusted);
    }

    @SuppressWarnings({"JavaUtilDate", "JdkObsolete"}) // applications send them
    static Stream<Serializable> valuesOfTheJdk() {
        Properties properties = new Properties();
        properties.setProperty("a", "b");
        return Stream.of(
                "text",
                1,
                2L,
                (short) 3,
                (byte) 4,
                5f,
                6d,
                'c',
                true,
                new int[] {1},
                new byte[10_000],
                new String[][] {{"a"}, {}},
                new Object[] {1, "a"},
                UUID.fromString("00000000-0000-0001-0000-000000000002"),
                new Date(5),
                Locale.GERMANY,
                Currency.getInstance("EUR"),
                BitSet.valueOf(new byte[] {5}),
                properties,
                new ArrayList<>(List.of(1, 2)),
                new LinkedList<>(List.of(1)),
                new ArrayList<>(new ArrayDeque<>(List.of(1))),
                new HashMap<>(Map.of("a", List.of(1))),
                new LinkedHashMap<>(Map.of(1, 2)),
                new TreeMap<>(Map.of("b", 1)),
                new HashSet<>(Set.of(1, 2, 3)),
                new LinkedHashSet<>(Set.of(1)),
                new TreeSet<>(Set.of("x")),
                (Serializable) List.of(1, 2, 3),
                (Serializable) Map.of(1, 2),
                (Serializable) Set.of(4),
                (Serializable) Arrays.asList(1, 2),
                (Serializable) Collections.emptyList(),
                (Serializable) Collections.singletonMap("a", 1),
                (Serializable) Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                (Serializable) Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))));
    }

    @ParameterizedTest
    @MethodSource("valuesOfTheJdk")
    void shouldReadValuesOfTheJdk(Serializable value) throws MessageFormatException {
        assertThat((Object) read(value, DEFAULT)).isEqualTo(value);
    }

    static Stream<Arguments> others() {
        return Stream.<Serializable>of(
                        new BigDecimal("1.5"),
                        Duration.ofDays(1),
                        URI.create("http://127.0.0.1/"),
                        new Handler("h"),
                        Level.LOW,
                        new Level[0],
                        new ArrayList<>(List.of(new Handler("inside"))),
                        (Serializable) Collections.synchronizedList(new ArrayList<>()))
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("others")
    void shouldRefuseAllOtherClasses(Serializable value) {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(value, DEFAULT))
                .withMessageContaining("is not trusted")
                .withMessageContaining("trustedPackages");
    }

    @ParameterizedTest
    @MethodSource("others")
    void shouldReadThemWhenEverythingIsTrusted(Serializable value) throws MessageFormatException {
        assertThat((Object) read(value, TrustedClasses.of("*"))).isEqualTo(value);
    }

    @Test
    void shouldNameTheClassAndHowToTrustIt() {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(new Handler("h"), DEFAULT))
                .withMessageContaining("class " + Handler.class.getName())
                .withMessageContaining("?trustedPackages=" + HERE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.millrace",
                HERE,
                "com.example, " + HERE + " ,",
                HERE + ".TrustedObjectInputTest",
                HERE + ".TrustedObjectInputTest$Handler"
            })
    void shouldReadClassesOfTrustedPackages(String trusted) throws MessageFormatException {
        assertThat((Object) read(new Handler("h"), TrustedClasses.of(trusted))).isEqualTo(new Handler("h"));
        assertThat((Object) read(new Handler[] {new Handler("h")}, TrustedClasses.of(trusted)))
                .isEqualTo(new Handler[] {new Handler("h")});
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.mill", "millrace", HERE + ".Trusted", HERE + ".TrustedObjectInputTest$Hand", ".", "**"})
    void shouldNotTakePartsOfNamesForPackages(String trusted) {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(new Handler("h"), TrustedClasses.of(trusted)));
    }

    @Test
    void shouldRunNoCodeOfClassesThatAreNotTrusted() throws MessageFormatException {
        int before = Gadget.runs;

        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> read(new Gadget(), DEFAULT));
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(new HashMap<>(Map.of("key", new Gadget())), DEFAULT));
        assertThat(Gadget.runs).isEqualTo(before);

        read(new Gadget(), TrustedClasses.of(HERE));
        assertThat(Gadget.runs).isEqualTo(before + 1);
    }

    @Test
    void shouldRefuseProxies() {
        Service proxy = (Service)
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Service.class}, new Handler("h"));

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read((Serializable) proxy, TrustedClasses.of(HERE)))
                .withMessageContaining("java.lang.reflect.Proxy");
    }

    @Test
    void shouldNotAllocateArraysThatAMessageOfItsSizeCannotHold() throws MessageFormatException {
        byte[] bytes = new byte[64];
        ByteBuffer array = serialized(new long[1]);
        int size = array.remaining();
        array.get(bytes, 0, size);
        ByteBuffer patched = ByteBuffer.wrap(bytes, 0, size);
        patched.putInt(size - 12, Integer.MAX_VALUE);

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> TrustedObjectInput.read(patched, DEFAULT))
                .withMessageContaining("arrays have 2147483647 elements");
    }

    /** Each level asks for an array that would be allowed alone; they all would live at once. */
    @Test
    void shouldCountArraysTogether() throws MessageFormatException {
        Object[] innermost = new Object[1];
        Object[] outermost = innermost;
        for (int level = 0; level < 150; level++) {
            outermost = new Object[] {outermost};
        }
        byte[] bytes = new byte[16_384];
        ByteBuffer nested = serialized(outermost);
        int size = nested.remaining();
        nested.get(bytes, 0, size);
        // TC_ARRAY TC_REFERENCE <class> <length 1>: what each level but the first begins with
        byte[] level = HexFormat.of().parseHex("7571007e000000000001");
        int patched = 0;
        for (int at = 0; at + level.length <= size; at++) {
            if (Arrays.equals(bytes, at, at + level.length, level, 0, level.length)) {
                ByteBuffer.wrap(bytes).putInt(at + 6, size);
                patched++;
            }
        }
        assertThat(patched).isEqualTo(150);

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> TrustedObjectInput.read(ByteBuffer.wrap(bytes, 0, size), DEFAULT))
                .withMessageContaining("more than a message of its size can hold");
    }

    /** Each set holds the two of the next level: few bytes, but hashing the outermost takes 2^40 steps. */
    @Test
    void shouldRefuseSetsNestedSoThatHashingNeverEnds() {
        HashSet<Object> root = new HashSet<>();
        HashSet<Object> one = root;
        HashSet<Object> two = new HashSet<>();
        for (int level = 0; level < 40; level++) {
            HashSet<Object> nextOne = new HashSet<>(Set.of("not like the other"));
            HashSet<Object> nextTwo = new HashSet<>();
            one.addAll(List.of(nextOne, nextTwo));
            two.addAll(List.of(nextOne, nextTwo));
            one = nextOne;
            two = nextTwo;
        }

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(root, DEFAULT))
                .withMessageContaining("hold each other in more than");
    }

    /** The same with lists, of which only the outermost is hashed. */
    @Test
    void shouldRefuseListsNestedSoThatHashingNeverEnds() {
        ArrayList<Object> list = new ArrayList<>();
        for (int level = 0; level < 8; level++) {
            list = new ArrayList<>(Collections.nCopies(100, list));
        }
        IdentityHashMap<Object, Object> unhashed = new IdentityHashMap<>();
        unhashed.put(list, "so that the test itself can build it");
        ArrayList<Object> bomb = list;

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(bomb, DEFAULT))
                .withMessageContaining("hold each other in more than");
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(unhashed, TrustedClasses.of("*")))
                .withMessageContaining("hold each other in more than");
    }

    @Test
    void shouldNotWalkListsThatOnlySayThatTheyAreLong() {
        Serializable copies = (Serializable) Collections.nCopies(Integer.MAX_VALUE, "x");

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(copies, TrustedClasses.of("java.util")))
                .withMessageContaining("arrays have 2147483647 elements");
    }

    /** A filter that the operator of the JVM has set counts too. */
    @Test
    void shouldKeepTheFilterOfTheJvm() {
        ObjectInputFilter jvm = ObjectInputFilter.Config.createFilter("!java.util.ArrayList;maxdepth=5");
        ObjectInputFilter both = new DeserializationLimits(100).and(jvm);

        assertThat(both.checkInput(new Input(ArrayList.class, 1))).isEqualTo(ObjectInputFilter.Status.REJECTED);
        assertThat(both.checkInput(new Input(HashMap.class, 6))).isEqualTo(ObjectInputFilter.Status.REJECTED);
        assertThat(both.checkInput(new Input(HashMap.class, 5))).isEqualTo(ObjectInputFilter.Status.UNDECIDED);
        assertThat(new DeserializationLimits(100).checkInput(new Input(HashMap.class, 201)))
                .isEqualTo(ObjectInputFilter.Status.REJECTED);
    }

    private record Input(Class<?> serialClass, long depth) implements ObjectInputFilter.FilterInfo {
        @Override
        public long arrayLength() {
            return -1;
        }

        @Override
        public long references() {
            return 1;
        }

        @Override
        public long streamBytes() {
            return 1;
        }
    }

    @Test
    void shouldReadWhatIsSharedHonestly() throws MessageFormatException {
        ArrayList<String> shared = new ArrayList<>(Collections.nCopies(50, "x"));
        HashMap<Integer, Object> map = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            map.put(i, shared);
        }

        assertThat((Object) read(map, DEFAULT)).isEqualTo(map);
    }

    @Test
    void shouldReadSetsAndMapsOfHonestDepth() throws MessageFormatException {
        HashMap<String, Object> map = new HashMap<>();
        for (int level = 0; level < 40; level++) {
            map = new HashMap<>(Map.of("level", map));
        }

        assertThat((Object) read(map, DEFAULT)).isEqualTo(map);
    }

    @Test
    void shouldRefuseWhatIsNestedTooDeeply() throws MessageFormatException {
        ArrayList<Object> nested = new ArrayList<>();
        for (int level = 0; level < DeserializationLimits.MAX_DEPTH; level++) {
            nested = new ArrayList<>(List.of(nested));
        }
        ArrayList<Object> tooDeep = nested;

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(tooDeep, DEFAULT))
                .withMessageContaining("200 levels deep");
    }

    @Test
    void shouldSayThatBytesAreNoObject() {
        byte[] text = "no object".getBytes(StandardCharsets.UTF_8);

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> TrustedObjectInput.read(ByteBuffer.wrap(text), DEFAULT))
                .withMessageContaining("cannot be deserialized");
    }

    @Test
    void shouldFindEveryTruncation() throws MessageFormatException {
        ByteBuffer whole = serialized(new ArrayList<>(List.of("a", 1)));

        for (int size = 1; size < whole.limit(); size++) {
            ByteBuffer cut = whole.slice(0, size);
            assertThatExceptionOfType(MessageFormatException.class)
                    .as("first %s bytes", size)
                    .isThrownBy(() -> TrustedObjectInput.read(cut, DEFAULT));
        }
    }

    @Test
    void shouldSayThatAClassIsNotThere() throws MessageFormatException {
        byte[] bytes = new byte[1024];
        ByteBuffer gadget = serialized(new Gadget());
        int size = gadget.remaining();
        gadget.get(bytes, 0, size);
        String renamed = new String(bytes, 0, size, StandardCharsets.ISO_8859_1).replace("Gadget", "Nobody");

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> TrustedObjectInput.read(
                        ByteBuffer.wrap(renamed.getBytes(StandardCharsets.ISO_8859_1)), TrustedClasses.of(HERE)))
                .withMessageContaining("Nobody is not on the class path");
    }

    @Test
    void shouldReportWhatTrustedClassesThrow() {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> read(new Thrower(), TrustedClasses.of(HERE)))
                .withMessageContaining("thrown while reading");
    }
}
