import { createHash } from "node:crypto";

import { escapeHtml } from "@pro-talent/platform/mail/text-safety";

import type { DocumentView } from "./document-view.ts";

const style = `
@page{size:A4;margin:18mm 16mm}
*{box-sizing:border-box}
:root{color-scheme:light}
body{margin:0;background:#f2f0e9;color:#181e2a;font:400 15px/1.5 Heebo,Arial,sans-serif}
main{max-width:52rem;margin:2rem auto;padding:3rem;background:#fff;border-radius:8px}
header{display:flex;flex-wrap:wrap;justify-content:space-between;gap:1rem;padding-bottom:1.25rem;border-bottom:2px solid #181e2a}
h1{margin:0;font-size:1.7rem;line-height:1.2;font-weight:700}
h2{margin:0 0 .25rem;font-size:.8rem;font-weight:500;color:#4a505c}
p{margin:0}
.number{font-size:1.1rem;font-weight:500}
.brand{font-size:1.1rem;font-weight:700}
.mark{display:inline-block;margin-top:.5rem;padding:.1rem .7rem;border:1.5px solid #181e2a;border-radius:99px;font-size:.85rem;font-weight:500}
.note{margin-top:1.25rem;padding:.75rem 1rem;border-inline-start:3px solid #9a5b00;background:#fbf3e4}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1rem;margin:1.5rem 0}
dt{font-size:.8rem;color:#4a505c}
dd{margin:0;font-weight:500}
.parties{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:1.5rem;margin-bottom:2rem}
.parties strong{font-weight:700}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th{padding:.5rem .5rem;border-bottom:1px solid #181e2a;font-size:.8rem;font-weight:500;text-align:start;color:#4a505c}
tbody td{padding:.65rem .5rem;border-bottom:1px solid #dcd9d0;vertical-align:top}
.lines th:first-child{width:100%}
.lines th:first-child,.lines td:first-child{padding-inline-start:0}
.lines th:last-child,.lines td:last-child{padding-inline-end:0}
td.amount,th.amount{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.period{display:block;font-size:.8rem;color:#4a505c}
.sums{width:auto;min-width:50%;margin-block-start:.75rem;margin-inline-start:auto}
.sums th,.sums td{padding:.3rem 0;border:0;font-size:1rem;font-weight:400;color:#181e2a}
.sums .total th,.sums .total td{padding-top:.6rem;border-top:1px solid #181e2a;font-size:1.25rem;font-weight:700}
.remarks{margin-top:1.75rem}
.shekels{margin-top:1.25rem;padding:1rem 1.25rem;background:#f7f5ef;border-radius:6px}
.shekels dl{margin:.5rem 0 0}
footer{margin-top:2.5rem;font-size:.8rem;color:#4a505c}
@media(max-width:40rem){main{margin:0;padding:1.25rem;border-radius:0}th,tbody td{padding-inline:.35rem}.sums{min-width:100%}}
@media print{body{background:none;font-size:10.5pt}main{max-width:none;margin:0;padding:0}tr,.shekels{break-inside:avoid}}
`;

const styleHash = createHash("sha256").update(style).digest("base64");

/** Of the page of a document: its one style sheet, and nothing else; no script, no form, no origin. */
export const documentPolicy = `sandbox; default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;

const number = (text: string): string => `<bdi dir="ltr">${escapeHtml(text)}</bdi>`;
const valueOf = ({ text, ltr }: { readonly text: string; readonly ltr: boolean }): string =>
  ltr ? number(text) : `<bdi>${escapeHtml(text)}</bdi>`;

/** A document as a page of its own, for screens and for printing. */
export function renderHtml(view: DocumentView): string {
  const { language, direction, title, label, mark, note, remarks, footer } = view;
  return `<!DOCTYPE html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(`${title} ${label}`)}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<div><h1>${escapeHtml(title)}</h1><p class="number">${escapeHtml(view.number)} ${number(label)}</p><span class="mark">${escapeHtml(mark)}</span></div>
<p class="brand"><bdi>${escapeHtml(view.seller)}</bdi></p>
</header>
${note === null ? "" : `<p class="note">${escapeHtml(note)}</p>`}
${factsOf(view.facts)}
<div class="parties">${view.parties.map(partyOf).join("")}</div>
${tableOf(view)}
<div class="remarks">${remarks.map((remark) => `<p>${escapeHtml(remark)}</p>`).join("")}</div>
${shekelsOf(view.shekels)}
<footer>${escapeHtml(footer)}</footer>
</main>
</body>
</html>
`;
}

function factsOf(facts: DocumentView["facts"]): string {
  const rows = facts.map(
    ({ term, value }) => `<div><dt>${escapeHtml(term)}</dt><dd>${valueOf(value)}</dd></div>`,
  );
  return `<dl>${rows.join("")}</dl>`;
}

function partyOf({ heading, name, lines }: DocumentView["parties"][number]): string {
  const rest = lines.map((line) => `<br>${valueOf(line)}`).join("");
  return `<section><h2>${escapeHtml(heading)}</h2><p><strong><bdi>${escapeHtml(name)}</bdi></strong>${rest}</p></section>`;
}

function tableOf({ title, columns, rows, sums, total }: DocumentView): string {
  const head = columns.map((column, index) => {
    const look = index === 0 ? "" : ' class="amount"';
    return `<th scope="col"${look}>${escapeHtml(column)}</th>`;
  });
  const body = rows.map(
    ({ description, period, amounts }) =>
      `<tr><td>${escapeHtml(description)}<span class="period">${escapeHtml(period)}</span></td>` +
      `${amounts.map((amount) => `<td class="amount">${number(amount)}</td>`).join("")}</tr>`,
  );
  const sumOf = (look: string) => (sum: DocumentView["total"]) =>
    `<tr${look}><th scope="row">${escapeHtml(sum.term)}</th>` +
    `<td class="amount">${number(sum.amount)}</td></tr>`;
  return `<div class="scroll"><table class="lines"><caption>${escapeHtml(title)}</caption>
<thead><tr>${head.join("")}</tr></thead>
<tbody>${body.join("\n")}</tbody>
</table></div>
<table class="sums"><tbody>${sums.map(sumOf("")).join("")}${sumOf(' class="total"')(total)}</tbody></table>`;
}

function shekelsOf(shekels: DocumentView["shekels"]): string {
  if (shekels === null) return "";
  const { heading, facts } = shekels;
  return `<section class="shekels"><h2>${escapeHtml(heading)}</h2>${factsOf(facts)}</section>`;
}
