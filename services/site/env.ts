import { httpServiceEnv, parseEnv } from "@pro-talent/platform/config/define-env";
import { z } from "zod";

/** What the service needs to run. */
export function readServiceEnv() {
  return parseEnv(
    {
      ...httpServiceEnv,
      /** Folder of the built site: `npm run build -w web` writes it. */
      WEB_DIST: z.string().min(1),
    },
    process.env,
  );
}
