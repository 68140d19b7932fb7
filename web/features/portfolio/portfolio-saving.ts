import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { accountApi } from "../../api-client/account-api.ts";
import {
  type Outcome,
  outcomeOfRefusal,
  type SavingCalls,
  type Sending,
  type Step,
} from "../documents/save/saving-calls.ts";
import type { PortfolioPage } from "./portfolio-queries.ts";

/** The versions before and after each one that was saved in this tab. */
type Ways = Map<number, { readonly undo?: number | undefined; readonly redo?: number | undefined }>;

/**
 * How the page in a language is saved. A step saves the document of another version as the newest one: the
 * versions stay, and what other devices save is merged.
 */
export function portfolioSaving() {
  const ways: Ways = new Map();
  const wayOf = (version: number, step: Step): number | undefined => ways.get(version)?.[step];
  const calls: SavingCalls<PortfolioPage> = {
    save: async (sending) => {
      const outcome = await save(sending);
      if (outcome.kind === "answered" && outcome.saved.version !== sending.base.version)
        ways.set(outcome.saved.version, { undo: sending.base.version });
      return outcome;
    },
    load,
    step: async ({ base, step }) => {
      const to = wayOf(base.version, step);
      if (to === undefined) return { kind: "answered", saved: base, conflicts: [] };
      const params = { language: base.language, version: to };
      const found = await accountApi().call(
        "GET /api/portfolio/pages/:language/versions/:version",
        { params },
      );
      if (!found.ok) return outcomeOfRefusal(found.status, found.code);
      if (found.answer === undefined) return { kind: "unreached" };
      const outcome = await save({ base, document: found.answer.document });
      if (outcome.kind !== "answered") return outcome;
      const { version } = outcome.saved;
      ways.set(
        version,
        step === "undo"
          ? { undo: wayOf(to, "undo"), redo: base.version }
          : { undo: base.version, redo: wayOf(to, "redo") },
      );
      return outcome;
    },
  };
  return {
    calls,
    can: ({ version }: PortfolioPage, step: Step) => wayOf(version, step) !== undefined,
  };
}

async function save({
  base: { language, version },
  document,
}: Sending<PortfolioPage>): Promise<Outcome<PortfolioPage>> {
  const result = await accountApi().call("PUT /api/portfolio/pages/:language", {
    params: { language },
    body: { basedOn: version, document },
  });
  if (!result.ok) return outcomeOfRefusal(result.status, result.code);
  if (result.answer === undefined) return { kind: "unreached" };
  const { page, conflicts } = result.answer;
  return { kind: "answered", saved: page, conflicts };
}

async function load({ language }: PortfolioPage): Promise<Outcome<PortfolioPage>> {
  const result = await accountApi().call("GET /api/portfolio", {});
  if (!result.ok) return outcomeOfRefusal(result.status, result.code);
  if (result.answer === undefined) return { kind: "unreached" };
  const page = result.answer.portfolio.pages.find((one) => one.language === language);
  return page === undefined
    ? { kind: "deleted" }
    : { kind: "answered", saved: page, conflicts: [] };
}

/** Makes the first version of the page in a language. @returns undefined when that did not work */
export async function makePage(
  document: PortfolioPage["document"],
  language: Locale,
): Promise<PortfolioPage | undefined> {
  const result = await accountApi().call("PUT /api/portfolio/pages/:language", {
    params: { language },
    body: { basedOn: null, document: { ...document, language } },
  });
  return result.ok ? result.answer?.page : undefined;
}
