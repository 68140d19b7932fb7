import { analyticsPaths, ClientHeaders } from "@pro-talent/schemas/analytics/wire";
import { consentPaths } from "@pro-talent/schemas/consent/calls";
import { expect, test } from "vitest";

import { receiptPath } from "../features/consent/consent-choice.ts";
import { paths } from "./calls.ts";
import { deviceHeaders } from "./device-headers.ts";
import { batchPath } from "./measurement/batch.ts";
import { readPrivacySignal } from "./privacy-signal.ts";

test("the browser calls the paths of the contract", () => {
  const { serverEvents: _ofServers, ...ofBrowsers } = analyticsPaths;
  expect({ ...paths, trackEvents: batchPath }).toEqual(ofBrowsers);
  expect(receiptPath).toBe(consentPaths.receipt);
});

test("every device header passes the contract as it is", () => {
  const headers = deviceHeaders({
    screen: { width: 2560, height: 1440, colorDepth: 24 },
    innerWidth: 1280,
    innerHeight: 713,
    devicePixelRatio: 1.333_333_4,
    document: { documentElement: { lang: "he" } },
    navigator: { deviceMemory: 0.5, connection: { effectiveType: "4g" }, webdriver: true },
  });
  expect(Object.keys(headers)).toHaveLength(9);
  expect(ClientHeaders.parse(headers)).toEqual(headers);
});

test("what a browser does not state is left out", () => {
  const headers = deviceHeaders({
    screen: { width: 360, height: 780, colorDepth: 24 },
    innerWidth: 360,
    innerHeight: 640,
    devicePixelRatio: 3,
    document: { documentElement: { lang: "" } },
    navigator: {},
  });
  expect(headers).not.toHaveProperty("x-device-memory");
  expect(headers).not.toHaveProperty("x-connection-type");
});

test.each([
  [{ navigator: { doNotTrack: "1" } }, "dnt"],
  [{ navigator: { doNotTrack: "yes" } }, "dnt"],
  [{ navigator: {}, doNotTrack: "1" }, "dnt"],
  [{ navigator: { msDoNotTrack: "1" } }, "dnt"],
  [{ navigator: { doNotTrack: "0" }, doNotTrack: "0" }, undefined],
  [{ navigator: { doNotTrack: null }, doNotTrack: null }, undefined],
  [{ navigator: { doNotTrack: "1", globalPrivacyControl: true } }, "dnt"],
  [{ navigator: { doNotTrack: null, globalPrivacyControl: true } }, "gpc"],
  [{ navigator: { globalPrivacyControl: false } }, undefined],
])("the signal of %j is %s", (source, signal) => {
  expect(readPrivacySignal(source)).toBe(signal);
});
