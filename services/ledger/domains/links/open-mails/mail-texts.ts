import type { Locale } from "@pro-talent/schemas/primitives/locale";

type Words = { readonly subject: string; readonly text: string };

type Texts = {
  /** @param label of the link, when it is one */
  readonly firstOpen: (links: number, label: string | null) => Words;
  readonly digest: (opens: number, links: number) => Words;
  /** @param first the time of the first open */
  readonly times: (opens: number, first: string) => string;
  readonly more: (links: number) => string;
  /** What is counted. */
  readonly counted: string;
  /** How much is known of a first open. */
  readonly known: string;
  readonly see: string;
  readonly whyReceived: string;
  readonly change: string;
};

const enOpens = (opens: number) => (opens === 1 ? "1 open" : `${opens} opens`);
const enLinks = (links: number) => (links === 1 ? "1 link" : `${links} links`);
const heOpens = (opens: number) => (opens === 1 ? "פתיחה אחת" : `${opens} פתיחות`);
const heLinks = (links: number) => (links === 1 ? "קישור אחד" : `${links} קישורים`);

export const openMailTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    firstOpen: (links, label) =>
      label === null
        ? {
            subject: `${links} of your links were opened for the first time`,
            text: "A person opened each of these links for the first time.",
          }
        : {
            subject: `Your link “${label}” was opened`,
            text: "A person opened this link for the first time.",
          },
    digest: (opens, links) => ({
      subject: `Your links: ${enOpens(opens)} of ${enLinks(links)}`,
      text: "These links were opened by people since the last summary.",
    }),
    times: (opens, first) => `${enOpens(opens)}, first on ${first}`,
    more: (links) => `And ${links} more on the page of your links.`,
    counted: "Link previews, mail scanners and your own visits are not counted.",
    known: "The country is known only roughly, and not who the person was.",
    see: "See the opens",
    whyReceived: "You receive this mail because you share links with Pro Talent.",
    change: "Choose when to get these mails, or turn them off",
  },
  he: {
    firstOpen: (links, label) =>
      label === null
        ? {
            subject: `${links} מהקישורים שלך נפתחו לראשונה`,
            text: "כל אחד מהקישורים האלה נפתח לראשונה על ידי אדם.",
          }
        : {
            subject: `הקישור „${label}” נפתח`,
            text: "הקישור הזה נפתח לראשונה על ידי אדם.",
          },
    digest: (opens, links) => ({
      subject: `הקישורים שלך: ${heOpens(opens)} של ${heLinks(links)}`,
      text: "הקישורים האלה נפתחו על ידי אנשים מאז הסיכום האחרון.",
    }),
    times: (opens, first) => `${heOpens(opens)}, הראשונה ב־${first}`,
    more: (links) => `ועוד ${links} בדף הקישורים שלך.`,
    counted: "תצוגות מקדימות, סורקי דואר והכניסות שלך אינם נספרים.",
    known: "המדינה ידועה בקירוב בלבד, ולא ידוע מי פתח.",
    see: "לצפייה בפתיחות",
    whyReceived: "ההודעה נשלחה כי יש לך קישורים משותפים ב־Pro Talent.",
    change: "בחירה מתי לקבל הודעות כאלה, או כיבוי שלהן",
  },
};
