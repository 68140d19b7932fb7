import type { StageKind } from "@pro-talent/schemas/applications/application";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { linkCalls } from "@pro-talent/schemas/links/calls";
import { dayIn, dayPlus } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

/** A person's calls at times in the past. */
type PastApplicant = {
  readonly call: (name: string, body?: object) => Promise<unknown>;
  readonly at: (ms: number) => void;
};

type Story = {
  readonly company: string;
  readonly role: string;
  readonly place?: string;
  readonly source?: string;
  /** How many days ago it was added. */
  readonly daysAgo: number;
  /** Kinds of stages, and after how many days it came there. */
  readonly steps?: readonly (readonly [StageKind, number])[];
  /** The link of the demo with this recipient was sent. */
  readonly sentTo?: string;
  readonly notes?: readonly string[];
  /** In days from now. */
  readonly deadline?: number;
  readonly reminder?: { readonly inDays: number; readonly text: string };
  readonly archived?: true;
};

/** Applications to companies that do not exist. */
const stories: readonly Story[] = [
  {
    company: "Northwind Health",
    role: "Product designer",
    place: "Tel Aviv",
    source: "Referred by Eli",
    daysAgo: 150,
    steps: [
      ["applied", 1],
      ["interviewing", 9],
      ["rejected", 31],
    ],
    sentTo: "Northwind Health",
    notes: ["Kind answer: they chose a designer from the health sector. Ask again in a year."],
    archived: true,
  },
  {
    company: "Blue Harbor Bank",
    role: "Design systems lead",
    place: "Haifa",
    source: "LinkedIn",
    daysAgo: 125,
    steps: [
      ["applied", 1],
      ["rejected", 40],
    ],
    sentTo: "Blue Harbor Bank",
  },
  {
    company: "Talentia",
    role: "Recruiter, several positions",
    source: "LinkedIn",
    daysAgo: 98,
    steps: [["applied", 2]],
    sentTo: "Talentia",
    notes: ["דנה ביקשה קורות חיים בעברית ובאנגלית. אפשר להתקשר אחרי החגים."],
  },
  {
    company: "Sunrise Games",
    role: "Senior UX designer",
    place: "Remote",
    source: "Their careers page",
    daysAgo: 70,
    steps: [
      ["applied", 0],
      ["interviewing", 12],
      ["withdrawn", 20],
    ],
    sentTo: "Sunrise Games",
    notes: ["They expect three days a week in the office: not for me."],
  },
  {
    company: "Carmel Robotics",
    role: "Lead product designer",
    place: "Haifa",
    source: "Referred by Amir",
    daysAgo: 24,
    steps: [
      ["applied", 1],
      ["interviewing", 10],
    ],
    sentTo: "Carmel Robotics",
    notes: [
      "First interview with Amir: robots for hospitals, a team of four designers.",
      "שיחה שנייה: להכין תיק עבודות עם פרויקט אחד לעומק.",
    ],
    reminder: { inDays: 1, text: "Prepare questions about the roadmap" },
  },
  {
    company: "Tidewater Labs",
    role: "Lead designer",
    place: "Remote",
    source: "Conference talk",
    daysAgo: 7,
    steps: [["applied", 1]],
    sentTo: "Tidewater Labs",
    reminder: { inDays: 3, text: "Ask for news if there are none" },
  },
  {
    company: "Gilboa Maps",
    role: "Principal designer",
    place: "Jerusalem",
    source: "LinkedIn",
    daysAgo: 45,
    steps: [
      ["applied", 1],
      ["interviewing", 8],
      ["offered", 38],
    ],
    notes: ["Offer by mail. Answer until the end of the month; ask about parental leave."],
    reminder: { inDays: 2, text: "Answer the offer" },
  },
  {
    company: "Lakeshore Insurance",
    role: "UX designer",
    source: "Their careers page",
    daysAgo: 30,
    steps: [["applied", 2]],
  },
  {
    company: "מכון נווה",
    role: "מעצבת חוויית משתמש",
    place: "באר שבע",
    source: "הומלץ על ידי יעל",
    daysAgo: 16,
    steps: [["applied", 1]],
    notes: ["מעצבים שירותים לציבור. לשאול על נגישות."],
  },
  { company: "Orchard Software", role: "Design manager", daysAgo: 5, deadline: 2 },
  { company: "Studio Meridian", role: "Brand designer", place: "Tel Aviv", daysAgo: 3 },
  {
    company: "Harvest Bikes",
    role: "Product designer",
    source: "A friend",
    daysAgo: 2,
    deadline: 12,
  },
];

const dayMs = 24 * 60 * 60 * 1000;
const zone = "Asia/Jerusalem";
const Added = applicationCalls["POST /api/applications"].answer;
const Listed = applicationCalls["GET /api/applications"].answer;

/** Adds the applications, and moves them at the times of their stories. */
export async function makeApplications(
  { call, at }: PastApplicant,
  { openedMs, nowMs }: { readonly openedMs: number; readonly nowMs: number },
): Promise<void> {
  const { stages } = Listed.parse(await call("GET /api/applications"));
  const { links } = linkCalls["GET /api/links"].answer.parse(await call("GET /api/links"));
  for (const [index, story] of stories.entries()) {
    const addedMs = Math.max(openedMs + dayMs, nowMs - story.daysAgo * dayMs);
    at(addedMs);
    const sent = links.filter(({ label }) => label.startsWith(story.sentTo ?? "\n"));
    const linkIds = sent.map(({ linkId }) => linkId);
    const applications = [{ details: detailsOf(story, nowMs), sent: { linkIds, cv: null } }];
    const added = Added.parse(await call("POST /api/applications", { applications }));
    const applicationIds = added.applications.map(({ applicationId }) => applicationId);
    const path = `/api/applications/${applicationIds[0] ?? ""}`;
    for (const [kind, days] of story.steps ?? []) {
      at(addedMs + days * dayMs + index * 60_000);
      const stageId = stages.find((stage) => stage.kind === kind)?.stageId;
      await call("POST /api/applications/moves", { applicationIds, stageId });
    }
    for (const text of story.notes ?? []) await call(`POST ${path}/notes`, { text });
    if (story.archived)
      await call("POST /api/applications/archive", { applicationIds, archived: true });
    if (story.reminder !== undefined) {
      const { inDays, text } = story.reminder;
      const day = dayPlus(dayIn(instantFromMs(nowMs), zone), inDays);
      await call(`POST ${path}/reminders`, { at: `${day}T09:00`, zone, text, byMail: true });
    }
  }
}

function detailsOf({ company, role, place, source, deadline }: Story, nowMs: number) {
  const today = dayIn(instantFromMs(nowMs), zone);
  return {
    company,
    role,
    ...(place !== undefined && { place }),
    ...(source !== undefined && { source }),
    ...(deadline !== undefined && { deadline: dayPlus(today, deadline) }),
  };
}
