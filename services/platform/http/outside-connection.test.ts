import { BlockList } from "node:net";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isPublicAddress } from "./outside-connection.ts";

/** What IANA lists as special-purpose, multicast or reserved for IPv4, apart from the library's own list. */
const special = [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15",
  "198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
]
  .flatMap((line) => line.split(" "))
  .map((network) => network.split("/"));
const networks = new BlockList();
for (const [address = "", bits] of special) networks.addSubnet(address, Number(bits));

const bytes = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
/** Any address, and often one at the border of a special network. */
const address = fc.oneof(
  bytes.map((parts) => parts.join(".")),
  fc
    .tuple(fc.constantFrom(...special), bytes, fc.integer({ min: -1, max: 1 }))
    .map(([[network = "", bits], [, , , last], beside]) => {
      const value = network.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
      const size = 2 ** (32 - Number(bits));
      const near = (value + beside * size + (last % size) + 2 ** 32) % 2 ** 32;
      return [24, 16, 8, 0].map((shift) => Math.floor(near / 2 ** shift) % 256).join(".");
    }),
);
const hex = (dotted: string): string =>
  dotted
    .split(".")
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join("")
    .replace(/^(.{4})(.{4})$/u, "$1:$2");

describe("an address of the public internet", () => {
  it.each(["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])(
    "is %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each(
    [
      "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.8.8.8 169.254.169.254 172.16.0.1 172.31.255.255",
      "192.0.0.8 192.0.2.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1",
      "255.255.255.255 :: ::1 fe80::1 fc00::1 fd12::1 ff02::1 2001:db8::1 fec0::1",
      // IPv4 inside IPv6: mapped, translated, 6to4, Teredo, compatible.
      "::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001::1 ::127.0.0.1",
      "no-address",
    ].flatMap((line) => line.split(" ")),
  )("is not %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it("is none of the special networks of IPv4, in no form", () => {
    fc.assert(
      fc.property(address, (dotted) => {
        const isPublic = !networks.check(dotted);
        expect(isPublicAddress(dotted)).toBe(isPublic);
        expect(isPublicAddress(`::ffff:${dotted}`)).toBe(isPublic);
        expect(isPublicAddress(`::ffff:${hex(dotted)}`)).toBe(isPublic);
        // Translated and tunnelled ones lead where a gateway of the network decides.
        for (const form of [`64:ff9b::${dotted}`, `2002:${hex(dotted)}::1`, `::${hex(dotted)}`])
          expect(isPublicAddress(form)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
