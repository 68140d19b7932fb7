import { useState } from "react";

import type { Example, ExampleText } from "../example.ts";
import { AppIcon } from "../icon/app-icon.tsx";
import { Menu } from "./menu.tsx";

function Working({ text }: { text: ExampleText }) {
  const [chosen, setChosen] = useState("");
  return (
    <>
      <Menu
        groups={[
          {
            id: "work",
            entries: [
              { id: "rename", text: text("Rename", "לשנות שם") },
              { id: "copy", text: text("Copy the link", "להעתיק את הקישור") },
              { id: "pause", text: text("Pause", "להשהות"), disabled: true },
            ],
          },
          {
            id: "end",
            title: text("Cannot be undone", "אי אפשר לבטל"),
            entries: [{ id: "delete", text: text("Delete", "למחוק"), danger: true }],
          },
        ]}
        onAction={setChosen}
      >
        {text("Actions", "פעולות")}
        <AppIcon name="expand" />
      </Menu>
      <output>{chosen}</output>
    </>
  );
}

export const examples: readonly Example[] = [
  { name: "actions in groups", draw: (text) => <Working text={text} /> },
  {
    name: "an account menu of links",
    draw: (text) => (
      <Menu
        label={text("Account", "חשבון")}
        variant="text"
        groups={[
          {
            id: "account",
            title: "dana@example.com",
            entries: [
              { id: "profile", text: text("Profile", "פרופיל"), href: "#profile" },
              { id: "privacy", text: text("Privacy", "פרטיות"), href: "#privacy" },
            ],
          },
          { id: "end", entries: [{ id: "leave", text: text("Sign out", "להתנתק") }] },
        ]}
        onAction={() => undefined}
      >
        <AppIcon name="person" />
      </Menu>
    ),
  },
];
