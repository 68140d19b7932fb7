import type { ClientHeaders } from "@pro-talent/schemas/analytics/wire";

type DeviceSource = {
  screen: { width: number; height: number; colorDepth: number };
  innerWidth: number;
  innerHeight: number;
  devicePixelRatio: number;
  navigator: object;
  document: { documentElement: { lang: string } };
};

function property(source: unknown, name: string): unknown {
  return typeof source === "object" && source !== null ? Reflect.get(source, name) : undefined;
}

/** Prefers `Temporal`: the first use of `Intl` takes a phone some 70 ms. */
function timeZone(): string {
  return typeof Temporal === "undefined"
    ? Intl.DateTimeFormat().resolvedOptions().timeZone
    : Temporal.Now.timeZoneId();
}

/**
 * What the browser reports about the device (specification §7). Missing values are left out;
 * nothing is derived.
 */
export function deviceHeaders(source: DeviceSource): Record<string, string> {
  const memory = property(source.navigator, "deviceMemory");
  const connection = property(property(source.navigator, "connection"), "effectiveType");
  const headers: { [Name in keyof Required<ClientHeaders>]: string | undefined } = {
    "x-screen-resolution": `${source.screen.width}x${source.screen.height}`,
    "x-timezone": timeZone(),
    "x-viewport": `${source.innerWidth}x${source.innerHeight}`,
    "x-color-depth": String(source.screen.colorDepth),
    "x-pixel-ratio": String(Number(source.devicePixelRatio.toFixed(4))),
    "x-device-memory": typeof memory === "number" ? String(memory) : undefined,
    "x-connection-type": typeof connection === "string" ? connection : undefined,
    "x-automation": property(source.navigator, "webdriver") ? "1" : undefined,
    "x-page-language": source.document.documentElement.lang,
  };
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
