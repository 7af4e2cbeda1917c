package io.millrace.coordinator.selector;

import io.millrace.coordinator.selector.Expression.Arithmetic;
import io.millrace.coordinator.selector.Expression.Kind;
import io.millrace.coordinator.selector.grammar.SelectorLexer;
import io.millrace.coordinator.selector.grammar.SelectorParser;
import io.millrace.coordinator.selector.grammar.SelectorParser.ComparisonContext;
import io.millrace.coordinator.selector.grammar.SelectorParser.ConditionContext;
import io.millrace.coordinator.selector.grammar.SelectorParser.ConjunctionContext;
import io.millrace.coordinator.selector.grammar.SelectorParser.InContext;
import io.millrace.coordinator.selector.grammar.SelectorParser.LikeContext;
import io.millrace.coordinator.selector.grammar.SelectorParser.NegationContext;
import io.millrace.coordinator.selector.grammar.SelectorParser.OperandContext;
import io.millrace.coordinator.selector.grammar.SelectorParser.ProductContext;
import io.millrace.coordinator.selector.grammar.SelectorParser.SignedContext;
import io.millrace.coordinator.selector.grammar.SelectorParser.SumContext;
import io.millrace.wire.message.PropertyKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;

/**
 * Makes an expression of a text. The parser sees to the form; here operands are checked to fit together, as far as that is known without a
 * message.
 */
final class SelectorCompiler {

    private static final String HEADER_FIELDS =
            "JMSDeliveryMode, JMSPriority, JMSMessageID, JMSTimestamp, JMSCorrelationID, JMSType,"
                    + " or a property whose name begins with JMSX or JMS_";

    private SelectorCompiler() {}

    static Expression compile(String text) {
        SelectorParser parser = new SelectorParser(SelectorTokens.of(text));
        parser.removeErrorListeners();
        parser.addErrorListener(new SyntaxErrors());
        ConditionContext whole = parser.selector().condition();
        return require(Kind.BOOLEAN, condition(whole), whole);
    }

    /** Where a token begins: 1 for the first character of the selector. */
    static int column(Token token) {
        return token.getStartIndex() + 1;
    }

    // ---- conditions ---------------------------------------------------------------------------------------------

    private static Expression condition(ConditionContext or) {
        List<ConjunctionContext> parts = or.conjunction();
        return parts.size() == 1
                ? conjunction(parts.getFirst())
                : new Expression.Or(conditions(parts, SelectorCompiler::conjunction));
    }

    private static Expression conjunction(ConjunctionContext and) {
        List<NegationContext> parts = and.negation();
        return parts.size() == 1
                ? negation(parts.getFirst())
                : new Expression.And(conditions(parts, SelectorCompiler::negation));
    }

    private static <T extends ParserRuleContext> List<Expression> conditions(
            List<T> parts, Function<T, Expression> compiler) {
        List<Expression> conditions = new ArrayList<>(parts.size());
        for (T part : parts) {
            conditions.add(require(Kind.BOOLEAN, compiler.apply(part), part));
        }
        return List.copyOf(conditions);
    }

    private static Expression negation(NegationContext not) {
        Expression compared = comparison(not.comparison());
        if (not.NOT().isEmpty()) {
            return compared;
        }
        Expression condition = require(Kind.BOOLEAN, compared, not.comparison());
        // Two of them undo each other, in three values too.
        return not.NOT().size() % 2 == 1 ? new Expression.Not(condition) : condition;
    }

    private static Expression comparison(ComparisonContext comparison) {
        SumContext leftContext = comparison.sum();
        Expression left = sum(leftContext);
        boolean negated = comparison.NOT() != null;
        if (comparison.relation() != null) {
            SumContext rightContext = comparison.relation().sum();
            Comparator comparator = comparator(comparison.relation().getStart());
            Expression right = sum(rightContext);
            if (comparator.isOrder()) {
                require(Kind.NUMBER, left, leftContext);
                require(Kind.NUMBER, right, rightContext);
            }
            return new Expression.Comparison(comparator, left, right);
        }
        if (comparison.between() != null) {
            SumContext low = comparison.between().sum(0);
            SumContext high = comparison.between().sum(1);
            return new Expression.Between(
                    require(Kind.NUMBER, left, leftContext),
                    require(Kind.NUMBER, sum(low), low),
                    require(Kind.NUMBER, sum(high), high),
                    negated);
        }
        if (comparison.in() != null) {
            return new Expression.In(requireStringField(left, leftContext), strings(comparison.in()), negated);
        }
        if (comparison.like() != null) {
            return new Expression.Like(requireStringField(left, leftContext), pattern(comparison.like()), negated);
        }
        if (comparison.isNull() != null) {
            return new Expression.IsNull(
                    requireField(left, leftContext), comparison.isNull().NOT() != null);
        }
        return left;
    }

    private static Comparator comparator(Token token) {
        return switch (token.getType()) {
            case SelectorLexer.EQUAL -> Comparator.EQUAL;
            case SelectorLexer.NOT_EQUAL -> Comparator.NOT_EQUAL;
            case SelectorLexer.LESS -> Comparator.LESS;
            case SelectorLexer.LESS_EQUAL -> Comparator.LESS_OR_EQUAL;
            case SelectorLexer.GREATER -> Comparator.GREATER;
            default -> Comparator.GREATER_OR_EQUAL;
        };
    }

    private static Set<String> strings(InContext in) {
        Set<String> strings = new HashSet<>();
        for (TerminalNode string : in.STRING()) {
            strings.add(Literals.string(string.getSymbol()));
        }
        return Set.copyOf(strings);
    }

    private static LikePattern pattern(LikeContext like) {
        String pattern = Literals.string(like.STRING(0).getSymbol());
        int escape = -1;
        if (like.ESCAPE() != null) {
            Token token = like.STRING(1).getSymbol();
            String character = Literals.string(token);
            if (character.isEmpty() || character.codePointCount(0, character.length()) > 1) {
                throw InvalidSelectorException.expected(column(token), token.getText(), "a string of one character");
            }
            escape = character.codePointAt(0);
        }
        try {
            return LikePattern.of(pattern, escape);
        } catch (IllegalArgumentException e) {
            Token token = like.STRING(0).getSymbol();
            throw InvalidSelectorException.expected(
                    column(token), token.getText(), "a character behind the last escape character");
        }
    }

    // ---- values -------------------------------------------------------------------------------------------------

    private static Expression sum(SumContext sum) {
        List<ProductContext> operands = sum.product();
        Expression first = product(operands.getFirst());
        return operands.size() == 1 ? first : arithmetic(sum, first, operands, SelectorCompiler::product);
    }

    private static Expression product(ProductContext product) {
        List<SignedContext> operands = product.signed();
        Expression first = signed(operands.getFirst());
        return operands.size() == 1 ? first : arithmetic(product, first, operands, SelectorCompiler::signed);
    }

    /** Operands and operators take turns among the children of a rule. */
    private static <T extends ParserRuleContext> Arithmetic arithmetic(
            ParserRuleContext chain, Expression first, List<T> operands, Function<T, Expression> compiler) {
        List<Arithmetic.Step> steps = new ArrayList<>(operands.size() - 1);
        for (int i = 1; i < operands.size(); i++) {
            TerminalNode operator = (TerminalNode) chain.getChild(2 * i - 1);
            T operand = operands.get(i);
            steps.add(new Arithmetic.Step(
                    operator(operator.getSymbol()), require(Kind.NUMBER, compiler.apply(operand), operand)));
        }
        return new Arithmetic(require(Kind.NUMBER, first, operands.getFirst()), List.copyOf(steps));
    }

    private static Numbers.Operator operator(Token token) {
        return switch (token.getType()) {
            case SelectorLexer.PLUS -> Numbers.Operator.PLUS;
            case SelectorLexer.MINUS -> Numbers.Operator.MINUS;
            case SelectorLexer.TIMES -> Numbers.Operator.TIMES;
            default -> Numbers.Operator.DIVIDE;
        };
    }

    private static Expression signed(SignedContext signed) {
        OperandContext operand = signed.operand();
        boolean negative = signed.MINUS().size() % 2 == 1;
        if (operand.INTEGER() != null) {
            // The sign belongs to the literal: the smallest long has no positive counterpart.
            return number(Literals.integer(operand.INTEGER().getSymbol(), negative));
        }
        Expression value = operand(operand);
        if (signed.PLUS().isEmpty() && signed.MINUS().isEmpty()) {
            return value;
        }
        require(Kind.NUMBER, value, operand);
        return value instanceof Expression.Literal(Double number, Kind kind)
                ? number(negative ? -number : number)
                : new Expression.Signed(value, negative);
    }

    private static Expression operand(OperandContext operand) {
        if (operand.condition() != null) {
            return condition(operand.condition());
        }
        Token token = operand.getStart();
        return switch (token.getType()) {
            case SelectorLexer.APPROXIMATE -> number(Literals.approximate(token));
            case SelectorLexer.STRING -> new Expression.Literal(Literals.string(token), Kind.STRING);
            case SelectorLexer.TRUE -> new Expression.Literal(true, Kind.BOOLEAN);
            case SelectorLexer.FALSE -> new Expression.Literal(false, Kind.BOOLEAN);
            default -> identifier(token);
        };
    }

    private static Expression number(Object value) {
        return new Expression.Literal(value, Kind.NUMBER);
    }

    private static Expression identifier(Token token) {
        String name = token.getText();
        HeaderField field = HeaderField.named(name);
        if (field != null) {
            return new Expression.Header(field);
        }
        if (name.startsWith("JMS") && !name.startsWith("JMSX") && !name.startsWith("JMS_")) {
            throw InvalidSelectorException.expected(column(token), name, HEADER_FIELDS);
        }
        return new Expression.Property(new PropertyKey(name));
    }

    // ---- what fits together -------------------------------------------------------------------------------------

    private static Expression require(Kind kind, Expression value, ParserRuleContext where) {
        if (value.kind() != kind && value.kind() != Kind.ANY) {
            throw refused(value, where, kind.word());
        }
        return value;
    }

    private static Expression requireField(Expression value, ParserRuleContext where) {
        if (value instanceof Expression.Property || value instanceof Expression.Header) {
            return value;
        }
        throw refused(value, where, "the name of a property or header field");
    }

    private static Expression requireStringField(Expression value, ParserRuleContext where) {
        return require(Kind.STRING, requireField(value, where), where);
    }

    private static InvalidSelectorException refused(Expression value, ParserRuleContext where, String expected) {
        return InvalidSelectorException.expected(
                column(where.getStart()), value.kind().word(), expected);
    }
}
