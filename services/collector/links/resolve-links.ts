import {
  callService,
  readServiceFile,
  type ServiceAddress,
} from "@pro-talent/platform/http/service-client";
import { internalLinkCalls } from "@pro-talent/schemas/links/calls";
import type { ReportReason } from "@pro-talent/schemas/links/report-reasons";
import { LRUCache } from "lru-cache";
import type { z } from "zod";

const resolveCall = "POST /internal/links/resolve";
export type ResolvedLink = z.output<(typeof internalLinkCalls)[typeof resolveCall]["answer"]>;

/** What links open, as the ledger states it. */
export type Links = {
  /** @throws when the ledger does not answer and nothing is known */
  readonly resolve: (code: string) => Promise<ResolvedLink>;
  /** Whether a password opens a link; asked each time. @throws when the ledger does not answer */
  readonly unlock: (linkId: string, password: string) => Promise<boolean>;
  /** @throws when the ledger does not answer, or refuses */
  readonly file: (linkId: string) => Promise<Buffer>;
  /** Records that a visitor reported a link. @throws when the ledger does not answer */
  readonly report: (linkId: string, reason: ReportReason) => Promise<void>;
};

/** A revoked link opens nothing after so long. */
const freshMs = 2_000;
/** While the ledger is away, what it said last holds. */
const staleMs = 10 * 60_000;
const linksMax = 50_000;

type Known = { readonly link: ResolvedLink; readonly atMs: number };

/** Asks the ledger; answers of the last seconds are repeated, and a question under way is shared. */
export function linksOver(ledger: ServiceAddress, clock: () => number): Links {
  const call = callService(ledger, internalLinkCalls, 3_000);
  const known = new LRUCache<string, Known>({ max: linksMax });
  const asking = new Map<string, Promise<ResolvedLink>>();
  const ask = async (code: string): Promise<ResolvedLink> => {
    try {
      const link = await call(resolveCall, { body: { code } });
      known.set(code, { link, atMs: clock() });
      return link;
    } catch (error) {
      const last = known.get(code);
      if (last !== undefined && clock() - last.atMs < staleMs) return last.link;
      throw error;
    } finally {
      asking.delete(code);
    }
  };
  return {
    resolve: async (typed) => {
      const code = typed.toLowerCase();
      const last = known.get(code);
      if (last !== undefined && clock() - last.atMs < freshMs) return last.link;
      const question = asking.get(code) ?? ask(code);
      asking.set(code, question);
      return await question;
    },
    unlock: async (linkId, password) => {
      const path = "POST /internal/links/:linkId/unlock";
      return (await call(path, { params: { linkId }, body: { password } })).opens;
    },
    file: (linkId) => readServiceFile(ledger, `/internal/links/${linkId}/file`),
    report: async (linkId, reason) => {
      await call("POST /internal/links/:linkId/report", { params: { linkId }, body: { reason } });
    },
  };
}
