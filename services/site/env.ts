import { parseEnv, publicOrigin, trustedProxies } from "@pro-talent/platform/config/define-env";
import { z } from "zod";

const shape = {
  /** Folder of the built site: `npm run build -w web` writes it. */
  WEB_DIST: z.string().min(1),
  /** The public address, as in `https://example.com`: pages state it as their own. */
  PUBLIC_ORIGIN: publicOrigin,
  TRUSTED_PROXIES: trustedProxies,
};

/** What the service needs to run. @throws naming every variable that is missing or wrong */
export function readServiceEnv(source: Readonly<Record<string, string | undefined>>) {
  return parseEnv(shape, source);
}
