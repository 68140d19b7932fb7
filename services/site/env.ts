import { commaList, httpServiceEnv, parseEnv } from "@pro-talent/platform/config/define-env";
import { z } from "zod";

/** What the service needs to run. */
export function readServiceEnv() {
  return parseEnv(
    {
      ...httpServiceEnv,
      /** Folder of the built site: `npm run build -w web` writes it. */
      WEB_DIST: z.string().min(1),
      /** The address that visitors know, as in `https://example.com`: pages name themselves by it. */
      PUBLIC_ORIGIN: z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin),
      /** Addresses of the proxies in front, whose word about the caller's address is believed. */
      TRUSTED_PROXIES: commaList,
    },
    process.env,
  );
}
