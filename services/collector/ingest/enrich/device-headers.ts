import type { IncomingHttpHeaders } from "node:http";

import { ClientHeaders } from "@pro-talent/schemas/analytics/client-headers";

/** What a browser told about its device (specification §7), as columns of an event. */
export type DeviceFacts = {
  screen: string;
  viewport: string;
  timezone: string;
  color_depth: number;
  pixel_ratio: number;
  device_memory: number;
  connection_type: string;
};

/** Nothing told; what every event but a session's start has. */
export const untoldDevice: DeviceFacts = {
  screen: "",
  viewport: "",
  timezone: "",
  color_depth: 0,
  pixel_ratio: 0,
  device_memory: 0,
  connection_type: "",
};

/** Reads the device headers; each one that is missing or strange is left out alone. */
export function deviceFacts(headers: IncomingHttpHeaders): DeviceFacts {
  const told = ClientHeaders.parse(headers);
  return {
    screen: told["x-screen-resolution"] ?? "",
    viewport: told["x-viewport"] ?? "",
    timezone: told["x-timezone"] ?? "",
    color_depth: Number(told["x-color-depth"] ?? 0),
    pixel_ratio: Number(told["x-pixel-ratio"] ?? 0),
    device_memory: Number(told["x-device-memory"] ?? 0),
    connection_type: told["x-connection-type"] ?? "",
  };
}
