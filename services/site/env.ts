import { commaList, parseEnv, publicOrigin } from "@pro-talent/platform/config/define-env";
import { z } from "zod";

const shape = {
  /** Folder of the built site: `npm run build -w web` writes it. */
  WEB_DIST: z.string().min(1),
  /** The address that visitors know, as in `https://example.com`: pages name themselves by it. */
  PUBLIC_ORIGIN: publicOrigin,
  /** Addresses of the proxies in front, whose forwarding headers are believed. */
  TRUSTED_PROXIES: commaList,
};

/** What the service needs to run. @throws naming every variable that is missing or wrong */
export function readServiceEnv(source: Readonly<Record<string, string | undefined>>) {
  return parseEnv(shape, source);
}
