import type { LetterElement, LetterNode } from "./letter-tree.ts";

/** The letter as plain text: blank lines between paragraphs, addresses of links behind their words. */
export function letterText(nodes: readonly LetterNode[]): string {
  return blocks(nodes, "\n\n");
}

const inlineTags: ReadonlySet<string> = new Set(["strong", "em", "a", "code", "br"]);

function isInline(node: LetterNode): boolean {
  return node.kind === "text" || inlineTags.has(node.tag);
}

/** Blocks with distance between them; words that stand among blocks are one block together. */
function blocks(nodes: readonly LetterNode[], distance: string): string {
  const texts: string[] = [];
  let words: LetterNode[] = [];
  const endWords = (): void => {
    if (words.length > 0) texts.push(inline(words));
    words = [];
  };
  for (const node of nodes) {
    if (node.kind === "text" || isInline(node)) {
      words.push(node);
    } else {
      endWords();
      texts.push(block(node));
    }
  }
  endWords();
  return texts.join(distance);
}

function block(element: LetterElement): string {
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

function items({ tag, children, start = 1 }: LetterElement): string {
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

function inline(nodes: readonly LetterNode[]): string {
  return nodes.map(inlineText).join("");
}

function inlineText(node: LetterNode): string {
  if (node.kind === "text") return node.text;
  if (node.tag === "br") return "\n";
  const text = inline(node.children);
  if (node.href === undefined) return text;
  const address = node.href.replace(/^mailto:/, "");
  return text === address || text === node.href ? text : `${text} (${address})`;
}
