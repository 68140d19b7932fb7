import type { Example } from "../example.ts";
import { Icon } from "../icon/icon.tsx";
import { Button, buttonClass } from "./button.tsx";

export const examples: readonly Example[] = [
  {
    name: "the one action of a page",
    draw: (text) => <Button variant="solid">{text("Join the waitlist", "להצטרף לרשימה")}</Button>,
  },
  {
    name: "equals: neither is preferred",
    draw: (text) => (
      <>
        <Button>{text("Accept all", "לקבל הכול")}</Button>
        <Button>{text("Reject all", "לדחות הכול")}</Button>
      </>
    ),
  },
  {
    name: "a text button beside a solid one",
    draw: (text) => (
      <>
        <Button variant="solid">
          {text("See pricing", "למחירים")}
          <Icon name="down" />
        </Button>
        <Button variant="text">{text("Why we build it", "למה אנחנו בונים")}</Button>
      </>
    ),
  },
  {
    name: "not possible now",
    draw: (text) => <Button disabled>{text("Coming Soon", "בקרוב")}</Button>,
  },
  {
    name: "a link that looks like one",
    draw: (text) => (
      <a className={buttonClass()} href="#gallery">
        {text("Read the story", "לסיפור")}
      </a>
    ),
  },
];
