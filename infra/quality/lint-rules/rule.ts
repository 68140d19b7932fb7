import type { RuleTester } from "oxlint/plugins-dev";

/**
 * The shape of a lint rule. Oxlint exports only its rule tester's types, so they are taken from there.
 */
export type Rule = Extract<
  Parameters<RuleTester["run"]>[1],
  { create: (context: never) => unknown }
>;

export type RuleContext = Parameters<Rule["create"]>[0];

type Visitor = ReturnType<Rule["create"]>;

/** What can stand between `{` and `}` in JSX. */
export type JsxExpression = Parameters<
  NonNullable<Visitor["JSXExpressionContainer"]>
>[0]["expression"];
