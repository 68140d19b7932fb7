/**
 * Decodes one LZ4 block (no frame).
 * Source: the LZ4 block format description, https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 * @throws when the block is damaged or does not fill `size` bytes exactly
 */
export function decodeLz4Block(input: Buffer, size: number): Buffer {
  const output = Buffer.alloc(size);
  let from = 0;
  let to = 0;
  const length = (nibble: number): number => {
    let total = nibble;
    if (nibble !== 15) return total;
    for (;;) {
      const more = input.readUInt8(from++);
      total += more;
      if (more !== 255) return total;
    }
  };
  while (from < input.length) {
    const token = input.readUInt8(from++);
    const literals = length(token >> 4);
    input.copy(output, to, from, from + literals);
    from += literals;
    to += literals;
    // The last sequence has literals only.
    if (from >= input.length) break;
    const distance = input.readUInt16LE(from);
    from += 2;
    const matched = length(token & 15) + 4;
    if (distance === 0 || distance > to) throw new Error("Damaged LZ4 block");
    // Overlapping copies repeat what was just written, so bytes are copied one by one.
    const end = to + matched;
    for (; to < end; to++) output[to] = output.readUInt8(to - distance);
  }
  if (to !== size) throw new Error(`LZ4 block gave ${to} of ${size} bytes`);
  return output;
}
