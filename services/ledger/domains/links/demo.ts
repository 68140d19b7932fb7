import type { DemoLink } from "@pro-talent/platform/runtime/demo";
import { linkCalls } from "@pro-talent/schemas/links/calls";

/** A person's calls at times in the past. */
type PastOwner = {
  readonly call: (name: string, body?: object) => Promise<unknown>;
  readonly at: (ms: number) => void;
};

type Invented = {
  readonly label: string;
  readonly note: string;
  /** Of the time since the account was opened: 0 at its beginning, 1 now. */
  readonly share: number;
  readonly story: DemoLink["story"];
  readonly url?: string;
};

/** Recipients and places, all of them invented. */
const invented: readonly Invented[] = [
  {
    label: "LinkedIn profile",
    note: "",
    share: 0.05,
    story: "public",
    url: "https://example.com/noa-levi",
  },
  {
    label: "Northwind Health, Maya in hiring",
    note: "Product designer, referred by Eli",
    share: 0.12,
    story: "read",
  },
  { label: "Blue Harbor Bank", note: "Design systems role", share: 0.27, story: "ignored" },
  {
    label: "Talentia, Dana",
    note: "Recruiter, asked for English and Hebrew",
    share: 0.41,
    story: "read",
  },
  { label: "Sunrise Games", note: "Senior UX, via their careers page", share: 0.58, story: "read" },
  {
    label: "Portfolio in the conference talk",
    note: "",
    share: 0.7,
    story: "public",
    url: "https://example.org/noa-levi/portfolio",
  },
  {
    label: "Carmel Robotics, Amir",
    note: "Second interview on Thursday",
    share: 0.86,
    story: "read",
  },
  { label: "Tidewater Labs", note: "Lead designer, remote", share: 0.965, story: "read" },
];

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const cvName = "noa-levi-cv.pdf";

/** Makes the links: the first one with a file stores it, and the others share it. */
export async function makeLinks(
  { call, at }: PastOwner,
  pdf: Buffer,
  { openedMs, nowMs }: { readonly openedMs: number; readonly nowMs: number },
): Promise<readonly Omit<DemoLink, "accountId">[]> {
  const made: Omit<DemoLink, "accountId">[] = [];
  for (const { label, note, share, story, url } of invented) {
    const day = Math.floor((openedMs + (nowMs - openedMs) * share) / dayMs);
    // In the morning, later from link to link.
    const createdMs = day * dayMs + (7 + made.length / 2) * hourMs;
    at(createdMs);
    const first = made.find(({ leadsTo }) => leadsTo === "file");
    const target =
      url !== undefined
        ? { kind: "external", url }
        : first === undefined
          ? { kind: "file", name: cvName, content: pdf.toString("base64") }
          : { kind: "file-of", linkId: first.linkId };
    const answer = await call("POST /api/links", { label, note, target });
    const { link } = linkCalls["POST /api/links"].answer.parse(answer);
    const leadsTo = url === undefined ? "file" : "external";
    made.push({ linkId: link.linkId, leadsTo, createdMs, story });
  }
  return made;
}

/** A CV of two pages, as Typst draws it. */
export const demoCv = `
#set document(title: "Noa Levi, product designer", author: "Noa Levi")
#set page(margin: 2.2cm)
#set text(size: 10.5pt, lang: "en")
#show heading: set text(fill: rgb("#1f5c57"))
= Noa Levi
Product designer · Tel Aviv · noa\\@example.com

== Profile
Designer of products that people use at work every day. Ten years between research, interface and code;
leads design systems from the first component to the last team that adopts them.

== Experience
*Lead product designer, Orchard Software* #h(1fr) 2022 – today \\
Redesigned the scheduling product of 40,000 clinics; time to book fell by a third.

*Product designer, Meridian Maps* #h(1fr) 2018 – 2022 \\
Built the design system of web and mobile, in left-to-right and right-to-left languages.

*Interface designer, Studio Gilboa* #h(1fr) 2015 – 2018 \\
Websites and identities for museums, theatres and universities.
#pagebreak()
== Selected projects
- *Shift planner*: from twelve interviews to a product in five months.
- *Accessible charts*: a library that is read by screen readers, used by four teams.
- *Onboarding*: half the steps, twice as many people who finish.

== Education
B.Des. Visual communication, Bezalel Academy of Arts and Design

== Languages
Hebrew and English, fluent; French, basic
`;
