import { describe, expect, it } from "vitest";

import { userAgentFacts } from "./user-agent.ts";
import { deviceFacts, unknownDevice } from "./visit.ts";

describe("the families of a user agent", () => {
  it.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
      ["Chrome", 141, "Windows", "desktop"],
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:142.0) Gecko/20100101 Firefox/142.0",
      ["Firefox", 142, "Mac OS", "desktop"],
    ],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
      ["Edge", 141, "Linux", "desktop"],
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
      ["Mobile Safari", 18, "iOS", "mobile"],
    ],
    [
      "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      ["Mobile Safari", 17, "iOS", "tablet"],
    ],
    [
      "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
      ["Chrome", 141, "Android", "mobile"],
    ],
    [
      "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.128 Safari/537.36 WebAppManager",
      ["Chrome", 94, "webOS", "tv"],
    ],
    [
      "Mozilla/5.0 (PlayStation; PlayStation 5/6.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Safari/605.1.15",
      ["Safari", 15, "PlayStation", "console"],
    ],
    ["", ["", 0, "", "other"]],
  ])("of %s", (userAgent, expected) => {
    const { browser, browserMajor, os, deviceClass } = userAgentFacts(userAgent);
    expect([browser, browserMajor, os, deviceClass]).toEqual(expected);
  });

  it("are empty for a very long text, and quickly found", () => {
    const startedAt = performance.now();
    expect(userAgentFacts("Mozilla/".repeat(2_000)).browser).toBe("");
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe("the device headers", () => {
  it("are read as the specification's client sends them", () => {
    expect(
      deviceFacts({
        "x-screen-resolution": "1920x1080",
        "x-timezone": "Asia/Jerusalem",
        "x-viewport": "1280x720",
        "x-color-depth": "24",
        "x-pixel-ratio": "1.5",
        "x-device-memory": "8",
        "x-connection-type": "4g",
      }),
    ).toEqual({
      screen: "1920x1080",
      viewport: "1280x720",
      timezone: "Asia/Jerusalem",
      color_depth: 24,
      pixel_ratio: 1.5,
      device_memory: 8,
      connection_type: "4g",
    });
  });

  it("are left out one by one when they are missing or unusable", () => {
    expect(deviceFacts({})).toEqual(unknownDevice);
    expect(
      deviceFacts({ "x-screen-resolution": "huge", "x-viewport": "1x1", "x-color-depth": "-1" }),
    ).toEqual({ ...unknownDevice, viewport: "1x1" });
  });
});
