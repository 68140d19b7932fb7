import { createHash } from "node:crypto";

import type { Locale } from "@pro-talent/schemas/primitives/locale";

const texts = {
  en: {
    ended: "This link is not available",
    endedBody:
      "It may have ended, or a part of the address was lost. Ask the person who sent it for a new one.",
    locked: "This link asks for a password",
    lockedBody: "The person who sent it to you has it. Please type it here.",
    password: "Password",
    open: "Open",
    wrong: "That is not the password of this link. Please try again.",
    home: "To Pro Talent",
  },
  he: {
    ended: "הקישור אינו זמין",
    endedBody: "ייתכן שתוקפו הסתיים, או שחלק מהכתובת אבד. אפשר לבקש קישור חדש ממי ששלח אותו.",
    locked: "הקישור מוגן בסיסמה",
    lockedBody: "הסיסמה אצל מי ששלח את הקישור. נא להקליד אותה כאן.",
    password: "סיסמה",
    open: "פתיחה",
    wrong: "זו אינה הסיסמה של הקישור. אפשר לנסות שוב.",
    home: "אל Pro Talent",
  },
} as const satisfies Record<Locale, Record<string, string>>;

const style = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;min-block-size:100dvb;display:grid;place-items:center;padding:24px;font:17px/1.5 system-ui,sans-serif;background:#fbfaf6;color:#14181f}
main{inline-size:100%;max-inline-size:26rem;border-block-start:3px solid currentColor;padding-block-start:20px}
h1{font:600 1.7rem/1.2 Georgia,"Times New Roman",serif;margin:0 0 12px}
p{margin:0 0 16px}
label{display:block;font-weight:600;margin-block-end:6px}
input{inline-size:100%;font:inherit;padding:10px 12px;border:1px solid #6b7280;border-radius:8px;background:transparent;color:inherit}
button{margin-block-start:16px;font:inherit;font-weight:600;padding:10px 22px;min-block-size:44px;border:0;border-radius:8px;background:#14181f;color:#fbfaf6;cursor:pointer}
a{color:inherit;text-underline-offset:4px}
:focus-visible{outline:3px solid #0b7a5c;outline-offset:2px}
.wrong{border-inline-start:4px solid #b3261e;padding-inline-start:12px}
@media(prefers-color-scheme:dark){body{background:#0f131a;color:#f3f1ea}button{background:#f3f1ea;color:#0f131a}:focus-visible{outline-color:#4fd1a5}.wrong{border-color:#ff8a80}}`;

const styleHash = createHash("sha256").update(style).digest("base64");

/** Of pages that have nothing but text, this style, and at most one form. */
export const linkPagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

function page(language: Locale, title: string, content: string): string {
  const direction = language === "he" ? "rtl" : "ltr";
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title} · Pro Talent</title>
<style>${style}</style>
</head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`;
}

/** The same for every link that opens nothing, whatever the reason. */
export function unavailablePage(language: Locale): string {
  const { ended, endedBody, home } = texts[language];
  return page(language, ended, `<p>${endedBody}</p><p><a href="/">${home}</a></p>`);
}

/** @param wrong after a password that did not open the link */
export function passwordPage(language: Locale, wrong: boolean): string {
  const { locked, lockedBody, password, open, wrong: text } = texts[language];
  const notice = wrong ? `<p class="wrong" role="alert">${text}</p>` : "";
  const field = `<label for="password">${password}</label><input id="password" name="password" type="password" required autocomplete="off" autofocus>`;
  const form = `<form method="post">${field}<button>${open}</button></form>`;
  return page(language, locked, `<p>${lockedBody}</p>${notice}${form}`);
}
