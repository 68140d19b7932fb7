import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { afterEach, expect, test, vi } from "vitest";

import { createTranslator, loadTranslations } from "../../i18n/translations.ts";
import "../../i18n/public-texts.ts";
import { demoLink } from "./link-demo-data.ts";
import { LinkDemo } from "./link-demo.tsx";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A browser whose dates look like those of no other. */
class OtherFormat {
  format = (): string => "?";
}

async function rendered(language: "en" | "he"): Promise<string> {
  const translator = createTranslator(language);
  await loadTranslations(translator, language, ["home-story"]);
  return renderToStaticMarkup(
    <I18nextProvider i18n={translator}>
      <LinkDemo />
    </I18nextProvider>,
  );
}
const count = (html: string, part: string): number => html.split(part).length - 1;

test("the figures agree with the opens", () => {
  const { byDay, opens, people, activeDays, busiestDay, excluded } = demoLink;
  expect({ opens, people, activeDays, busiestDay, excluded }).toEqual({
    opens: 14,
    people: 6,
    activeDays: 8,
    busiestDay: 10,
    excluded: 7,
  });
  expect(byDay.flatMap((marks) => marks.opens)).toHaveLength(opens);
  expect(byDay.flatMap((marks) => marks.opens).filter((first) => first)).toHaveLength(people);
});

test("the drawing does not depend on how a browser writes dates", async () => {
  const html = await rendered("en");
  vi.stubGlobal("Intl", { ...Intl, DateTimeFormat: OtherFormat });
  const other = await rendered("he");
  for (const part of ['class="timeline__open', 'class="timeline__bot"', "<time"]) {
    expect(count(other, part)).toBe(count(html, part));
  }
  expect(count(html, 'class="timeline__open')).toBe(demoLink.opens);
});
