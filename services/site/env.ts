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
      /** The public address, as in `https://example.com`: pages state it as their own. */
      PUBLIC_ORIGIN: publicOrigin,
      /** Addresses of the proxies in front whose X-Forwarded-For is trusted. */
      TRUSTED_PROXIES: commaList,
    },
    process.env,
  );
}
