import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { cloudNumbers, firstBitsOfV6, type Networks, numberOfV4 } from "../networks.ts";

/**
 * Makes `networks.json.gz` from the lists of the npm package `@ip-location-db/asn` (Route Views,
 * routeviews.org, and DB-IP, db-ip.com; CC BY 4.0): the ranges of clouds alone, joined where they touch.
 *
 *     node services/collector/ingest/enrich/testing/make-networks.ts <folder of the package>
 */
const [folder = ""] = process.argv.slice(2);

type Range = [from: number, to: number];

function rangesIn(file: string, read: (address: string) => number): Range[] {
  const ranges = readFileSync(join(folder, file), "utf8")
    .split("\n")
    .flatMap((line): Range[] => {
      const [from = "", to = "", as = ""] = line.split(",", 3);
      return cloudNumbers.has(Number(as)) ? [[read(from), read(to)]] : [];
    });
  const joined: Range[] = [];
  for (const [from, to] of ranges.toSorted(([left], [right]) => left - right)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

const networks: Networks = {
  v4: rangesIn("asn-ipv4.csv", numberOfV4).flat(),
  v6: rangesIn("asn-ipv6.csv", firstBitsOfV6).flat(),
};
writeFileSync(
  join(import.meta.dirname, "../networks.json.gz"),
  gzipSync(JSON.stringify(networks), { level: 9 }),
);
process.stdout.write(
  `${networks.v4.length / 2} ranges of IPv4, ${networks.v6.length / 2} of IPv6\n`,
);
