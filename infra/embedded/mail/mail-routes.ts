import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { escapeHtml } from "@pro-talent/platform/mail/text-safety";
import type { FastifyInstance, FastifyRequest } from "fastify";

import type { CaughtMail, CaughtMails } from "./caught-mails.ts";

type ById = { Params: { id: string } };

/** A mail's own HTML may neither run scripts nor fetch anything. */
const MAIL_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const STYLE = `body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;padding:.4rem;text-align:start}
iframe{border:1px solid #ccc;height:40rem;width:100%}pre{white-space:pre-wrap}`;

/** The mails as JSON (`/api/email`) and as pages for a browser. */
export function addMailRoutes(app: FastifyInstance, mails: CaughtMails): void {
  app.get("/api/email", () => mails.list());
  app.delete("/api/email/all", async (_request, reply) => {
    await mails.empty();
    return reply.code(204).send();
  });
  app.get<ById>("/api/email/:id/source", async (request, reply) =>
    reply.type("text/plain; charset=utf-8").send(found(await mails.source(request.params.id))),
  );
  app.get("/", async (_request, reply) =>
    reply.type("text/html; charset=utf-8").send(listPage(await mails.list())),
  );
  const mailOf = async (request: FastifyRequest<ById>): Promise<CaughtMail> =>
    found(await mails.find(request.params.id));
  app.get<ById>("/mails/:id", async (request, reply) =>
    reply.type("text/html; charset=utf-8").send(mailPage(await mailOf(request))),
  );
  app.get<ById>("/mails/:id/html", async (request, reply) =>
    reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", MAIL_POLICY)
      .send((await mailOf(request)).html),
  );
}

/** @throws ProblemError `not_found` */
function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new ProblemError("not_found");
  return value;
}

function page(title: string, body: string): string {
  return `<!doctype html><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${STYLE}</style>${body}`;
}

function addresses(list: CaughtMail["to"]): string {
  return escapeHtml(list.map(({ address, name }) => `${name} <${address}>`.trim()).join(", "));
}

function listPage(list: readonly CaughtMail[]): string {
  const rows = list.toReversed().map(
    ({ id, subject, to, headers }) =>
      `<tr><td><a href="/mails/${id}" dir="auto">${escapeHtml(subject || "(no subject)")}</a>
         <td>${addresses(to)}<td>${escapeHtml(String(headers["date"] ?? ""))}`,
  );
  const clear = `fetch('/api/email/all',{method:'DELETE'}).then(()=>location.reload())`;
  return page(
    `${list.length} mails`,
    `<h1>Mails</h1><button onclick="${clear}">Delete all</button>
     <table><tr><th>Subject<th>To<th>Date${rows.join("")}</table>`,
  );
}

function mailPage({ id, subject, from, to, text, html }: CaughtMail): string {
  const frame = `<iframe sandbox src="/mails/${id}/html" title="HTML"></iframe>`;
  return page(
    subject,
    `<p><a href="/">All mails</a> · <a href="/api/email/${id}/source">Source</a>
     <h1 dir="auto">${escapeHtml(subject)}</h1>
     <p>From ${addresses(from)}<br>To ${addresses(to)}${html === "" ? "" : frame}
     <pre dir="auto">${escapeHtml(text)}</pre>`,
  );
}
