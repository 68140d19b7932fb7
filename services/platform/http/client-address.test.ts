import { SocketAddress } from "node:net";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createClientAddress, namesAddresses } from "./client-address.ts";

const byte = fc.nat({ max: 255 });
const group = fc.nat({ max: 0xff_ff });
const ipv4 = fc.tuple(byte, byte, byte).map((rest) => `203.${rest.join(".")}`);
const ipv6 = fc
  .array(group, { minLength: 7, maxLength: 7 })
  .map((rest) => ["2001", ...rest.map((part) => part.toString(16))].join(":"));
const proxy = fc.oneof(
  byte.map((last) => `10.0.0.${last}`),
  group.map((last) => `fd00::${last.toString(16)}`),
);
const canonical = (address: string): string =>
  address.includes(":") ? new SocketAddress({ address, family: "ipv6" }).address : address;

/** One of the spellings in which proxies write an address. */
const spelled = (address: string): fc.Arbitrary<string> => {
  const port = fc.nat({ max: 65_535 });
  const spaced = (text: fc.Arbitrary<string>) =>
    fc
      .tuple(fc.constantFrom("", " ", "\t"), text, fc.constantFrom("", " "))
      .map((parts) => parts.join(""));
  const plain = fc.constant(address);
  return address.includes(":")
    ? spaced(
        fc.oneof(
          plain,
          plain.map((text) => text.toUpperCase()),
          plain.map((text) => `[${text}]`),
          port.map((number) => `[${address}]:${number}`),
          plain.map((text) => `${text}%eth0`),
        ),
      )
    : spaced(
        fc.oneof(
          plain,
          plain.map((text) => `::ffff:${text}`),
          plain.map((text) => `[::FFFF:${text}]:443`),
          port.map((number) => `${address}:${number}`),
        ),
      );
};

const invented = fc.oneof(
  ipv4,
  ipv6,
  proxy,
  fc.constantFrom("unknown", "", "_hidden", "for=203.0.113.9", "256.1.1.1", "1.2.3", "[::1", "::g"),
  fc.string({ maxLength: 100 }),
);

describe("the client of a request", () => {
  const clientAddress = createClientAddress(["10.0.0.0/8", "fd00::/16"]);

  it("is who the outermost trusted proxy saw, whatever the client itself claims", () => {
    const visit = fc
      .record({
        claims: fc.array(invented, { maxLength: 200 }),
        client: fc.oneof(ipv4, ipv6),
        hops: fc.array(proxy, { maxLength: 4 }),
        peer: proxy,
      })
      .chain(({ hops, ...rest }) =>
        fc.record({
          claims: fc.constant(rest.claims),
          client: fc.constant(rest.client),
          peer: fc.constant(rest.peer),
          seen: fc.tuple(...[rest.client, ...hops].map(spelled)),
        }),
      );
    fc.assert(
      fc.property(visit, ({ claims, client, seen, peer }) => {
        expect(clientAddress(peer, [...claims, ...seen].join(","))).toBe(canonical(client));
      }),
    );
  });

  it("is the peer itself unless that is a trusted proxy", () => {
    const peer = fc.oneof(ipv4, ipv6);
    fc.assert(
      fc.property(peer, fc.array(invented, { maxLength: 50 }), (address, claims) => {
        expect(clientAddress(address, claims.join(","))).toBe(canonical(address));
        expect(createClientAddress([])(address, claims.join(","))).toBe(canonical(address));
      }),
    );
  });

  it("is the proxy that wrote what is no address", () => {
    for (const entry of ["unknown", "", " ", "256.1.1.1", "203.0.113.9 203.0.113.10", "[::1"]) {
      expect(clientAddress("10.0.0.1", `203.0.113.9, ${entry}, 10.0.0.2`)).toBe("10.0.0.2");
      expect(clientAddress("10.0.0.1", `203.0.113.9, ${entry}`)).toBe("10.0.0.1");
    }
  });

  it("is the furthest proxy where only proxies are named, and the peer where none is", () => {
    expect(clientAddress("10.0.0.1", "10.0.0.3, 10.0.0.2")).toBe("10.0.0.3");
    expect(clientAddress("10.0.0.1", undefined)).toBe("10.0.0.1");
    expect(clientAddress("::ffff:10.0.0.1", "")).toBe("10.0.0.1");
    expect(clientAddress(undefined, "203.0.113.9")).toBe("");
  });

  it("is found in several header lines and behind 200 entries", () => {
    expect(clientAddress("10.0.0.1", ["198.51.100.7", "203.0.113.9, 10.0.0.2"])).toBe(
      "203.0.113.9",
    );
    const hops = Array.from({ length: 200 }, (_, index) => `10.0.1.${index}`);
    expect(clientAddress("10.0.0.1", ["203.0.113.9", ...hops].join(", "))).toBe("203.0.113.9");
  });
});

describe("a trusted proxy", () => {
  it("is named by its address, its network, or as private", () => {
    const ofPrivate = createClientAddress(["private"]);
    for (const peer of ["10.1.2.3", "172.31.0.1", "192.168.9.9", "127.0.0.1", "::1", "fd12::1"]) {
      expect(ofPrivate(peer, "203.0.113.9")).toBe("203.0.113.9");
    }
    for (const peer of ["172.32.0.1", "11.0.0.1", "fe80::1", "2001:db8::1"]) {
      expect(ofPrivate(peer, "203.0.113.9")).toBe(peer);
    }
    const one = createClientAddress(["2001:DB8::7", "198.51.100.7/30"]);
    expect(one("2001:db8:0::7", "203.0.113.9")).toBe("203.0.113.9");
    expect(one("198.51.100.4", "203.0.113.9")).toBe("203.0.113.9");
    expect(one("198.51.100.8", "203.0.113.9")).toBe("198.51.100.8");
  });

  it("is not named by anything else, nor can everyone be", () => {
    const wrong = [
      "",
      "localhost",
      "10.0.0.0/33",
      "::/129",
      "10.0.0/8",
      "10.0.0.1:80",
      "fe80::1%a",
    ];
    for (const entry of [...wrong, "0.0.0.0/0", "::/0", "*", "10.0.0.1/", "10.0.0.1/a"]) {
      expect(namesAddresses(entry)).toBe(false);
      expect(() => createClientAddress([entry])).toThrow("names no addresses");
    }
  });
});
