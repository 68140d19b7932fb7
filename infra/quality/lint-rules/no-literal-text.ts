import type { JsxExpression, Rule, RuleContext } from "./rule.ts";

/** Attributes whose value a person reads or hears. */
const SPOKEN_ATTRIBUTES = new Set([
  "alt",
  "aria-description",
  "aria-label",
  "aria-placeholder",
  "aria-roledescription",
  "aria-valuetext",
  "label",
  "placeholder",
  "title",
]);

const HAS_LETTER = /\p{L}/u;
const MESSAGE = "Words that people read belong in web/i18n, in both languages.";

/** The static text of an expression; empty when it has none. */
function staticText(node: JsxExpression): string {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : "";
  if (node.type === "TemplateLiteral") return node.quasis.map((part) => part.value.raw).join(" ");
  return "";
}

/** Every expression that `node` can become, looking through `a ? b : c`, `a && b` and `a ?? b`. */
function possibleValues(node: JsxExpression): JsxExpression[] {
  if (node.type === "ConditionalExpression") {
    return [...possibleValues(node.consequent), ...possibleValues(node.alternate)];
  }
  if (node.type === "LogicalExpression") {
    return [...possibleValues(node.left), ...possibleValues(node.right)];
  }
  return [node];
}

function reportText(context: RuleContext, node: JsxExpression): void {
  for (const value of possibleValues(node)) {
    if (HAS_LETTER.test(staticText(value))) context.report({ node: value, message: MESSAGE });
  }
}

/**
 * Refuses words written into JSX: text children, `{'text'}` children and spoken attributes. Numbers,
 * punctuation and symbols are allowed; brand names belong in the catalogue too.
 */
export const noLiteralText: Rule = {
  meta: { type: "problem" },
  create(context) {
    return {
      JSXText(node) {
        if (HAS_LETTER.test(node.value)) context.report({ node, message: MESSAGE });
      },
      JSXExpressionContainer(node) {
        if (node.parent.type === "JSXElement" || node.parent.type === "JSXFragment") {
          reportText(context, node.expression);
        }
      },
      JSXAttribute(node) {
        const name = node.name.type === "JSXIdentifier" ? node.name.name : "";
        if (!SPOKEN_ATTRIBUTES.has(name) || node.value === null) return;
        if (node.value.type === "JSXExpressionContainer")
          reportText(context, node.value.expression);
        if (node.value.type === "Literal" && HAS_LETTER.test(node.value.value)) {
          context.report({ node: node.value, message: MESSAGE });
        }
      },
    };
  },
};
