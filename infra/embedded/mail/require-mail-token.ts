import { secretsEqual } from "@pro-talent/platform/crypto/secrets";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

const Query = z.object({ token: z.string().optional().catch(undefined) });

const headers = {
  // The address that was opened first holds the token.
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "SAMEORIGIN",
};

/** The address that lets a browser in. */
export function mailAddress(webOrigin: string, token: string): string {
  return `${webOrigin}/?token=${token}`;
}

/**
 * Guards the routes that are added to this scope: a caller that reads or deletes mails shows the token, a
 * program as `Authorization: Bearer`, a browser once in the address and then as a cookie. Pages of
 * other sites get nothing, also when their name leads to this machine (DNS rebinding).
 * @param options.webOrigin where the catcher is opened, as in `http://127.0.0.1:1080`
 */
export function requireMailToken(
  app: FastifyInstance,
  options: { token: string; webOrigin: string },
): void {
  const { token, webOrigin } = options;
  const { host, port } = new URL(webOrigin);
  // Cookies know no ports: several instances on one machine each have their own.
  const cookie = `caught_mails_${port}`;
  const isToken = (given: string | undefined): boolean => secretsEqual(given ?? "", token);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(headers);
    const { origin = webOrigin, authorization, cookie: cookies = "" } = request.headers;
    if (request.headers.host !== host || origin !== webOrigin) throw new ProblemError("forbidden");
    if (isToken(Query.parse(request.query).token)) {
      reply.header("set-cookie", `${cookie}=${token}; Path=/; HttpOnly; SameSite=Strict`);
      // Without the token in its address, and so in the history.
      return reply.redirect("/", 303);
    }
    const pairs = cookies.split("; ").map((pair) => pair.split("="));
    const kept = pairs.find(([name]) => name === cookie)?.[1];
    if (!isToken(authorization?.replace(/^Bearer /, "")) && !isToken(kept)) {
      throw new ProblemError("unauthorized");
    }
    return undefined;
  });
}
