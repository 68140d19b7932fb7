import { RuleTester } from "oxlint/plugins-dev";
import { describe, it } from "vitest";

import { deciderIsSynchronous } from "./decider-is-synchronous.ts";
import { disableNeedsReason } from "./disable-needs-reason.ts";
import { noLiteralText } from "./no-literal-text.ts";

RuleTester.describe = describe;
RuleTester.it = it;

const tester = new RuleTester({
  languageOptions: { sourceType: "module", parserOptions: { lang: "tsx" } },
});

tester.run("words are written in the catalogue, not in JSX", noLiteralText, {
  valid: [
    'const a = <p>{t("key")}</p>;',
    "const a = <p> · 100 % </p>;",
    'const a = <p className="wide" data-state="open">{count}</p>;',
    'const a = <img alt="" src="a.png" />;',
    'const a = <img alt={t("logo")} />;',
    'const a = <p>{open ? t("yes") : t("no")}</p>;',
  ],
  invalid: [
    { code: "const a = <p>Hello</p>;", errors: 1 },
    { code: "const a = <p>שלום</p>;", errors: 1 },
    { code: 'const a = <p>{"Hello"}</p>;', errors: 1 },
    { code: "const a = <p>{`Hello ${name}`}</p>;", errors: 1 },
    { code: 'const a = <p>{open ? "yes" : "no"}</p>;', errors: 2 },
    { code: 'const a = <p>{open && "yes"}</p>;', errors: 1 },
    { code: 'const a = <button aria-label="Close" />;', errors: 1 },
    { code: 'const a = <button aria-label={"Close"} />;', errors: 1 },
    { code: "const a = <>Hello</>;", errors: 1 },
  ],
});

tester.run("a suppressed rule says why", disableNeedsReason, {
  valid: [
    "// oxlint-disable-next-line no-console -- the summary is for a person\nlog();",
    "/* eslint-disable no-console -- a command line tool talks */\nlog();",
    "// a comment about oxlint",
  ],
  invalid: [
    { code: "// oxlint-disable-next-line no-console\nlog();", errors: 1 },
    { code: "/* eslint-disable no-console -- why not */\nlog();", errors: 1 },
  ],
});

tester.run("a decider answers at once", deciderIsSynchronous, {
  valid: ["export function decide(state, command) { return []; }"],
  invalid: [
    { code: "export async function decide() { return []; }", errors: 1 },
    { code: "export const decide = async () => { await read(); };", errors: 2 },
    { code: "const o = { async decide() { return []; } };", errors: 1 },
  ],
});
