import type { LetterElement, LetterNode } from "./letter-tree.ts";

const monospace = "font-family:monospace;font-size:14px";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** The letter as plain HTML: the look comes from the layout that it is put into. */
export function letterHtml(nodes: readonly LetterNode[]): string {
  return nodes
    .map((node) => (node.kind === "text" ? escapeText(node.text) : elementHtml(node)))
    .join("");
}

function elementHtml(element: LetterElement): string {
  const { tag, children, href, start = 1 } = element;
  const inner = letterHtml(children);
  if (element.tight === true) return inner;
  switch (tag) {
    case "br":
      return "<br>";
    case "hr":
      return "<hr>\n";
    case "code":
      return `<code style="${monospace}">${inner}</code>`;
    case "pre":
      // The layout colours paragraphs; mail programs know little of pre.
      return `<p><code style="${monospace};white-space:pre-wrap">${inner}</code></p>\n`;
    case "a":
      return `<a href="${escapeText(href ?? "")}">${inner}</a>`;
    case "strong":
    case "em":
      return `<${tag}>${inner}</${tag}>`;
    case "ol":
      return `<ol${start === 1 ? "" : ` start="${start}"`}>${inner}</ol>\n`;
    default:
      return `<${tag}>${inner}</${tag}>\n`;
  }
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);
}
