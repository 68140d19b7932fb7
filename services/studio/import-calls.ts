import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { cvCalls } from "@pro-talent/schemas/studio/calls";

import { importJsonResume } from "./import/json-resume.ts";

/** Reads files into documents; nothing is stored. */
export function importHandlers(): CallHandlers<Pick<typeof cvCalls, "POST /api/cvs/import">> {
  return {
    "POST /api/cvs/import": async ({ body: { content, language } }, { refuse }) => {
      const value = parsedJson(Buffer.from(content, "base64").toString("utf8"));
      if (value === undefined) return refuse("import_unreadable");
      const { document, findings } = importJsonResume(value, language);
      return { source: "json-resume" as const, document, findings: [...findings] };
    },
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
