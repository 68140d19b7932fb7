import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { cvCalls } from "@pro-talent/schemas/studio/calls";

import { readImport } from "./import/read-import.ts";

/** Reads files into documents; nothing is stored. */
export function importHandlers(): CallHandlers<Pick<typeof cvCalls, "POST /api/cvs/import">> {
  return {
    "POST /api/cvs/import": async ({ body: { content, language } }, { refuse }) => {
      const read = await readImport(Buffer.from(content, "base64"), language);
      if ("refused" in read) return refuse(read.refused);
      return { ...read, findings: [...read.findings] };
    },
  };
}
