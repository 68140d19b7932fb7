import type { Rule } from "./rule.ts";

const MESSAGE = "A decider answers at once from its arguments: no async, no await.";

/** Refuses asynchronous code in deciders, which must be pure functions of state and command. */
export const deciderIsSynchronous: Rule = {
  meta: { type: "problem" },
  create(context) {
    return {
      AwaitExpression(node) {
        context.report({ node, message: MESSAGE });
      },
      FunctionDeclaration(node) {
        if (node.async) context.report({ node, message: MESSAGE });
      },
      FunctionExpression(node) {
        if (node.async) context.report({ node, message: MESSAGE });
      },
      ArrowFunctionExpression(node) {
        if (node.async) context.report({ node, message: MESSAGE });
      },
    };
  },
};
