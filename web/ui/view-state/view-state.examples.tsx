import { Button } from "../button/button.tsx";
import type { Example } from "../example.ts";
import { EmptyState, FailureState } from "./view-state.tsx";

export const examples: readonly Example[] = [
  {
    name: "nothing yet: an invitation with one action",
    draw: (text) => (
      <EmptyState
        title={text("No share links yet", "עדיין אין קישורים לשיתוף")}
        body={text(
          "Send each employer a link of its own, and see when it is opened.",
          "לכל מעסיק קישור משלו, ורואים מתי פתחו אותו.",
        )}
        action={
          <Button variant="solid">{text("Create the first link", "ליצור את הקישור הראשון")}</Button>
        }
      />
    ),
  },
  {
    name: "an error with a retry and the id for support",
    draw: (text) => (
      <FailureState
        title={text("Your links could not be loaded", "לא הצלחנו לטעון את הקישורים")}
        body={text("Nothing is lost. Please try again.", "שום דבר לא אבד. נא לנסות שוב.")}
        support={{ label: text("Quote to support:", "מזהה לתמיכה:"), id: "7f3a-91c2" }}
        action={<Button>{text("Try again", "לנסות שוב")}</Button>}
      />
    ),
  },
  {
    name: "not allowed",
    draw: (text) => (
      <FailureState
        title={text("This page is for privacy officers", "העמוד הזה מיועד לממוני פרטיות")}
        body={text("Ask an administrator if you need access.", "אפשר לבקש גישה ממנהלי המערכת.")}
      />
    ),
  },
];
