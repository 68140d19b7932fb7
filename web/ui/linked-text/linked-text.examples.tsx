import type { Example } from "../example.ts";
import { LinkedText } from "./linked-text.tsx";

export const examples: readonly Example[] = [
  {
    name: "a sentence with two links",
    draw: (word) => (
      <p>
        <LinkedText
          text={word(
            "I accept the Privacy Policy and the Terms.",
            "מקובלים עליי מדיניות הפרטיות והתנאים.",
          )}
          phrases={[
            { text: word("Privacy Policy", "מדיניות הפרטיות"), href: "#privacy" },
            { text: word("Terms", "התנאים"), href: "#terms" },
          ]}
        />
      </p>
    ),
  },
];
