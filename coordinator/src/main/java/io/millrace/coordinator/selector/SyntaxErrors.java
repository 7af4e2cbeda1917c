package io.millrace.coordinator.selector;

import io.millrace.coordinator.selector.grammar.SelectorLexer;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.jspecify.annotations.Nullable;

/** Ends the parsing with the first error, in words for those who write selectors. */
final class SyntaxErrors extends BaseErrorListener {

    @Override
    public void syntaxError(
            Recognizer<?, ?> recognizer,
            Object offendingSymbol,
            int line,
            int positionInLine,
            String message,
            @Nullable RecognitionException cause) {
        Parser parser = (Parser) recognizer;
        Token token = (Token) offendingSymbol;
        String found = token.getType() == Token.EOF ? "the end" : token.getText();
        throw InvalidSelectorException.expected(
                SelectorCompiler.column(token), found, words(parser.getExpectedTokens()));
    }

    private static String words(IntervalSet expected) {
        Set<String> words = new LinkedHashSet<>();
        if (expected.contains(SelectorLexer.IDENTIFIER)) {
            words.add("a value");
            words.add("a property");
            words.add("'('");
        } else if (isBehindAValue(expected)) {
            words.add("an operator");
        } else {
            for (int type : expected.toList()) {
                if (type == SelectorLexer.STRING) {
                    words.add("a string");
                } else if (type != Token.EOF && type != SelectorLexer.CLOSE) {
                    words.add(SelectorLexer.VOCABULARY
                            .getDisplayName(type)
                            .replace("'", "")
                            .toUpperCase(Locale.ROOT));
                }
            }
        }
        if (expected.contains(SelectorLexer.CLOSE)) {
            words.add("')'");
        }
        if (expected.contains(Token.EOF)) {
            words.add("the end");
        }
        return String.join(" or ", words);
    }

    /** The parser may have left the rules already in which operators are expected. */
    private static boolean isBehindAValue(IntervalSet expected) {
        boolean endsList = expected.contains(SelectorLexer.COMMA);
        return expected.contains(SelectorLexer.EQUAL)
                || expected.contains(Token.EOF)
                || (expected.contains(SelectorLexer.CLOSE) && !endsList);
    }
}
