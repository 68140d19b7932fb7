import { RuleTester } from "oxlint/plugins-dev";
import { describe, it } from "vitest";

import { noLiteralText } from "./local.ts";

RuleTester.describe = describe;
RuleTester.it = it;

const tester = new RuleTester({
  languageOptions: { sourceType: "module", parserOptions: { lang: "tsx" } },
});

tester.run("texts are written in the catalogue, not in JSX", noLiteralText, {
  valid: [
    'const a = <p>{t("key")}</p>;',
    "const a = <p> · 100 % </p>;",
    'const a = <p className="wide" data-state="open">{count}</p>;',
    'const a = <><img alt="" src="a.png" /><img alt={t("logo")} /></>;',
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
