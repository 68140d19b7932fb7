import { z } from "zod";

import { readExternalUrl } from "./read-external-url.ts";

/** The canonical form of an address elsewhere. */
export const ExternalUrl = z.string().transform((text, context) => {
  const read = readExternalUrl(text);
  if ("url" in read) return read.url;
  context.addIssue({ code: "custom", message: read.fault });
  return z.NEVER;
});
