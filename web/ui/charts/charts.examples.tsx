import type { Example, ExampleText } from "../example.ts";
import { BarChart } from "./bar-chart.tsx";
import type { ChartTexts } from "./chart-figure.tsx";
import { DotChart } from "./dot-chart.tsx";
import { LineChart } from "./line-chart.tsx";
import { MapChart } from "./map-chart.tsx";

const day = 24 * 60 * 60 * 1000;
const start = Date.UTC(2026, 0, 5);
const times = Array.from({ length: 14 }, (_, index) => start + index * day);

const shared = (text: ExampleText): Pick<ChartTexts, "explore" | "showTable"> => ({
  explore: text("Arrow keys read the chart.", "מקשי החיצים קוראים את התרשים."),
  showTable: text("Show as a table", "להציג כטבלה"),
});
const language = (text: ExampleText): string => text("en", "he");
const formatDay = (text: ExampleText) => (time: number) =>
  new Intl.DateTimeFormat(language(text), { dateStyle: "long", timeZone: "UTC" }).format(time);
const formatTick = (text: ExampleText) => (time: number) =>
  new Intl.DateTimeFormat(language(text), {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  }).format(time);

export const examples: readonly Example[] = [
  {
    name: "line: two series over time",
    draw: (text) => (
      <LineChart
        texts={{
          ...shared(text),
          sentence: text(
            "31 opens in two weeks; most on January 13.",
            "31 פתיחות בשבועיים; רובן ב־13 בינואר.",
          ),
          plot: text("Opens by day", "פתיחות לפי יום"),
          time: text("Day", "יום"),
        }}
        times={times}
        series={[
          {
            id: "opens",
            name: text("Opens", "פתיחות"),
            values: [0, 1, 2, 2, 1, 0, 0, 3, 9, 6, 3, 2, 1, 1],
          },
          {
            id: "visitors",
            name: text("Visitors", "מבקרים"),
            values: [0, 1, 1, 2, 1, 0, 0, 2, 5, 4, 2, 1, 1, 1],
          },
        ]}
        formatTime={formatDay(text)}
        formatTick={formatTick(text)}
      />
    ),
  },
  {
    name: "bar: ranked, with a doubtful row",
    draw: (text) => (
      <BarChart
        texts={{
          ...shared(text),
          sentence: text("Most opens came from LinkedIn.", "רוב הפתיחות הגיעו מלינקדאין."),
          plot: text("Opens by source", "פתיחות לפי מקור"),
          label: text("Source", "מקור"),
          value: text("Opens", "פתיחות"),
        }}
        bars={[
          { id: "linkedin", label: "LinkedIn", value: 18 },
          { id: "mail", label: text("Mail", "דוא״ל"), value: 9 },
          { id: "direct", label: text("Address typed", "הקלדת הכתובת"), value: 4 },
          {
            id: "scanner",
            label: text("Probably a mail scanner", "כנראה סורק דוא״ל"),
            value: 3,
            doubtful: true,
          },
        ]}
      />
    ),
  },
  {
    name: "dots: one for each open",
    draw: (text) => (
      <DotChart
        texts={{
          ...shared(text),
          sentence: text(
            "Acme opened your CV twice, last on January 13.",
            "אקמה פתחו את קורות החיים פעמיים, לאחרונה ב־13 בינואר.",
          ),
          plot: text("Opens on a time line", "פתיחות על ציר זמן"),
          time: text("Time", "זמן"),
          event: text("What happened", "מה קרה"),
        }}
        legend={{
          large: text("New visitor", "מבקר חדש"),
          small: text("Opened again", "פתיחה חוזרת"),
          hollow: text("Bot, not counted", "בוט, לא נספר"),
        }}
        dots={[
          {
            id: "1",
            time: start + day,
            text: text("Mail scanner", "סורק דוא״ל"),
            variant: "hollow",
          },
          {
            id: "2",
            time: start + 2 * day,
            text: text("New visitor", "מבקר חדש"),
            variant: "large",
          },
          {
            id: "3",
            time: start + 2 * day + 60_000,
            text: text("Mail scanner", "סורק דוא״ל"),
            variant: "hollow",
          },
          {
            id: "4",
            time: start + 8 * day,
            text: text("Opened again", "פתיחה חוזרת"),
            variant: "small",
          },
        ]}
        from={start}
        to={start + 13 * day}
        formatTime={formatDay(text)}
        formatTick={formatTick(text)}
      />
    ),
  },
  {
    name: "map: opens by country",
    draw: (text) => (
      <MapChart
        texts={{
          ...shared(text),
          sentence: text("Most opens came from Israel.", "רוב הפתיחות הגיעו מישראל."),
          plot: text("Opens by country", "פתיחות לפי מדינה"),
          label: text("Country", "מדינה"),
          value: text("Opens", "פתיחות"),
          credit: text("Outlines: Natural Earth.", "קווי המתאר: Natural Earth."),
        }}
        places={[
          { country: "IL", name: text("Israel", "ישראל"), value: 16 },
          { country: "US", name: text("United States", "ארצות הברית"), value: 8 },
          { country: "DE", name: text("Germany", "גרמניה"), value: 4 },
          { country: "IN", name: text("India", "הודו"), value: 1 },
          { country: "SG", name: text("Singapore", "סינגפור"), value: 1 },
        ]}
      />
    ),
  },
];
