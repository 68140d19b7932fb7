import { visibleText } from "./visible-text.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as content or as a quoted attribute of HTML: never a tag, never the end of the attribute. */
export function escapeHtml(text: string): string {
  return visibleText(text).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? "");
}

/** The same, with its lines as lines. */
export function escapeLines(text: string): string {
  return escapeHtml(text).replaceAll("\n", "<br>");
}

/**
 * A web or mail address in its canonical form, which is ASCII without spaces, quotes or brackets.
 * @throws {TypeError} when it is anything else, such as a script
 */
export function linkTarget(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^(?:https?|mailto):$/.test(parsed.protocol)) {
    throw new TypeError("A link in a mail leads to a web or mail address.");
  }
  return parsed.href;
}
