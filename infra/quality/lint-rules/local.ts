import { deciderIsSynchronous } from "./decider-is-synchronous.ts";
import { disableNeedsReason } from "./disable-needs-reason.ts";
import { noLiteralText } from "./no-literal-text.ts";
import type { Rule } from "./rule.ts";

/** The rules of this house that no published plugin states. Loaded by oxlint as a plugin. */
const house: { meta: { name: string }; rules: Record<string, Rule> } = {
  meta: { name: "house" },
  rules: {
    "decider-is-synchronous": deciderIsSynchronous,
    "disable-needs-reason": disableNeedsReason,
    "no-literal-text": noLiteralText,
  },
};

export default house;
