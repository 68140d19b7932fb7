import type { Example } from "../example.ts";
import { Notice } from "./notice.tsx";

export const examples: readonly Example[] = [
  {
    name: "success",
    draw: (text) => (
      <Notice kind="success">{text("Your message has arrived.", "הפנייה הגיעה אלינו.")}</Notice>
    ),
  },
  {
    name: "error",
    draw: (text) => (
      <Notice kind="error">
        {text("Network error. Please try again.", "שגיאת רשת. נא לנסות שוב.")}
      </Notice>
    ),
  },
];
