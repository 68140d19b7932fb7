/** Choices that look random and are the same for the same seed. */
export type Chance = ReturnType<typeof createChance>;

/** The generator mulberry32: 32 bits of state, enough for test data. */
export function createChance(seed: number) {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(fraction() * n);
  const pick = <T>(values: readonly T[]): T => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error("Nothing to pick from");
    return value;
  };
  const text = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join("");
  return { below, pick, text, digits: (length: number): string => text(length, "0123456789") };
}

export const alphabets = {
  hex: "0123456789abcdef",
  base36: "0123456789abcdefghijklmnopqrstuvwxyz",
  base62: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  base64url: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_",
  crockford: "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
};
