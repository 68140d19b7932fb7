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
