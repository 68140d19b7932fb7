/**
 * What no reader sees but machines read: controls, lone surrogates, noncharacters, soft hyphens, zero width
 * spaces, and marks, embeddings, overrides and isolates of direction. Joiners stay, emoji and Persian need them.
 */
const invisible =
  /[\p{Cc}\p{Cs}\u{AD}\u{61C}\u{180E}\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{FFFE}\u{FFFF}\u{1FFFE}\u{1FFFF}\u{E0000}-\u{E001F}]/gu;
const spaces = /[\s\u{2028}\u{2029}\u{85}]+/gu;

/** Text on one line in composed form (NFC), without invisible characters; spaces at its ends stay. */
export function cleanRun(text: string): string {
  return text.replaceAll(spaces, " ").replaceAll(invisible, "").normalize("NFC");
}

/** The same, without spaces at its ends and without repeated ones. */
export function cleanLine(text: string): string {
  return cleanRun(text).replaceAll(/ {2,}/g, " ").trim();
}
