import { describe, expect, it } from "vitest";

import { hintedDeviceClass } from "./device-class.ts";
import { keptAgents, measureAgents } from "./testing/measure-agents.ts";
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
      "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.88 Safari/537.36 HbbTV/1.6.1 (+DRM; LGE; 50DW9900)",
      ["Chrome", 87, "webOS", "tv"],
    ],
    [
      "Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) 94.0.4606.31/7.0 TV Safari/537.36",
      ["Safari", 0, "Tizen", "tv"],
    ],
    [
      "Mozilla/5.0 (Linux; Android 9; AFTMM Build/PS7285; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36",
      ["Chrome WebView", 120, "Android", "tv"],
    ],
    [
      "Mozilla/5.0 (Linux; Android 12; BRAVIA 4K VH2 Build/STT1.230523.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.0.0 Safari/537.36",
      ["Chrome WebView", 120, "Android", "tv"],
    ],
    [
      "Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
      ["Chrome", 141, "Android", "tablet"],
    ],
    [
      "Mozilla/5.0 (Linux; Android 9; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/120.1 like Chrome/120.0.0.0 Safari/537.36",
      ["Silk", 120, "Android", "tablet"],
    ],
    [
      "Mozilla/5.0 (Linux; Android 14; A2023P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/115.0.0.0 Mobile Safari/537.36",
      ["Chrome", 115, "Android", "mobile"],
    ],
    [
      "Mozilla/5.0 (PlayStation; PlayStation 5/6.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Safari/605.1.15",
      ["Safari", 15, "PlayStation", "console"],
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.30.1234",
      ["LinkedIn", 0, "iOS", "mobile"],
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 Instagram 355.0.0.28.109 (iPhone15,2; iOS 18_1; en_US)",
      ["Instagram", 355, "iOS", "mobile"],
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 [FBAN/FBIOS;FBAV/489.0.0.1;FBBV/1]",
      ["Facebook", 489, "iOS", "mobile"],
    ],
    ["", ["", 0, "", "other"]],
  ])("of %s", (userAgent, expected) => {
    const { browser, browserMajor, os, deviceClass } = userAgentFacts(userAgent);
    expect([browser, browserMajor, os, deviceClass]).toEqual(expected);
  });

  it.each([
    ["9137W", " Mobile", "tablet"],
    ["BQ-1036L", " Mobile", "tablet"],
    ["WALPAD_8G", " Mobile", "tablet"],
    ["La_tab_link_74", " Mobile", "tablet"],
    ["Bach-W09", " Mobile", "tablet"],
    ["TB300XU", " Mobile", "tablet"],
    ["Optima 8403D 4G TS8287PL", " Mobile", "tablet"],
    ["24091RPADC", " Mobile", "tablet"],
    ["KFTT Build/IML74K", " Mobile", "tablet"],
    ["Redmi Note 9 4G", " Mobile", "mobile"],
    ["5030F_EEA", " Mobile", "mobile"],
    ["Coolpad 8297", " Mobile", "mobile"],
    ["A101SH", " Mobile", "mobile"],
    ["V2178A", "", "mobile"],
    ["Unknown X1", "", "tablet"],
    ["TD50UFGEV1 Build/RP1A.200720.011; wv", " Mobile", "tv"],
    ["AFTKA Build/PS7285; wv", " Mobile", "tv"],
    ["65MT-UDG54G", "", "tv"],
    ["WinkBox 2", " Mobile", "tv"],
    ["SKYSTREAM_3Plus", "", "tv"],
    ["moto g24 power Build/UTAS34.82-21-2; wv", " Mobile", "mobile"],
    ["Pixelbook Go", "", "desktop"],
    ["RG406V", " Mobile", "console"],
  ])("class the Android device %s, whose browser states%s, as %s", (model, stated, expected) => {
    const agent = `Mozilla/5.0 (Linux; Android 11; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0${stated} Safari/537.36`;
    expect(userAgentFacts(agent).deviceClass).toBe(expected);
  });

  it("are empty for a very long text, and quickly found", () => {
    const startedAt = performance.now();
    expect(userAgentFacts("Mozilla/".repeat(2_000)).browser).toBe("");
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe("the client hints of a device", () => {
  const android = { "sec-ch-ua-platform": '"Android"' };
  it.each([
    ["desktop", {}, "desktop"],
    ["desktop", { ...android, "sec-ch-ua-mobile": "?0" }, "tablet"],
    ["desktop", { ...android, "sec-ch-ua-mobile": "?1" }, "mobile"],
    ["mobile", { ...android, "sec-ch-ua-mobile": "?1" }, "mobile"],
    ["mobile", { ...android, "sec-ch-ua-mobile": "?1", "sec-ch-ua-model": '"SM-X710"' }, "tablet"],
    ["mobile", { ...android, "sec-ch-ua-mobile": "?1", "sec-ch-ua-model": '"Pixel 9"' }, "mobile"],
    ["mobile", { "sec-ch-ua-form-factors": '"Tablet"' }, "tablet"],
    ["mobile", { "sec-ch-ua-form-factors": '"EInk", "Watch"' }, "tablet"],
    ["tablet", { "sec-ch-ua-form-factors": '"Mobile"' }, "mobile"],
    ["desktop", { "sec-ch-ua-platform": '"Windows"', "sec-ch-ua-mobile": "?0" }, "desktop"],
    ["tv", { ...android, "sec-ch-ua-mobile": "?0" }, "tv"],
  ] as const)("make of %s with %o %s", (byAgent, headers, expected) => {
    expect(hintedDeviceClass(byAgent, headers)).toBe(expected);
  });
});

describe("the published agents of bots and people", () => {
  it("are distinguished, and people's devices are classed", () => {
    const { recall, accused, deviceClass } = measureAgents(keptAgents);
    expect(recall).toBeGreaterThanOrEqual(0.995);
    expect(accused).toEqual([]);
    expect(deviceClass).toBeGreaterThanOrEqual(0.99);
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

  it.each(["AKIAIOSFODNN7EXAMPLE", "972501234567", "jane-doe", "123456782", "+0200"])(
    "have no place for other text: %s is neither a time zone nor a kind of connection",
    (text) => {
      expect(deviceFacts({ "x-timezone": text, "x-connection-type": text.toLowerCase() })).toEqual(
        unknownDevice,
      );
    },
  );

  it.each(["UTC", "Asia/Calcutta", "Etc/GMT+2", "America/Argentina/Buenos_Aires"])(
    "name any time zone: %s",
    (timezone) => {
      expect(deviceFacts({ "x-timezone": timezone })).toMatchObject({ timezone });
    },
  );
});

describe("the class of a device without Android, and of consoles", () => {
  it.each([
    ["mobile", "Opera/9.80 (MTK; Opera Mini/2.1199/34.1244; U; id) Presto/2.8.119 Version/11.10"],
    ["mobile", "Mozilla/4.0 (compatible; MSIE 6.0; Windows CE; IEMobile 7.7) S11HT"],
    ["mobile", "KDDI-CA39 UP.Browser/6.2.0.13.1.5 (GUI) MMP/2.0"],
    [
      "desktop",
      "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36",
    ],
    ["desktop", "Mozilla/5.0 (compatible; Konqueror/3.5; NetBSD) KHTML/3.5.10 (like Gecko)"],
    ["tv", "Roku/DVP-9.10 (519.10E04111A)"],
    [
      "tv",
      "Mozilla/5.0 (X11; Linux; U; Diga; de-DE) AppleWebKit/537.11 Diga/3.7.0 Chrome/23.0 Safari/537.11",
    ],
    [
      "console",
      "Mozilla/5.0 (PS3; PPU 4.2.0) AppleWebKit/537.21+ (KHTML, like Gecko) AmazonSpark/0.1.0",
    ],
    [
      "console",
      "Mozilla/5.0 (Linux; Android 15; Switch OLED) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
    ],
  ])("is %s for %s", (device, agent) => {
    expect(userAgentFacts(agent).deviceClass).toBe(device);
  });
});
