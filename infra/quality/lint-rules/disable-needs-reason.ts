import type { Rule } from "./rule.ts";

const DISABLE = /^\s*(?:oxlint|eslint)-disable/u;
/** ` -- ` followed by at least three words. */
const REASON = /\s--\s+\S+\s+\S+\s+\S+/u;

/** Refuses a lint suppression that does not say, after `--`, why it is right in this place. */
export const disableNeedsReason: Rule = {
  meta: { type: "problem" },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (DISABLE.test(comment.value) && !REASON.test(comment.value)) {
            context.report({
              loc: comment.loc,
              message: "A suppressed rule needs its reason: `-- <why it is right here>`.",
            });
          }
        }
      },
    };
  },
};
