import { consentNoticeVersion } from "@pro-talent/schemas/consent/notice";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { i18n, TFunction } from "i18next";

import { fallbackLanguage, isLanguage } from "../../i18n/languages.ts";
import type { ConsentSurface } from "./consent-choice.ts";

type Texts = TFunction<readonly ["consent", "consent-settings"]>;

/** The texts of the banner, in display order. */
export function bannerText(t: Texts): string[] {
  return [
    t("banner.title"),
    t("banner.body"),
    t("banner.policy"),
    t("rejectAll"),
    t("acceptAll"),
    t("banner.customise"),
  ];
}

/** The texts of the settings about the decision, in display order. */
export function settingsText(t: Texts): string[] {
  return [
    t("consent-settings:settings.title"),
    t("consent-settings:settings.intro"),
    t("consent-settings:essential.title"),
    t("consent-settings:essential.body"),
    t("consent-settings:analytics.title"),
    t("consent-settings:analytics.body"),
    t("rejectAll"),
    t("acceptAll"),
    t("consent-settings:settings.save"),
  ];
}

export type NoticeShown = { version: string; language: Locale; textHash: string };

/**
 * Version, language and SHA-256 of the shown text. Undefined outside secure contexts, where
 * browsers have no hashing.
 */
export async function noticeShown(
  surface: ConsentSurface,
  translator: i18n,
): Promise<NoticeShown | undefined> {
  if (!isSecureContext) return undefined;
  const language = isLanguage(translator.language) ? translator.language : fallbackLanguage;
  const t = translator.getFixedT(language, ["consent", "consent-settings"] as const);
  const text = (surface === "banner" ? bannerText(t) : settingsText(t)).join("\n");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const textHash = Array.from(new Uint8Array(digest), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  return { version: consentNoticeVersion, language, textHash };
}
