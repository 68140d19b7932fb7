import {
  callService,
  readServiceFile,
  type ServiceAddress,
} from "@pro-talent/platform/http/service-client";
import {
  internalCvErasureCalls,
  internalCvHeldCalls,
} from "@pro-talent/schemas/studio/internal-calls";
import { z } from "zod";

import type { HeldSource } from "./held.ts";
import type { Eraser } from "./kernel/erasers.ts";

/** The variable of the domains that ask the studio. */
export const studioEnv = {
  /** Base address of the studio, which holds CVs. */
  STUDIO_URL: z.url().default("http://studio:3000"),
};

/** What the studio holds about an account, and what erases it there. */
export type CvsOver = (studio: ServiceAddress) => {
  readonly held: HeldSource;
  readonly eraser: Eraser;
};

/** Asks the studio. */
export const cvsOver: CvsOver = (studio) => ({
  held: cvsHeld(studio),
  eraser: cvsEraser(studio),
});

function cvsHeld(studio: ServiceAddress): HeldSource {
  const call = callService(studio, internalCvHeldCalls);
  const heldOf = (accountId: string) =>
    call("GET /internal/cvs/of/:accountId/held", { params: { accountId } });
  return {
    section: "cvs",
    collect: async (_context, { accountId }) => (await heldOf(accountId)).records,
    files: async function* filesOf(_context, _store, { accountId }) {
      for (const { fileId, name } of (await heldOf(accountId)).files) {
        const path = `/internal/cvs/of/${accountId}/files/${fileId}`;
        yield { name, content: await readServiceFile(studio, path) };
      }
    },
  };
}

function cvsEraser(studio: ServiceAddress): Eraser {
  const call = callService(studio, internalCvErasureCalls, 60_000);
  return {
    step: "cvs",
    tracesOf: (_context, { accountId }) =>
      call("GET /internal/cvs/of/:accountId/traces", { params: { accountId } }),
    erase: (_context, { accountId }) =>
      call("DELETE /internal/cvs/of/:accountId", { params: { accountId } }),
  };
}
