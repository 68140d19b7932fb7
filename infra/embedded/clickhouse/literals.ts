import { refusal } from "./engine-error.ts";

/**
 * A ClickHouse string literal of any text. Backslash and quote are the only characters that mean
 * something inside one.
 */
export function stringLiteral(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** A quoted ClickHouse identifier of any text. */
export function quotedIdentifier(text: string): string {
  return `\`${text.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}

/** A format's name is written into the statement, so it must be nothing but a name. */
export function checkedFormat(name: string): string {
  if (/^\w+$/.test(name)) return name;
  throw refusal("UNKNOWN_FORMAT", "Unknown format.");
}
