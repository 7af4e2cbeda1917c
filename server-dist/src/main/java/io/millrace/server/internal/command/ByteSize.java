package io.millrace.server.internal.command;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of bytes as people write it: 32g, 512m, 64k, or a number of bytes. */
final class ByteSize implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})([kmgt]?)", Pattern.CASE_INSENSITIVE);

    @Override
    public Long convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is no size; write 32g, 512m, 64k, or a number of bytes");
        }
        int power = " kmgt".indexOf(String.valueOf(matcher.group(2)).toLowerCase(Locale.ROOT));
        return Long.parseLong(matcher.group(1)) << (10 * Math.max(0, power));
    }
}
