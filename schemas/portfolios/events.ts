import { z } from "zod";

import { reportReasons } from "../links/report-reasons.ts";
import { Uuid } from "../primitives/ids.ts";
import { Locale } from "../primitives/locale.ts";

/** Events of what was reported about the portfolio of an account (`portfolio-<accountId>`). */
export const PortfolioEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("PortfolioReported"),
    data: z.object({ reason: z.enum(reportReasons) }),
  }),
  /** By an administrator, whatever its owner does. */
  z.object({
    type: z.literal("PortfolioTakenDown"),
    data: z.object({ reason: z.enum(reportReasons) }),
  }),
  z.object({ type: z.literal("PortfolioReinstated"), data: z.object({}) }),
  /** With the account of its owner. */
  z.object({ type: z.literal("PortfolioForgotten"), data: z.object({}) }),
]);
export type PortfolioEvent = z.infer<typeof PortfolioEvent>;

/** Events of a message that a reader wrote to the owner of a portfolio (`readermessage-<id>`). */
export const ReaderMessageEvent = z.discriminatedUnion("type", [
  /** Its words are sealed beside the event ({@link ReaderMessage}). */
  z.object({
    type: z.literal("ReaderMessageSent"),
    data: z.object({ accountId: Uuid, language: Locale }),
  }),
  /** It was handed to the owner's mail provider, cannot be, or is not wanted any more: its words are erased. */
  z.object({
    type: z.literal("ReaderMessageErased"),
    data: z.object({ reason: z.enum(["delivered", "undeliverable", "account-closed", "overdue"]) }),
  }),
]);
export type ReaderMessageEvent = z.infer<typeof ReaderMessageEvent>;

/** The personal part of a message, sealed under a key of its own. */
export const ReaderMessage = z.object({ name: z.string(), email: z.string(), message: z.string() });
export type ReaderMessage = z.infer<typeof ReaderMessage>;
