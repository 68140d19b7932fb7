import { readFileSync } from "node:fs";
import { isIPv4, isIPv6 } from "node:net";
import { gunzipSync } from "node:zlib";

import { z } from "zod";

/**
 * Autonomous systems of clouds, from whose machines no one reads a CV: Amazon, Microsoft, Google Cloud,
 * Oracle, IBM, Alibaba, Tencent, Huawei, DigitalOcean, Hetzner, OVH, Linode, Scaleway. Networks through which
 * people browse are not among them: of relays (Apple's through Akamai, Cloudflare and Fastly), of
 * VPNs (M247, Datacamp, Leaseweb, Vultr), of companies' gateways (Zscaler), of Google itself.
 */
export const cloudNumbers: ReadonlySet<number> = new Set([
  16_509, 14_618, 8_987, 8_075, 396_982, 31_898, 36_351, 45_102, 37_963, 132_203, 45_090, 136_907,
  55_990, 14_061, 24_940, 213_230, 16_276, 63_949, 12_876,
]);

/** Pairs of first and last address, ascending: of IPv4 as numbers, of IPv6 by their first 48 bits. */
const Networks = z.object({ v4: z.array(z.int()), v6: z.array(z.int()) });
export type Networks = z.infer<typeof Networks>;

/** The number of an IPv4 address. */
export const numberOfV4 = (address: string): number =>
  address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);

/** The first 48 bits of an IPv6 address: what one customer of a network has at least. */
export function firstBitsOfV6(address: string): number {
  const [head = "", tail] = address.split("::", 2);
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return groups.slice(0, 3).reduce((sum, group) => sum * 65_536 + Number.parseInt(group, 16), 0);
}

/** Whether the address of a request is one of a cloud. */
export type IsCloud = (address: string) => boolean;

/** Reads the list (`testing/make-networks.ts`); every look-up is in memory. */
export function openNetworks(): IsCloud {
  const packed = readFileSync(new URL("networks.json.gz", import.meta.url));
  const { v4, v6 } = Networks.parse(JSON.parse(gunzipSync(packed).toString("utf8")));
  return (address) => {
    const plain = address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
    if (isIPv4(plain)) return isWithin(v4, numberOfV4(plain));
    return isIPv6(plain) && !plain.includes(".") && isWithin(v6, firstBitsOfV6(plain));
  };
}

/** Binary search for the last range that begins at the number or before it. */
function isWithin(bounds: readonly number[], sought: number): boolean {
  let [low, high] = [0, bounds.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[2 * middle] ?? 0) <= sought) low = middle + 1;
    else high = middle;
  }
  return low > 0 && sought <= (bounds[2 * low - 1] ?? -1);
}
