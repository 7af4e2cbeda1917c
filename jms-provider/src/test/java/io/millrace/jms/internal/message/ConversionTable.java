package io.millrace.jms.internal.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;

/**
 * A conversion table of the specification, turned into tests: every cell, marked or not. A row is a type that was written, a column
 * a type that is read.
 */
final class ConversionTable {
    /** Reads a value that was written, in the type of a column. */
    interface Read {
        Object read(Object written) throws JMSException;
    }

    private final Map<String, Read> columns = new LinkedHashMap<>();
    private final List<DynamicTest> tests = new ArrayList<>();

    ConversionTable column(String type, Read read) {
        columns.put(type, read);
        return this;
    }

    /** A row: the value that is written, and what each column reads; a column that is not named must refuse. */
    ConversionTable row(Object written, Map<String, Object> marked) {
        String from = written.getClass().getSimpleName();
        assertThat(columns.keySet()).containsAll(marked.keySet());
        columns.forEach((to, read) -> tests.add(
                marked.containsKey(to)
                        ? DynamicTest.dynamicTest(
                                from + " reads as " + to,
                                () -> assertThat(read.read(written)).isEqualTo(marked.get(to)))
                        : DynamicTest.dynamicTest(
                                from + " does not read as " + to,
                                () -> assertThatExceptionOfType(MessageFormatException.class)
                                        .isThrownBy(() -> read.read(written))
                                        .withMessageContaining(from)
                                        .withMessageContaining(to))));
        return this;
    }

    List<DynamicTest> tests() {
        return tests;
    }
}
