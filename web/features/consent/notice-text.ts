import { consentNoticeVersion } from "@pro-talent/schemas/consent/notice";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { TFunction } from "i18next";

import type { ConsentSurface } from "./consent-choice.ts";

/** The texts of the banner, in display order. */
export function bannerText(t: TFunction<"consent">): string[] {
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
export function settingsText(t: TFunction<"consent">): string[] {
  return [
    t("settings.title"),
    t("settings.intro"),
    t("essential.title"),
    t("essential.body"),
    t("analytics.title"),
    t("analytics.body"),
    t("rejectAll"),
    t("acceptAll"),
    t("settings.save"),
  ];
}

export type NoticeShown = { version: string; language: Locale; textHash: string };

/**
 * Version, language and SHA-256 of the shown text. Undefined outside secure contexts, where
 * browsers have no hashing.
 */
export async function noticeShown(
  surface: ConsentSurface,
  language: Locale,
  t: TFunction<"consent">,
): Promise<NoticeShown | undefined> {
  if (!isSecureContext) return undefined;
  const text = (surface === "banner" ? bannerText(t) : settingsText(t)).join("\n");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const textHash = Array.from(new Uint8Array(digest), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  return { version: consentNoticeVersion, language, textHash };
}
