package io.millrace.server.internal.command;

import io.millrace.log.config.InvalidConfigException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a server: from a file, then from {@code key=value} arguments, which win. */
final class SettingsFile {
    private SettingsFile() {}

    static Map<String, String> read(@Nullable Path file, List<String> arguments) throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        if (file != null) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            } catch (NoSuchFileException missing) {
                throw new CommandFailure(ExitCode.USAGE, "no such configuration file: " + file, missing);
            } catch (CharacterCodingException notText) {
                throw new InvalidConfigException(file + " is no text in UTF-8", notText);
            } catch (IllegalArgumentException badEscape) {
                throw new InvalidConfigException(file + ": " + badEscape.getMessage(), badEscape);
            }
            properties.stringPropertyNames().stream()
                    .sorted()
                    .forEach(name -> settings.put(name, properties.getProperty(name)));
        }
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals <= 0) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "'" + argument + "' is no setting; write key=value, for example num.partitions=4");
            }
            settings.put(argument.substring(0, equals).strip(), argument.substring(equals + 1));
        }
        return settings;
    }
}
