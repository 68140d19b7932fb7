import type { Example } from "../example.ts";
import { LinkedText } from "./linked-text.tsx";

export const examples: readonly Example[] = [
  {
    name: "a sentence with two links",
    draw: (text) => (
      <p>
        <LinkedText
          text={text(
            "I accept the Privacy Policy and the Terms.",
            "מקובלים עליי מדיניות הפרטיות והתנאים.",
          )}
          phrases={[
            { text: text("Privacy Policy", "מדיניות הפרטיות"), href: "#privacy" },
            { text: text("Terms", "התנאים"), href: "#terms" },
          ]}
        />
      </p>
    ),
  },
];
