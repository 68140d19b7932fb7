/**
 * Addresses for the scan drill: the n-th planted address is a public one of its own, IPv6 for
 * every fifth. They spread over the address space so that real location lookups happen.
 */
export function plantedAddress(n: number): string {
  // A multiplicative walk over 2^32 visits every value once (odd multiplier).
  const value = (Math.imul(n + 1, 0x9e3779b1) >>> 0) + 0;
  if (n % 5 === 4) {
    const hex = value.toString(16).padStart(8, "0");
    const tail = (n + 0x1000).toString(16);
    return `2a0d:6fc0:${stripZeros(hex.slice(0, 4))}:${stripZeros(hex.slice(4))}:a11:b22:c33:${tail.slice(-4)}`;
  }
  const first = 11 + (value % 180);
  return `${first}.${(value >>> 8) & 255}.${(value >>> 16) & 255}.${(value >>> 24) & 255}`;
}

function stripZeros(group: string): string {
  return group.replace(/^0{1,3}/, "");
}

const addressLike = /(?:\d{1,3}\.){3}\d{1,3}|(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}/g;

/** The planted addresses that occur in a piece of text or binary data, each once. */
export function findPlanted(data: Buffer, planted: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  // latin1 keeps every byte as one character, so text inside binary files is seen as well.
  for (const match of data.toString("latin1").matchAll(addressLike)) {
    for (const candidate of candidates(match[0])) if (planted.has(candidate)) found.add(candidate);
  }
  return found;
}

/** Digits of a neighbouring binary field may touch an address: shorter readings count as well. */
function candidates(text: string): string[] {
  if (text.includes(":")) return [text];
  const readings = [text];
  const [head = "", ...rest] = text.split(".");
  const tail = rest.join(".");
  for (let cut = 1; cut < head.length; cut++) readings.push(`${head.slice(cut)}.${tail}`);
  return readings.flatMap((reading) => {
    const last = reading.slice(reading.lastIndexOf(".") + 1);
    const stem = reading.slice(0, reading.length - last.length);
    return Array.from({ length: last.length }, (_, cut) => stem + last.slice(0, cut + 1));
  });
}
