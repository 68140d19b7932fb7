import { Breadcrumb } from "../breadcrumb/breadcrumb.tsx";
import { Button } from "../button/button.tsx";
import type { Example, ExampleText } from "../example.ts";
import { EmptyState } from "../view-state/view-state.tsx";
import { AppShell, type NavigationItem, PageHeader, type ShellLinkProps } from "./app-shell.tsx";

const Link = ({ children, ...link }: ShellLinkProps) => <a {...link}>{children}</a>;

const itemsIn = (text: ExampleText): readonly NavigationItem[] => [
  { href: "#home", label: text("Overview", "סקירה"), icon: "home", current: false },
  { href: "#links", label: text("Links", "קישורים"), icon: "link", current: true },
  { href: "#cv", label: text("CVs", "קורות חיים"), icon: "document", current: false },
  { href: "#board", label: text("Applications", "מועמדויות"), icon: "columns", current: false },
  { href: "#account", label: text("Account", "חשבון"), icon: "person", current: false },
  { href: "#privacy", label: text("Privacy", "פרטיות"), icon: "shield", current: false },
];

export const examples: readonly Example[] = [
  {
    name: "navigation, top bar and page header",
    page: true,
    draw: (text) => (
      <AppShell
        texts={{
          skip: text("Skip to the content", "דילוג לתוכן"),
          navigation: text("Navigation", "ניווט"),
          menu: text("Menu", "תפריט"),
          close: text("Close", "לסגור"),
        }}
        brand={<a href="#home">{text("Pro Talent", "Pro Talent")}</a>}
        items={itemsIn(text)}
        Link={Link}
        settings={<Button variant="text">{text("Sign out", "להתנתק")}</Button>}
      >
        <PageHeader
          breadcrumb={
            <Breadcrumb
              label={text("Breadcrumb", "נתיב ניווט")}
              above={[{ id: "links", link: <a href="#links">{text("Links", "קישורים")}</a> }]}
              current={text("Acme", "אקמה")}
            />
          }
          title={text("Acme", "אקמה")}
          lead={text(
            "Opened twice, last on Tuesday at 14:20.",
            "נפתח פעמיים, לאחרונה ביום שלישי ב־14:20.",
          )}
          actions={<Button variant="solid">{text("Copy the link", "להעתיק את הקישור")}</Button>}
        />
        <EmptyState
          title={text("No notes yet", "אין עדיין הערות")}
          action={<Button>{text("Write a note", "לכתוב הערה")}</Button>}
        />
      </AppShell>
    ),
  },
];
