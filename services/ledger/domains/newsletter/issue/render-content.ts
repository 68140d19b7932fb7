import MarkdownIt from "markdown-it";

import type { ContentElement, ContentNode } from "./issue-content.ts";

const monospace = "font-family:monospace;font-size:14px";

const { escapeHtml } = new MarkdownIt().utils;

/** An issue as plain HTML: the look comes from the layout around it. */
export function contentHtml(nodes: readonly ContentNode[]): string {
  return nodes
    .map((node) => (node.kind === "text" ? escapeHtml(node.text) : elementHtml(node)))
    .join("");
}

function elementHtml(element: ContentElement): string {
  const { tag, children, href, start = 1 } = element;
  const inner = contentHtml(children);
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
      return `<a href="${escapeHtml(href ?? "")}">${inner}</a>`;
    case "strong":
    case "em":
      return `<${tag}>${inner}</${tag}>`;
    case "ol":
      return `<ol${start === 1 ? "" : ` start="${start}"`}>${inner}</ol>\n`;
    default:
      return `<${tag}>${inner}</${tag}>\n`;
  }
}

/** An issue as plain text: blank lines between paragraphs, addresses of links behind their text. */
export function contentText(nodes: readonly ContentNode[]): string {
  return joined(nodes, "\n\n");
}

function joined(nodes: readonly ContentNode[], distance = ""): string {
  return nodes.map(nodeText).join(distance);
}

function nodeText(node: ContentNode): string {
  if (node.kind === "text") return node.text;
  const { tag, children, href } = node;
  switch (tag) {
    case "br":
      return "\n";
    case "hr":
      return "* * *";
    case "ul":
    case "ol":
      return items(node);
    case "blockquote":
      return prefixed(contentText(children), "> ", "> ");
    case "pre":
      return joined(children).trimEnd();
    case "a":
      return linkText(joined(children), href ?? "");
    default:
      return joined(children);
  }
}

function items({ tag, children, start = 1 }: ContentElement): string {
  return children
    .map((item, index) => {
      const marker = tag === "ol" ? `${start + index}. ` : "- ";
      const text = item.kind === "text" ? item.text : joined(item.children, "\n");
      return prefixed(text, marker, " ".repeat(marker.length));
    })
    .join("\n");
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split("\n")
    .map((line, index) => `${index === 0 ? first : others}${line}`.trimEnd())
    .join("\n");
}

function linkText(text: string, href: string): string {
  const address = href.replace(/^mailto:/, "");
  return text === address || text === href ? text : `${text} (${address})`;
}
