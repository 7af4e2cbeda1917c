package io.millrace.systemtests.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.testkit.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the tar.gz. */
final class DistributionArchiveTest {
    /** {@code | `netty-*` | Apache-2.0 | Apache-2.0.txt | https://... |} */
    private static final Pattern ROW =
            Pattern.compile("\\| `([^`]+)\\*` \\| ([^|]+) \\| ([^|]+) \\| (https://\\S+) \\|");

    /** {@code [text](file#part)}, of this project: neither an address nor a part of the page itself. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?![a-z]+:|#)([^)#\\s]+)(?:#[^)]*)?\\)");

    private static final Pattern PURL = Pattern.compile("pkg:maven/([^/]+)/([^@]+)@([^?]+)(.*)");

    @TempDir
    static Path directory;

    private static Path root;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        Requires.command("tar");
        Path home = Distribution.home();
        Path archive = home.resolveSibling(home.getFileName() + ".tar.gz");
        Process tar = new ProcessBuilder("tar", "xzf", archive.toString(), "-C", directory.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tar.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(tar.exitValue()).as(said).isZero();
        root = directory.resolve(home.getFileName());
    }

    private static void requireSbom() {
        Requires.that(
                Files.exists(root.resolve("sbom.cdx.json")),
                "a distribution with an SBOM, which the quick build leaves out: run the tests with `./millrace test` or `mvn verify`");
    }

    @Test
    void shouldListEveryJarWithVersionChecksumAndLicence() throws IOException {
        requireSbom();
        Map<String, JsonNode> components = new TreeMap<>();
        for (String folder : List.of(".", "lib/kafka-tools", "lib/kafka-connect")) {
            JsonNode sbom = new ObjectMapper()
                    .readTree(root.resolve(folder).resolve("sbom.cdx.json").toFile());
            assertThat(sbom.path("bomFormat").asText()).isEqualTo("CycloneDX");
            for (JsonNode component : sbom.path("components")) {
                components.put(fileName(component.path("purl").asText()), component);
            }
            JsonNode self = sbom.path("metadata").path("component");
            components.put(fileName(self.path("purl").asText()), self);
        }

        for (Path jar : jars()) {
            JsonNode component = components.get(jar.getFileName().toString());
            assertThat(component).as("SBOM entry of " + jar.getFileName()).isNotNull();
            assertThat(component.path("licenses"))
                    .as("licence of " + jar.getFileName() + " in the SBOM")
                    .isNotEmpty();
            if (!jar.getFileName().toString().startsWith("millrace-")) {
                assertThat(component.path("hashes").findValuesAsText("content"))
                        .as("checksums of " + jar.getFileName())
                        .contains(sha256(jar));
            }
        }
    }

    private static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    /** The file that an artifact is in {@code lib/}. */
    private static String fileName(String purl) {
        Matcher matcher = PURL.matcher(purl);
        assertThat(matcher.matches()).as(purl).isTrue();
        Matcher classifier = Pattern.compile("classifier=([^&]+)").matcher(matcher.group(4));
        return matcher.group(2) + "-" + matcher.group(3) + (classifier.find() ? "-" + classifier.group(1) : "")
                + ".jar";
    }

    @Test
    void shouldHaveALicenceTextForEveryJarOfOthers() throws IOException {
        Map<String, String> textsByPrefix = new TreeMap<>();
        for (String line : Files.readAllLines(root.resolve("THIRD-PARTY.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                textsByPrefix.put(row.group(1), row.group(3));
            }
        }
        List<String> unused = new ArrayList<>(textsByPrefix.keySet());
        for (Path jar : jars()) {
            String name = jar.getFileName().toString();
            if (name.startsWith("millrace-")) {
                continue;
            }
            List<String> prefixes =
                    textsByPrefix.keySet().stream().filter(name::startsWith).toList();
            assertThat(prefixes).as("lines of THIRD-PARTY.md for " + name).hasSize(1);
            unused.removeAll(prefixes);
            for (String text :
                    textsByPrefix.getOrDefault(prefixes.getFirst(), "").split(", ", -1)) {
                assertThat(root.resolve("licenses").resolve(text.strip()))
                        .as("licence of " + name)
                        .isNotEmptyFile();
            }
        }
        assertThat(unused).as("lines of THIRD-PARTY.md for no jar").isEmpty();
        assertThat(root.resolve("LICENSE")).isNotEmptyFile();
    }

    @Test
    void shouldHoldNothingOfTheMachineThatBuiltIt() throws IOException {
        requireSbom();
        try (Stream<Path> files = Files.list(root)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "bin",
                            "client",
                            "config",
                            "docs",
                            "examples",
                            "lib",
                            "libexec",
                            "licenses",
                            "CHANGELOG.md",
                            "CONTRIBUTING.md",
                            "LICENSE",
                            "README.md",
                            "SECURITY.md",
                            "THIRD-PARTY.md",
                            "sbom.cdx.json");
        }
        assertThat(root.resolve("bin/millrace")).isExecutable();
    }

    @Test
    void shouldHaveWhatItsPagesLinkTo() throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.walk(root)) {
            pages = files.filter(file -> file.toString().endsWith(".md")).toList();
        }
        assertThat(pages).contains(root.resolve("README.md"), root.resolve("docs/kafka.md"));
        for (Path page : pages) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                assertThat(page.resolveSibling(link.group(1)).normalize())
                        .as("link in " + root.relativize(page))
                        .exists();
            }
        }
    }

    private static List<Path> jars() throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String folder : List.of("lib", "lib/kafka-tools", "lib/kafka-connect", "client")) {
            int before = jars.size();
            try (Stream<Path> files = Files.list(root.resolve(folder))) {
                jars.addAll(
                        files.filter(file -> file.toString().endsWith(".jar")).toList());
            }
            assertThat(jars).as(folder).hasSizeGreaterThan(before + 4);
        }
        return jars;
    }
}
