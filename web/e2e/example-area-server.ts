import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";

import { localeOfTag } from "@pro-talent/schemas/primitives/language-tag";
import { build, type InlineConfig, type Plugin, preview } from "vite";
import { vi } from "vitest";

import { directionOf } from "../i18n/languages.ts";
import { exampleAccount } from "./account-answers.ts";
import { builtOnce } from "./built-once.ts";
import { type Language, newVisitor, type Visitor, type VisitorOptions } from "./fixtures.ts";
import type { ArrivedCall, ForcedAnswer } from "./forced-answers.ts";
import { strictPolicy } from "./gallery-server.ts";
import { closeContexts, sharedBrowser } from "./kept-contexts.ts";
import { faultFinder } from "./page-faults.ts";

const webRoot = join(import.meta.dirname, "..");

export type ExampleArea = {
  /** Answers all calls of the pages; a promise that is pending is a slow answer. */
  answerWith: (answer: (call: ArrivedCall) => Promise<ForcedAnswer> | ForcedAnswer) => void;
  /** Paths of the calls since the last {@link answerWith}. */
  calls: () => readonly string[];
  /** A visitor with a token. */
  visit: (options?: VisitorOptions) => Promise<Visitor>;
  stop: () => Promise<void>;
};

const languageOf = ({ headers }: IncomingMessage): Language =>
  localeOfTag(headers["accept-language"]?.split(",")[0]) ?? "en";

/** Serves the document for every address of the area, and what `answer` returns for every call. */
function pagesAndCalls(
  outDir: string,
  answer: (call: ArrivedCall) => Promise<ForcedAnswer>,
): Plugin {
  const sendAnswer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/" } = request;
    const text = await readText(request);
    const sent: unknown = text === "" ? undefined : JSON.parse(text);
    const { status, body } = await answer({ method, path, body: sent });
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? {}));
  };
  const sendDocument = async (language: Language, response: ServerResponse): Promise<void> => {
    const document = await readFile(join(outDir, "index.html"), "utf8");
    const root = `lang="${language}" dir="${directionOf(language)}"`;
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(document.replace('lang="en" dir="ltr"', root));
  };
  return {
    name: "pages-and-calls",
    configurePreviewServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        const { url = "/", headers } = request;
        response.setHeader("content-security-policy", strictPolicy);
        if (url.startsWith("/api/")) void sendAnswer(request, response);
        else if (headers.accept?.includes("text/html") !== true) next();
        else void sendDocument(languageOf(request), response);
      });
    },
  };
}

/**
 * Builds a signed-in area and serves it, with an HTTP server behind its calls.
 * @param folder of its document: features of its own, or those of the product
 */
export async function startExampleArea(
  folder: "example-area" | "product-area" = "example-area",
): Promise<ExampleArea> {
  let answer: Parameters<ExampleArea["answerWith"]>[0] = () => ({ status: 404 });
  let calls: string[] = [];
  const settingsFor = (outDir: string): InlineConfig => ({
    configFile: join(webRoot, "vite.config.ts"),
    root: join(webRoot, "e2e", folder),
    publicDir: join(webRoot, "public"),
    logLevel: "silent",
    plugins: [
      pagesAndCalls(outDir, async (call) => {
        // The guard of the area asks for the account before any page.
        if (call.path === "/api/account" && folder === "example-area")
          return { status: 200, body: exampleAccount };
        // Every page asks whether a deletion is scheduled.
        if (call.path === "/api/privacy/requests") return { status: 200, body: { requests: [] } };
        if (call.path === "/api/privacy/legal-changes")
          return { status: 200, body: { changes: [] } };
        calls.push(call.path);
        return answer(call);
      }),
    ],
    build: { outDir, emptyOutDir: true, assetsInlineLimit: 0 },
    preview: { port: 0, host: "127.0.0.1", proxy: {} },
  });
  // The NODE_ENV of tests is for React's development build, which runs effects twice.
  vi.stubEnv("NODE_ENV", "production");
  const outDir = await builtOnce(folder, (directory) => build(settingsFor(directory)));
  vi.unstubAllEnvs();
  const server = await preview(settingsFor(outDir));
  const [origin = ""] = server.resolvedUrls?.local ?? [];
  const browser = await sharedBrowser();
  return {
    answerWith: (next) => {
      answer = next;
      calls = [];
    },
    calls: () => calls,
    visit: (options = {}) =>
      newVisitor(browser, origin, {
        before: `${faultFinder}localStorage.setItem('token', 'bearer-1');`,
        ...options,
      }),
    stop: async () => {
      await closeContexts(origin);
      await server.close();
    },
  };
}
