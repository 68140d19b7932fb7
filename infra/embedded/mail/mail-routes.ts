import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { escapeHtml } from "@pro-talent/platform/mail/text-safety";
import type { FastifyInstance } from "fastify";

import type { CaughtMail, CaughtMails } from "./caught-mails.ts";

type ById = { Params: { id: string } };

/** A mail's own HTML may neither run scripts nor fetch anything. */
const MAIL_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
const HTML = "text/html; charset=utf-8";
const STYLE = `body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}td{border-bottom:1px solid #ccc;padding:.4rem}
iframe{border:1px solid #ccc;height:40rem;width:100%}pre{white-space:pre-wrap}`;

/** The mails as JSON (`/api/email`) and as pages for a browser. */
export function addMailRoutes(app: FastifyInstance, mails: CaughtMails): void {
  app.get("/api/email", () => mails.list());
  app.delete("/api/email/all", async (_request, reply) => {
    await mails.empty();
    return reply.code(204).send();
  });
  app.get<ById>("/api/email/:id/source", async ({ params }, reply) =>
    reply.type("text/plain; charset=utf-8").send(found(await mails.source(params.id))),
  );
  app.get("/", async (_request, reply) => reply.type(HTML).send(listPage(await mails.list())));
  app.get<ById>("/mails/:id", async ({ params }, reply) =>
    reply.type(HTML).send(mailPage(found(await mails.find(params.id)))),
  );
  app.get<ById>("/mails/:id/html", async ({ params }, reply) => {
    const { html } = found(await mails.find(params.id));
    return reply.type(HTML).header("content-security-policy", MAIL_POLICY).send(html);
  });
}

/** @throws ProblemError `not_found` */
function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new ProblemError("not_found");
  return value;
}

function page(title: string, body: string): string {
  return `<!doctype html><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${STYLE}</style>${body}`;
}

const header = ({ headers }: CaughtMail, name: string): string =>
  escapeHtml(String(headers[name] ?? ""));

function listPage(list: readonly CaughtMail[]): string {
  const rows = list.toReversed().map(
    (mail) =>
      `<tr><td><a href="/mails/${mail.id}" dir="auto">${escapeHtml(mail.subject || "(no subject)")}</a>
       <td>${header(mail, "to")}<td>${header(mail, "date")}`,
  );
  const clear = `fetch('/api/email/all',{method:'DELETE'}).then(()=>location.reload())`;
  const button = `<button onclick="${clear}">Delete all</button>`;
  return page(`${list.length} mails`, `<h1>Mails</h1>${button}<table>${rows.join("")}</table>`);
}

function mailPage(mail: CaughtMail): string {
  const frame = `<iframe sandbox src="/mails/${mail.id}/html" title="HTML"></iframe>`;
  return page(
    mail.subject,
    `<p><a href="/">All mails</a> · <a href="/api/email/${mail.id}/source">Source</a>
     <h1 dir="auto">${escapeHtml(mail.subject)}</h1>
     <p>From ${header(mail, "from")}<br>To ${header(mail, "to")}${mail.html === "" ? "" : frame}
     <pre dir="auto">${escapeHtml(mail.text)}</pre>`,
  );
}
