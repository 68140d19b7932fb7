import MarkdownIt, { type Token } from "markdown-it";

import { IssueRefused } from "./issue.ts";

/** The elements of an issue. Headings of the Markdown stay below the mail's own title. */
const tags = [
  "p",
  "h2",
  "h3",
  "ul",
  "ol",
  "li",
  "blockquote",
  "pre",
  "hr",
  "strong",
  "em",
  "a",
  "code",
  "br",
] as const;
export type ContentTag = (typeof tags)[number];

export type ContentNode =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "element";
      readonly tag: ContentTag;
      readonly children: readonly ContentNode[];
      /** Of a link. */
      readonly href?: string;
      /** Of a numbered list: its first number. */
      readonly start?: number;
      /** A paragraph of a list without blank lines: its text only, no distance. */
      readonly tight?: boolean;
    };
export type ContentElement = Extract<ContentNode, { kind: "element" }>;

const headings: Readonly<Record<string, ContentTag>> = {
  h1: "h2",
  h2: "h2",
  h3: "h3",
  h4: "h3",
  h5: "h3",
  h6: "h3",
};
const linkProtocols = new Set(["https:", "http:", "mailto:"]);

// Links of every kind are read, so that one that is not allowed is refused instead of left as text.
const markdown = new MarkdownIt("commonmark", { html: false });
markdown.validateLink = () => true;

/**
 * Parses the Markdown of an issue into the few elements that issues have. HTML in it stays text.
 * @param origin of the site, for links that begin with a slash
 * @throws IssueRefused for an image, or a link that is neither http(s) nor mailto
 */
export function readContent(source: string, origin: string): readonly ContentNode[] {
  return grow(markdown.parse(source, {}), origin);
}

/** An element whose end has not come yet. */
type Open = { token: Token; children: ContentNode[] };

function grow(tokens: readonly Token[], origin: string): ContentNode[] {
  const root: ContentNode[] = [];
  const open: Open[] = [];
  const add = (...nodes: readonly ContentNode[]): void => {
    (open.at(-1)?.children ?? root).push(...nodes);
  };
  for (const token of tokens) {
    if (token.nesting === 1) {
      open.push({ token, children: [] });
    } else if (token.nesting === -1) {
      const ended = open.pop();
      if (ended !== undefined) add(elementOf(ended, origin));
    } else if (token.type === "inline") {
      add(...grow(token.children ?? [], origin));
    } else {
      add(leafOf(token));
    }
  }
  return root;
}

function leafOf(token: Token): ContentNode {
  const text: ContentNode = { kind: "text", text: token.content };
  switch (token.type) {
    case "text":
      return text;
    case "softbreak":
      return { kind: "text", text: "\n" };
    case "hardbreak":
      return { kind: "element", tag: "br", children: [] };
    case "hr":
      return { kind: "element", tag: "hr", children: [] };
    case "code_inline":
      return { kind: "element", tag: "code", children: [text] };
    case "code_block":
    case "fence":
      return { kind: "element", tag: "pre", children: [text] };
    case "image":
      throw new IssueRefused("it has an image; issues have none, not even from our own site");
    default:
      throw new IssueRefused(`it has something that issues do not have (${token.type})`);
  }
}

function elementOf({ token, children }: Open, origin: string): ContentElement {
  const tag = headings[token.tag] ?? tags.find((known) => known === token.tag);
  if (tag === undefined) throw new IssueRefused(`it has something unknown (${token.type})`);
  const start = token.attrGet("start");
  return {
    kind: "element",
    tag,
    children,
    ...(tag === "a" ? { href: checkedLink(String(token.attrGet("href") ?? ""), origin) } : {}),
    ...(tag === "ol" ? { start: start === null ? 1 : Number(start) } : {}),
    ...(token.hidden ? { tight: true } : {}),
  };
}

function checkedLink(href: string, origin: string): string {
  const ours = href.startsWith("/");
  const url = ours ? URL.parse(href, origin) : URL.parse(href);
  if (url === null || !linkProtocols.has(url.protocol) || (ours && url.origin !== origin)) {
    throw new IssueRefused(
      `its link "${href}" begins neither with https://, http:// or mailto: nor with a single slash`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new IssueRefused(`its link "${href}" has a name or password before the host`);
  }
  return url.href;
}
