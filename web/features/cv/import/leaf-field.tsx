import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { useTranslation } from "react-i18next";

import { type Json, valueAt } from "../../documents/edit/document-at.ts";
import { RichPart } from "../../documents/edit/entry-fields.tsx";
import { ItemsField, LineField } from "../../documents/edit/line-field.tsx";
import { MonthField } from "../../documents/edit/month-field.tsx";
import type { Entry } from "../../documents/edit/part-words.ts";
import type { CvDocument } from "../cv-queries.ts";
import type { Leaf } from "./leaves.ts";

const named = [
  "role",
  "organisation",
  "institution",
  "degree",
  "field",
  "grade",
  "place",
  "start",
  "end",
  "date",
  "url",
  "name",
  "fluency",
  "issuer",
  "publisher",
  "summary",
  "title",
  "subtitle",
  "items",
] as const;
const ofProfile = ["fullName", "headline", "email", "phone", "place", "links"] as const;

/** What a field is called. */
export function useLeafLabel() {
  const { t } = useTranslation("cv");
  return ({ name, path }: Pick<Leaf, "name" | "path">): string => {
    if (path.startsWith("profile/")) {
      const known = ofProfile.find((one) => one === name);
      return known === undefined ? name : t(`profile.${known}`);
    }
    if (name === "bullet") return t("fields.point");
    if (name === "text") return t("fields.summaryText");
    const known = named.find((one) => one === name);
    return known === undefined ? name : t(`fields.${known}`);
  };
}

const lineIn = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const ltr: readonly string[] = ["email", "phone", "url"];

/** A field of the file, to be corrected where that is needed. */
export function LeafField({ leaf, document }: { leaf: Leaf; document: CvDocument }) {
  const { t } = useTranslation("cv");
  const label = useLeafLabel()(leaf);
  const { path } = leaf;
  const value = valueAt(document, path);
  switch (leaf.kind) {
    case "month":
      return (
        <MonthField
          path={path}
          label={label}
          value={lineIn(value)}
          {...(leaf.name === "end" ? { present: t("fields.present") } : {})}
        />
      );
    case "rich":
      return <RichLeaf leaf={leaf} label={label} document={document} />;
    case "items":
      return (
        <ItemsField
          path={path}
          label={label}
          hint={t("fields.itemsHint")}
          items={Array.isArray(value) ? value.map(lineIn) : []}
        />
      );
    case "line": {
      const isLtr = ltr.includes(leaf.name) || path.endsWith("/url");
      const input = isLtr ? { dir: "ltr", maxLength: cvLimits.urlCharsMax } : {};
      return <LineField path={path} label={label} value={lineIn(value)} input={input} />;
    }
  }
}

type RichLeafProps = { leaf: Extract<Leaf, { kind: "rich" }>; label: string; document: CvDocument };

/** The runs as they are now: those of the file, or what they were corrected to. */
function RichLeaf({ leaf, label, document }: RichLeafProps) {
  const entries = document.sections.flatMap((section): Entry[] => section.entries);
  const runs = entries.flatMap((entry) => {
    if (!leaf.path.includes(`/${entry.id}/`)) return [];
    if ("bullets" in entry)
      return entry.bullets
        .filter(({ id }) => leaf.path.includes(`/${id}/`))
        .map(({ text }) => text);
    if (leaf.name === "text" && "text" in entry) return [entry.text];
    return leaf.name === "summary" && "summary" in entry ? [entry.summary] : [];
  });
  return <RichPart path={leaf.path} label={label} runs={runs[0] ?? leaf.value} />;
}
