import { z } from "zod";

/** The languages of the product; the first is the fallback. */
export const locales = ["en", "he"] as const;
export const Locale = z.enum(locales);
export type Locale = z.infer<typeof Locale>;
export const fallbackLocale: Locale = "en";
