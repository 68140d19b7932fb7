import type { ContentElement, ContentNode } from "./issue-content.ts";

const monospace = "font-family:monospace;font-size:14px";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** An issue as plain HTML: the look comes from the layout around it. */
export function contentHtml(nodes: readonly ContentNode[]): string {
  return nodes
    .map((node) => (node.kind === "text" ? escapeText(node.text) : elementHtml(node)))
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

/** An issue as plain text: blank lines between paragraphs, addresses of links behind their text. */
export function contentText(nodes: readonly ContentNode[]): string {
  return blocks(nodes, "\n\n");
}

const inlineTags: ReadonlySet<string> = new Set(["strong", "em", "a", "code", "br"]);

function isInline(node: ContentNode): boolean {
  return node.kind === "text" || inlineTags.has(node.tag);
}

/** Blocks with distance between them; inline nodes among blocks form one block. */
function blocks(nodes: readonly ContentNode[], distance: string): string {
  const texts: string[] = [];
  let inlineNodes: ContentNode[] = [];
  const endInline = (): void => {
    if (inlineNodes.length > 0) texts.push(inline(inlineNodes));
    inlineNodes = [];
  };
  for (const node of nodes) {
    if (node.kind === "text" || isInline(node)) {
      inlineNodes.push(node);
    } else {
      endInline();
      texts.push(block(node));
    }
  }
  endInline();
  return texts.join(distance);
}

function block(element: ContentElement): string {
  const { tag, children } = element;
  switch (tag) {
    case "hr":
      return "* * *";
    case "ul":
    case "ol":
      return items(element);
    case "blockquote":
      return prefixed(blocks(children, "\n\n"), "> ", "> ");
    case "pre":
      return inline(children).trimEnd();
    default:
      return inline(children);
  }
}

function items({ tag, children, start = 1 }: ContentElement): string {
  return children
    .map((item, index) => {
      const marker = tag === "ol" ? `${start + index}. ` : "- ";
      const text = item.kind === "text" ? item.text : blocks(item.children, "\n");
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

function inline(nodes: readonly ContentNode[]): string {
  return nodes.map(inlineText).join("");
}

function inlineText(node: ContentNode): string {
  if (node.kind === "text") return node.text;
  if (node.tag === "br") return "\n";
  const text = inline(node.children);
  if (node.href === undefined) return text;
  const address = node.href.replace(/^mailto:/, "");
  return text === address || text === node.href ? text : `${text} (${address})`;
}
