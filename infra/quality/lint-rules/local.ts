import type { RuleTester } from "oxlint/plugins-dev";

/** The shape of a lint rule; oxlint exports only the types of its rule tester. */
type Rule = Extract<Parameters<RuleTester["run"]>[1], { create: (context: never) => unknown }>;
type Visitor = ReturnType<Rule["create"]>;
/** What can be between `{` and `}` in JSX. */
type Expression = Parameters<NonNullable<Visitor["JSXExpressionContainer"]>>[0]["expression"];

/** Attributes whose value a visitor reads or hears. */
const TEXT_ATTRIBUTE =
  /^(?:alt|aria-(?:description|label|placeholder|roledescription|valuetext)|label|placeholder|title)$/u;
const HAS_TEXT = /\p{L}/u;

/** The static texts that an expression can become; `a ? b : c`, `a && b` and `a ?? b` have two. */
function staticTexts(node: Expression): { node: Expression; text: string }[] {
  switch (node.type) {
    case "ConditionalExpression":
      return [...staticTexts(node.consequent), ...staticTexts(node.alternate)];
    case "LogicalExpression":
      return [...staticTexts(node.left), ...staticTexts(node.right)];
    case "TemplateLiteral":
      return [{ node, text: node.quasis.map((part) => part.value.raw).join(" ") }];
    case "Literal":
      return typeof node.value === "string" ? [{ node, text: node.value }] : [];
    default:
      return [];
  }
}

/**
 * Refuses texts in JSX: children, `{'text'}` children and attributes that are read. Numbers,
 * punctuation and symbols are allowed; brand names belong in the catalogue too.
 */
export const noLiteralText: Rule = {
  meta: { type: "problem" },
  create(context) {
    const message = "Texts for visitors belong in web/i18n, in both languages.";
    const judge = (expression: Expression): void => {
      for (const { node, text } of staticTexts(expression))
        if (HAS_TEXT.test(text)) context.report({ node, message });
    };
    return {
      JSXText(node) {
        if (HAS_TEXT.test(node.value)) context.report({ node, message });
      },
      JSXExpressionContainer(node) {
        if (/^JSX(?:Element|Fragment)$/u.test(node.parent.type)) judge(node.expression);
      },
      JSXAttribute(node) {
        const { name, value } = node;
        if (name.type !== "JSXIdentifier" || !TEXT_ATTRIBUTE.test(name.name)) return;
        if (value?.type === "JSXExpressionContainer") judge(value.expression);
        if (value?.type === "Literal") judge(value);
      },
    };
  },
};

const local: { meta: { name: string }; rules: Record<string, Rule> } = {
  meta: { name: "local" },
  rules: { "no-literal-text": noLiteralText },
};

export default local;
