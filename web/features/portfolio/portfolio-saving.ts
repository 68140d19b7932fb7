import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { accountApi } from "../../api-client/account-api.ts";
import { outcomeOfRefusal, type SavingCalls } from "../documents/save/saving-calls.ts";
import type { PortfolioPage } from "./portfolio-queries.ts";

/** How the page in a language is saved. */
export const portfolioSaving: SavingCalls<PortfolioPage> = {
  save: async ({ base: { language, version }, document }) => {
    const result = await accountApi().call("PUT /api/portfolio/pages/:language", {
      params: { language },
      body: { basedOn: version, document },
    });
    if (!result.ok) return outcomeOfRefusal(result.status, result.code);
    if (result.answer === undefined) return { kind: "unreached" };
    const { page, conflicts } = result.answer;
    return { kind: "answered", saved: page, conflicts };
  },
  load: async ({ language }) => {
    const result = await accountApi().call("GET /api/portfolio", {});
    if (!result.ok) return outcomeOfRefusal(result.status, result.code);
    if (result.answer === undefined) return { kind: "unreached" };
    const page = result.answer.portfolio.pages.find((one) => one.language === language);
    return page === undefined
      ? { kind: "deleted" }
      : { kind: "answered", saved: page, conflicts: [] };
  },
};

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
