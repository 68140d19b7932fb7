import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { type Locale, locales } from "@pro-talent/schemas/primitives/locale";
import { parse as parseYaml } from "yaml";
import { z } from "zod";

import { canonicalJson } from "../../../kernel/canonical-json.ts";
import { readContent } from "./issue-content.ts";
import { Edition, Issue, IssueHead, IssueRefused } from "./issue.ts";

const FrontMatter = z.strictObject({
  ...IssueHead.shape,
  ...Edition.omit({ markdown: true }).shape,
});
type Written = { head: z.infer<typeof IssueHead>; edition: Edition };

/** Three dashes, the fields, three dashes, the Markdown. */
const shape = /^---\n(?<fields>[\s\S]*?)\n---\n(?<markdown>[\s\S]*)$/;

/**
 * Reads an issue from its folder: one Markdown file for each language, `en.md` and `he.md`, each
 * with front matter. The fields about the issue must be the same in both.
 * @throws IssueRefused naming the file and the field
 */
export async function readIssue(folder: string): Promise<Issue> {
  const texts: Partial<Record<Locale, string>> = {};
  for (const language of locales) {
    const file = join(folder, `${language}.md`);
    try {
      texts[language] = await readFile(file, "utf8");
    } catch (cause) {
      throw new IssueRefused(`${language}.md cannot be read in ${folder}`, { cause });
    }
  }
  return joinIssue({ en: texts.en ?? "", he: texts.he ?? "" });
}

/** @throws IssueRefused */
export function joinIssue(files: Readonly<Record<Locale, string>>): Issue {
  const en = readFileText("en.md", files.en);
  const he = readFileText("he.md", files.he);
  for (const field of IssueHead.keyof().options) {
    if (canonicalJson(en.head[field]) !== canonicalJson(he.head[field])) {
      throw new IssueRefused(`he.md: ${field} is not the same as in en.md`);
    }
  }
  return Issue.parse({ ...en.head, editions: { en: en.edition, he: he.edition } });
}

function readFileText(file: string, text: string): Written {
  const match = shape.exec(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
  const { fields, markdown } = match?.groups ?? {};
  if (fields === undefined || markdown === undefined) {
    throw new IssueRefused(`${file}: it does not begin with fields between two lines of ---`);
  }
  const front = check(file, FrontMatter, readFields(file, fields));
  const { subject, preheader, ...about } = front;
  const edition = check(file, Edition, { subject, preheader, markdown });
  try {
    // The site's address is known when mails are sent.
    readContent(edition.markdown, "https://site.invalid");
  } catch (error) {
    if (error instanceof IssueRefused) throw new IssueRefused(`${file}: ${error.message}`);
    throw error;
  }
  const head = {
    ...about,
    topics: about.topics.toSorted(),
    frequencies: about.frequencies.toSorted(),
  };
  return { head, edition };
}

function readFields(file: string, fields: string): unknown {
  try {
    const value: unknown = parseYaml(fields, { maxAliasCount: 0 });
    return value;
  } catch (cause) {
    throw new IssueRefused(`${file}: its fields are not YAML`, { cause });
  }
}

function check<Contract extends z.ZodType>(
  file: string,
  contract: Contract,
  value: unknown,
): z.infer<Contract> {
  const parsed = contract.safeParse(value);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message, ...issue }) => {
    const name = [...path.map(String), ...("keys" in issue ? issue.keys : [])].join(".");
    return `${name === "" ? "fields" : name}: ${message}`;
  });
  throw new IssueRefused(wrong.map((text) => `${file}: ${text}`).join("\n"));
}
