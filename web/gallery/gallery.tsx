import "../styles/index.css";
import "./gallery.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { directionOf, isLanguage } from "../i18n/languages.ts";
import type { Example, ExampleText } from "../ui/example.ts";
import { tokenNames } from "./token-names.ts";

/**
 * Every component of the design system in all its states, in a chosen language and theme. `npm run
 * gallery` shows it; gallery.spec.ts checks every example.
 */
const files = import.meta.glob<{ examples: readonly Example[] }>("../ui/*/*.examples.tsx", {
  eager: true,
});

const query = new URLSearchParams(location.search);
const wanted = query.get("lang") ?? "en";
const language = isLanguage(wanted) ? wanted : "en";
const theme = query.get("theme") === "dark" ? "dark" : "light";
const text: ExampleText = (english, hebrew) => (language === "he" ? hebrew : english);

const appearances = [
  { lang: "en", theme: "light", name: "English, light" },
  { lang: "en", theme: "dark", name: "English, dark" },
  { lang: "he", theme: "light", name: "עברית, בהיר" },
  { lang: "he", theme: "dark", name: "עברית, כהה" },
] as const;

function Appearances() {
  return (
    <nav aria-label={text("Appearance", "מראה")}>
      <ul className="gallery__appearances">
        {appearances.map((appearance) => {
          const shown = appearance.lang === language && appearance.theme === theme;
          return (
            <li key={appearance.name} lang={appearance.lang} dir={directionOf(appearance.lang)}>
              <a
                href={`?lang=${appearance.lang}&theme=${appearance.theme}`}
                aria-current={shown ? "page" : undefined}
              >
                {appearance.name}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Tokens() {
  return (
    <section className="gallery__part" aria-labelledby="tokens">
      <h2 id="tokens">{text("Colours", "צבעים")}</h2>
      <ul className="gallery__tokens">
        {tokenNames.map((name) => (
          <li key={name}>
            <span className={`gallery__swatch gallery__swatch--${name}`} />
            <code dir="ltr">{name}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Part({ file, examples }: { file: string; examples: readonly Example[] }) {
  const component = file.split("/").at(-2) ?? file;
  return (
    <section className="gallery__part" aria-labelledby={component}>
      <h2 id={component} dir="ltr">
        {component}
      </h2>
      {examples.map(({ name, draw, page }) => (
        <figure key={name}>
          <div className="gallery__example">
            {page === true ? (
              <a href={`?lang=${language}&theme=${theme}&page=${component}`}>
                {text("Open the page", "לפתוח את העמוד")}
              </a>
            ) : (
              draw(text)
            )}
          </div>
          <figcaption lang="en" dir="ltr">
            {name}
          </figcaption>
        </figure>
      ))}
    </section>
  );
}

function Gallery() {
  return (
    <main className="page-width gallery" id="gallery">
      <h1>{text("Paper and mark", "נייר וסימן")}</h1>
      <Appearances />
      <Tokens />
      {Object.entries(files).map(([file, { examples }]) => (
        <Part key={file} file={file} examples={examples} />
      ))}
    </main>
  );
}

/** The page that the address names; undefined for the gallery itself. */
const page = Object.entries(files)
  .filter(([file]) => file.split("/").at(-2) === query.get("page"))
  .flatMap(([, { examples }]) => examples)
  .find((example) => example.page === true);

const root = document.documentElement;
root.lang = language;
root.dir = directionOf(language);
root.dataset["theme"] = theme;
const place = document.getElementById("root");
if (place) {
  createRoot(place).render(
    <StrictMode>{page === undefined ? <Gallery /> : page.draw(text)}</StrictMode>,
  );
}
