import { requireInternalToken } from "@pro-talent/platform/http/internal-token";
import { parseBody } from "@pro-talent/platform/http/parse-body";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { bouncesPath } from "@pro-talent/schemas/newsletter/categories";
import type { NewsletterCommand } from "@pro-talent/schemas/newsletter/commands";
import { type BounceAnswer, BounceReport } from "@pro-talent/schemas/newsletter/http";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";

import type { EventStore } from "../event-store/event-store.ts";
import { unavailable } from "../event-store/unavailable.ts";
import { sendPrivate } from "./answers.ts";
import { commandSubscriber } from "./newsletter-command.ts";

export type BounceRoute = {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly internalToken: string;
};

/**
 * `POST /internal/newsletter/bounces`: where whoever reads the mail provider's reports hands them
 * in. Takes a Fastify scope of its own. A report about nobody is taken and changes nothing.
 */
export function addBounceRoute(app: FastifyInstance, options: BounceRoute): void {
  requireInternalToken(app, options.internalToken);
  app.post(bouncesPath, async (request, reply) => {
    const { subscriberId, kind } = parseBody(BounceReport, request.body);
    const command: NewsletterCommand =
      kind === "complaint" ? { type: "RecordComplaint" } : { type: "RecordBounce", kind };
    const now = instantFromMs(options.clock());
    const outcome = await commandSubscriber(options.store, { subscriberId, command, now }).catch(
      unavailable,
    );
    if (outcome.kind === "refusal") throw new ProblemError("version_conflict");
    const answer: BounceAnswer = { status: "recorded" };
    return sendPrivate(reply, answer);
  });
}
