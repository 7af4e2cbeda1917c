package io.millrace.jms.narayana;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in docs/exactly-once.md. */
public final class ExactlyOnceDocumentTest {

    private static final Pattern PROGRAM = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path classes;

    /** The driver of PostgreSQL is no dependency of ours; all else is there. */
    @Test
    void shouldHaveAProgramThatCompiles() throws IOException {
        Matcher program = PROGRAM.matcher(Files.readString(Path.of("../docs/exactly-once.md")));
        assertThat(program.find()).isTrue();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();

        compiler.getTask(
                        null,
                        null,
                        said,
                        List.of("-d", classes.toString(), "-proc:none"),
                        null,
                        List.of(
                                new Source("Orders", program.group(1)),
                                new Source("org/postgresql/xa/PGXADataSource", DRIVER)))
                .call();

        assertThat(said.getDiagnostics().stream().filter(line -> line.getKind() == Diagnostic.Kind.ERROR))
                .isEmpty();
        assertThat(classes.resolve("Orders.class")).exists();
    }

    private static final String DRIVER = """
            package org.postgresql.xa;
            public class PGXADataSource extends io.millrace.jms.narayana.ExactlyOnceDocumentTest.NoDataSource {
                public void setUrl(String url) {}
            }
            """;

    /** What the stand-in for the driver inherits. */
    public static class NoDataSource implements XADataSource {

        @Override
        public XAConnection getXAConnection() throws SQLException {
            throw new SQLException("no database");
        }

        @Override
        public XAConnection getXAConnection(String user, String password) throws SQLException {
            throw new SQLException("no database");
        }

        @Override
        public PrintWriter getLogWriter() throws SQLException {
            throw new SQLException("no database");
        }

        @Override
        public void setLogWriter(PrintWriter out) {}

        @Override
        public void setLoginTimeout(int seconds) {}

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException("no database");
        }
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        private Source(String name, String text) {
            super(URI.create("string:///" + name + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
