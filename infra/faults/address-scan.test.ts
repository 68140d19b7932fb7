import { isIP } from "node:net";

import { describe, expect, it } from "vitest";

import { findPlanted, plantedAddress } from "./address-scan.ts";

describe("planted addresses", () => {
  const addresses = Array.from({ length: 20_000 }, (_, n) => plantedAddress(n));

  it("are valid addresses, IPv4 and IPv6", () => {
    expect(new Set(addresses.map((address) => isIP(address)))).toEqual(new Set([4, 6]));
  });

  it("are found in text, between binary bytes and next to other digits", () => {
    const planted = new Set(addresses.slice(0, 10));
    for (const address of planted) {
      const glue = address.includes(":") ? "\u0000" : "7";
      const data = Buffer.from(`\u0001\u0003${glue}${address}${glue}\u0000`, "latin1");
      expect(findPlanted(data, planted)).toContain(address);
    }
  });

  it("are found only where they are", () => {
    expect(findPlanted(Buffer.from("version 1.2.3.4, 10.0.0.1"), new Set(addresses))).toEqual(
      new Set(),
    );
  });
});
