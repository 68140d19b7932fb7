import { newsletterPages, newsletterPaths } from "@pro-talent/schemas/newsletter/categories";
import { NewsletterToken, type UnsubscribeAnswer } from "@pro-talent/schemas/newsletter/http";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { answerPlainForm, isPlainForm, seeOther } from "../plain-forms/plain-forms.ts";
import { sendPrivate, sendRefusal, textField } from "./answers.ts";
import { carryOut, linkOf } from "./confirm.routes.ts";
import type { NewsletterRoutes } from "./route-options.ts";

const oneClickField = "List-Unsubscribe";

/**
 * `POST /api/newsletter/unsubscribe`, from the preference page and from mail programs (RFC 8058);
 * leaving twice is leaving. A GET changes nothing: it leads people to the page of preferences.
 */
export function addUnsubscribeRoutes(app: FastifyInstance, options: NewsletterRoutes): void {
  takeMultipart(app);
  app.get(newsletterPaths.unsubscribe, async (request, reply) => {
    const token = NewsletterToken.safeParse(textField(request.query, "token"));
    const query = token.success ? `?token=${token.data}` : "";
    return seeOther(reply, newsletterPages.preferences + query);
  });
  app.post(
    newsletterPaths.unsubscribe,
    { bodyLimit: newsletterLimits.bodyBytesMax },
    async (request, reply) => {
      const link = linkOf(request, options, "manage");
      if (link === undefined) return sendRefusal(request, reply, "link_unknown");
      const method = isOneClick(request) ? "one_click" : "preferences";
      const outcome = await carryOut(options, link.subscriberId, { type: "Unsubscribe", method });
      if (outcome.kind === "refusal") return sendRefusal(request, reply, outcome.code);
      // A mail program follows no redirect, and nobody sees what it is answered.
      if (isPlainForm(request) && method === "preferences") {
        return answerPlainForm(reply, "unsubscribed");
      }
      const answer: UnsubscribeAnswer = { status: "unsubscribed" };
      return sendPrivate(reply, answer);
    },
  );
}

function isOneClick(request: FastifyRequest): boolean {
  return textField(request.body, oneClickField) === "One-Click";
}

/** RFC 8058 §3.1 prefers `multipart/form-data`. Its only field says what the address says already. */
function takeMultipart(app: FastifyInstance): void {
  app.addContentTypeParser("multipart/form-data", { parseAs: "string" }, (_request, body, done) => {
    const says = body.includes(`name="${oneClickField}"`) && body.includes("One-Click");
    done(null, says ? { [oneClickField]: "One-Click" } : {});
  });
}
