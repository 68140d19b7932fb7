import {
  commaList,
  httpServiceEnv,
  parseEnv,
  publicOrigin,
} from "@pro-talent/platform/config/define-env";
import { z } from "zod";

/** What the service needs to run. */
export function readServiceEnv() {
  return parseEnv(
    {
      ...httpServiceEnv,
      /** Folder of the built site: `npm run build -w web` writes it. */
      WEB_DIST: z.string().min(1),
      /** The address that visitors know, as in `https://example.com`: pages name themselves by it. */
      PUBLIC_ORIGIN: publicOrigin,
      /** Addresses of the proxies in front, whose word about the caller's address is believed. */
      TRUSTED_PROXIES: commaList,
    },
    process.env,
  );
}
