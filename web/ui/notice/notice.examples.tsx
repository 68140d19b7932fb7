import type { Example } from "../example.ts";
import { Notice } from "./notice.tsx";

export const examples: readonly Example[] = [
  {
    name: "success",
    draw: (word) => (
      <Notice kind="success">{word("Your message has arrived.", "הפנייה הגיעה אלינו.")}</Notice>
    ),
  },
  {
    name: "error",
    draw: (word) => (
      <Notice kind="error">
        {word("Network error. Please try again.", "שגיאת רשת. נא לנסות שוב.")}
      </Notice>
    ),
  },
];
