/** Some bytes, and what they stand for. */
export type Pattern<Meaning> = { readonly bytes: Buffer; readonly meaning: Meaning };

/** A shorter pattern would be found in much that has nothing to do with it. */
export const patternBytesMin = 4;

/**
 * Searches for many patterns at once, in one pass over the data: almost everywhere its next bytes begin
 * none of them.
 * @returns a function that answers with what was found, each meaning once
 * @throws RangeError when a pattern is shorter than {@link patternBytesMin}
 */
export function patternSearch<Meaning>(
  patterns: readonly Pattern<Meaning>[],
): (data: Buffer) => Set<Meaning> {
  const byPrefix = new Map<number, Pattern<Meaning>[]>();
  /** A mark for the first two bytes: quicker than the map. */
  const begins = new Uint8Array(65_536);
  for (const pattern of patterns) {
    if (pattern.bytes.length < patternBytesMin)
      throw new RangeError("A pattern is too short to be searched for");
    const prefix = pattern.bytes.readUInt32BE(0);
    begins[prefix >>> 16] = 1;
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), pattern]);
  }
  return (data) => {
    const found = new Set<Meaning>();
    for (let at = 0; at + patternBytesMin <= data.length; at += 1) {
      if (begins[((data[at] ?? 0) << 8) | (data[at + 1] ?? 0)] === 0) continue;
      for (const { bytes, meaning } of byPrefix.get(data.readUInt32BE(at)) ?? []) {
        if (data.subarray(at, at + bytes.length).equals(bytes)) found.add(meaning);
      }
    }
    return found;
  };
}
