import { isSignedInPath } from "@pro-talent/schemas/site/signed-in-paths";
import type { FastifyInstance } from "fastify";

/**
 * Own origin only; inline only scripts with these hashes; no eval.
 * @param signedIn of the signed-in area: pictures and pages may be shown that the page was sent as data, such as the pages of a CV or
 * the preview of a portfolio: in a picture nothing runs and nothing is loaded, and a page as data has this policy, too
 */
function contentSecurityPolicy(scriptHashes: readonly string[], signedIn: boolean): string {
  const inline = scriptHashes.map((hash) => ` '${hash}'`).join("");
  return [
    "default-src 'none'",
    `script-src 'self'${inline}`,
    "style-src 'self'",
    `img-src 'self'${signedIn ? " blob:" : ""}`,
    ...(signedIn ? ["frame-src blob:"] : []),
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // In the signed-in area one policy, which makes a worker of one file: the rows of an analyst's result.
    `trusted-types ${signedIn ? "analyst-result" : "'none'"}`,
  ].join("; ");
}

/** What a file can do is decided by the page that loads it; opened by itself it may do nothing. */
const fileHeaders = {
  "content-security-policy": "default-src 'none'",
  "cross-origin-resource-policy": "same-origin",
};

/** A worker has the policy of its own file: it may load the decoders beside it, and connect to nothing. */
const workerHeaders = {
  ...fileHeaders,
  "content-security-policy": "default-src 'none'; script-src 'self'",
};

/**
 * Headers on every answer of the site, beside those of every server, unless the route has set them.
 * Those of files are few: a font with its headers has to fit into the first packets of a new connection.
 */
export function addSecurityHeaders(app: FastifyInstance, scriptHashes: readonly string[]): void {
  const headers = {
    ...fileHeaders,
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), browsing-topics=()",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
  };
  app.addHook("onSend", async (request, reply) => {
    const { url } = request;
    const ofFile = url.startsWith("/assets/pdf.worker.") ? workerHeaders : fileHeaders;
    const policy = contentSecurityPolicy(scriptHashes, isSignedInPath(url.split("?")[0] ?? ""));
    const ofPage = { ...headers, "content-security-policy": policy };
    const due = /^\/(?:assets|viewer)\//u.test(url) ? ofFile : ofPage;
    for (const [name, value] of Object.entries(due)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
  });
}
