import { newsletterFrequencies, newsletterTopics } from "@pro-talent/schemas/newsletter/categories";

import { isLanguage } from "../../../i18n/languages.ts";
import type { Wishes } from "./preferences-view.ts";

/** What is chosen in the form now. */
export function readWishes(form: HTMLFormElement): Wishes {
  const data = new FormData(form);
  const language = data.get("language");
  const topics = data.getAll("topics");
  return {
    frequency: newsletterFrequencies.find((name) => name === data.get("frequency")) ?? "weekly",
    topics: newsletterTopics.filter((topic) => topics.includes(topic)),
    language: isLanguage(language) ? language : "en",
  };
}
