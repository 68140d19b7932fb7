import { mailSender, parseEnv, publicOrigin } from "@pro-talent/platform/config/define-env";
import { z } from "zod";

/** What previews need; what is not set is asked of the instance that is running. */
export function readPreviewEnv() {
  return parseEnv(
    {
      /** Where mail is handed in. */
      SMTP_URL: z
        .string()
        .regex(/^smtps?:\/\//, "must be a smtp:// or smtps:// address")
        .optional(),
      /** Whom mail comes from: `Name <address>`, as the host of jobs has it. */
      MAIL_FROM: mailSender.prefault("Pro Talent <hello@protalent.example>"),
      /** Where the site is. */
      PUBLIC_ORIGIN: publicOrigin.optional(),
      /** Where the running instance keeps its data and `runtime.json`. */
      DATA_DIR: z.string().min(1).default(".data"),
    },
    process.env,
  );
}
