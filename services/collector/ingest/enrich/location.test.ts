import { beforeAll, describe, expect, it } from "vitest";

import { type Locate, openLocations } from "./location.ts";

describe("the coarse location of an address", () => {
  let locate: Locate;
  beforeAll(async () => {
    locate = await openLocations();
  });

  it("is country, region and city", () => {
    expect(locate("81.218.10.20")).toEqual({ country: "IL", region: "Tel Aviv", city: "Tel Aviv" });
  });

  it("is the same for an IPv4 address in its IPv6 form", () => {
    expect(locate("::ffff:81.218.10.20")).toEqual(locate("81.218.10.20"));
  });

  it("is known for IPv6 addresses too", () => {
    expect(locate("2a02:6b8::1").country).toBe("RU");
  });

  it.each([
    "127.0.0.1",
    "10.0.0.1",
    "192.168.1.1",
    "172.16.0.1",
    "169.254.1.1",
    "203.0.113.9",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fd00::1",
    "2001:db8::1",
    "",
    "unknown",
    "not an address",
    "1.2.3",
    "::ffff:nonsense",
  ])("is empty for %s", (address) => {
    expect(locate(address)).toEqual({ country: "", region: "", city: "" });
  });
});
