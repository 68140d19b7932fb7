/** Byte order marks, with the encoding that each states. */
const marks: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/**
 * The text of a file or page: by its byte order mark, else by the encoding that it states, else as UTF-8 or
 * UTF-16 where it is valid, else as windows-1255 where it looks Hebrew, else as windows-1252. Bytes that have no
 * character become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, stated?: string): string {
  const marked = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  const encoding = marked?.[1] ?? knownEncoding(stated) ?? guessed(bytes);
  return new TextDecoder(encoding).decode(bytes);
}

function knownEncoding(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

const sampleBytes = 4096;

function guessed(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, sampleBytes);
  const zerosAt = (parity: 0 | 1): number =>
    sample.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  // In UTF-16 the signs of a table are ASCII, so that each has a zero byte.
  if (zerosAt(1) > sample.length / 20 && zerosAt(0) === 0) return "utf-16le";
  if (zerosAt(0) > sample.length / 20 && zerosAt(1) === 0) return "utf-16be";
  try {
    // With `stream`, a character that was cut off at the end is no error.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return "utf-8";
  } catch {
    return looksHebrew(bytes) ? "windows-1255" : "windows-1252";
  }
}

/** Hebrew words are of bytes that follow each other; accented characters stand alone between ASCII. */
function looksHebrew(bytes: Uint8Array): boolean {
  let hebrew = 0;
  let beside = 0;
  let isBefore = false;
  for (const byte of bytes) {
    const isHebrew = byte >= 0xe0 && byte <= 0xfa;
    if (isHebrew) hebrew += 1;
    if (isHebrew && isBefore) beside += 1;
    isBefore = isHebrew;
  }
  return beside > hebrew / 3;
}
