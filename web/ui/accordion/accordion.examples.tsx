import type { Example } from "../example.ts";
import { Accordion } from "./accordion.tsx";

export const examples: readonly Example[] = [
  {
    name: "three questions, one open at a time",
    draw: (text) => (
      <Accordion
        items={[
          {
            id: "place",
            title: text("How exact is a place?", "כמה מדויק המקום?"),
            content: (
              <p>
                {text(
                  "Country and region. A city only from five readers up.",
                  "מדינה ואזור. עיר רק מחמישה קוראים ומעלה.",
                )}
              </p>
            ),
          },
          {
            id: "people",
            title: text("Can I see who opened it?", "אפשר לדעת מי פתח?"),
            content: <p>{text("No. Only that it was opened.", "לא. רק שמישהו פתח.")}</p>,
          },
          {
            id: "long",
            title: text(
              "A question that is so long that it needs more than one line even on a wide screen, and certainly on a phone",
              "שאלה ארוכה כל כך שהיא זקוקה ליותר משורה אחת אפילו במסך רחב, ובוודאי בטלפון",
            ),
            content: <p>{text("Then it wraps.", "אז היא נשברת לשורות.")}</p>,
          },
        ]}
      />
    ),
  },
];
