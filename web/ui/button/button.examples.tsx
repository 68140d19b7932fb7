import type { Example } from "../example.ts";
import { Icon } from "../icon/icon.tsx";
import { Button, buttonClass } from "./button.tsx";

export const examples: readonly Example[] = [
  {
    name: "the one action of a page",
    draw: (word) => <Button look="solid">{word("Join the waitlist", "להצטרף לרשימה")}</Button>,
  },
  {
    name: "equals: neither is preferred",
    draw: (word) => (
      <>
        <Button>{word("Accept all", "לקבל הכול")}</Button>
        <Button>{word("Reject all", "לדחות הכול")}</Button>
      </>
    ),
  },
  {
    name: "a quiet one beside a loud one",
    draw: (word) => (
      <>
        <Button look="solid">
          {word("See pricing", "למחירים")}
          <Icon name="down" />
        </Button>
        <Button look="quiet">{word("Why we build it", "למה אנחנו בונים")}</Button>
      </>
    ),
  },
  {
    name: "not possible now",
    draw: (word) => <Button disabled>{word("Coming Soon", "בקרוב")}</Button>,
  },
  {
    name: "a link that looks like one",
    draw: (word) => (
      <a className={buttonClass()} href="#gallery">
        {word("Read the story", "לסיפור")}
      </a>
    ),
  },
];
