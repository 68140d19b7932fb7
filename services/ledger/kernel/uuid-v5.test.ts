import { describe, expect, it } from "vitest";

import { uuidV5 } from "./uuid-v5.ts";

describe("an id that follows from a name", () => {
  it("is the one of the example in RFC 9562 (appendix A.4)", () => {
    const dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    expect(uuidV5(dns, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
  });
});
