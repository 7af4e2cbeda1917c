package io.millrace.coordinator.selector;

import io.millrace.coordinator.selector.grammar.SelectorLexer;
import io.millrace.wire.message.PropertyNames;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;

/** The words of a selector, with the limits that keep the parser within its stack. */
final class SelectorTokens {
    private SelectorTokens() {}

    static TokenStream of(String text) {
        if (text.length() > Selector.MAX_LENGTH) {
            throw InvalidSelectorException.expected(
                    Selector.MAX_LENGTH + 1, text, "a selector of at most " + Selector.MAX_LENGTH + " characters");
        }
        SelectorLexer lexer = new SelectorLexer(CharStreams.fromString(text));
        // Nothing is left for it to complain about: what fits nothing else is UNEXPECTED.
        lexer.removeErrorListeners();
        CommonTokenStream tokens = new CommonTokenStream(lexer);
        tokens.fill();
        int depth = 0;
        for (Token token : tokens.getTokens()) {
            depth += token.getType() == SelectorLexer.OPEN ? 1 : 0;
            depth -= token.getType() == SelectorLexer.CLOSE ? 1 : 0;
            if (depth > Selector.MAX_DEPTH) {
                throw InvalidSelectorException.expected(
                        SelectorCompiler.column(token),
                        "one more '('",
                        "at most " + Selector.MAX_DEPTH + " open parentheses");
            }
            check(token);
        }
        return tokens;
    }

    private static void check(Token token) {
        switch (token.getType()) {
            case SelectorLexer.MALFORMED_NUMBER -> throw Literals.expectedNumber(token);
            case SelectorLexer.UNTERMINATED_STRING ->
                throw InvalidSelectorException.expected(
                        SelectorCompiler.column(token), token.getText(), "a string that ends with a quote");
            case SelectorLexer.UNEXPECTED ->
                throw InvalidSelectorException.expected(
                        SelectorCompiler.column(token), "'" + token.getText() + "'", "a value or an operator");
            case SelectorLexer.IDENTIFIER -> {
                if (!PropertyNames.isValid(token.getText())) {
                    throw InvalidSelectorException.expected(
                            SelectorCompiler.column(token), token.getText(), "a name that is a Java identifier");
                }
            }
            default -> {
                // A word of the language.
            }
        }
    }
}
