import { readExternalUrl } from "@pro-talent/schemas/links/external-url";
import { linkLimits as limit } from "@pro-talent/schemas/links/limits";

import { accountApi } from "../../api-client/account-api.ts";
import type { CallInput } from "../../api-client/request.ts";
import { base64Of } from "../base64-of.ts";
import { textIn } from "../form-machine.ts";
import { endOfDay } from "../local-time.ts";
import { type Faults, refusalIn } from "../submission.machine.ts";
import { labelFault, linkPasswordFault } from "./link-fields.tsx";

type Target = NonNullable<CallInput<"POST /api/links">["body"]>["target"];
/** `kept`: as it is; `file-of`: a file that is stored already. */
export const targets = ["kept", "file", "file-of", "external", "profile"] as const;
export type TargetKind = (typeof targets)[number];

/** The recipients of a pasted list, one a line; each is taken once. */
export const recipientsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r?\n/u)
      .map((line) => line.replaceAll(/\s+/gu, " ").trim().slice(0, limit.labelCharsMax))
      .filter((line) => line !== ""),
  ),
];

const fileIn = (data: FormData): File | undefined => {
  const file = data.get("file");
  return file instanceof File && file.size > 0 ? file : undefined;
};

/** What a form states that a link opens. */
export async function targetIn(data: FormData): Promise<Target> {
  const file = fileIn(data);
  const kind = textIn(data, "target");
  if (kind === "file-of") return { kind, linkId: textIn(data, "fileOf") };
  if (kind === "external") {
    const read = readExternalUrl(textIn(data, "url"));
    return { kind: "external", url: "url" in read ? read.url : "" };
  }
  if (file === undefined) return { kind: "profile" };
  const name = file.name.slice(-limit.fileNameCharsMax);
  return { kind: "file", name, content: await base64Of(file) };
}

/** What is wrong with it. */
export function targetFaults(data: FormData): Faults {
  const kind = textIn(data, "target");
  if (kind === "external" && !("url" in readExternalUrl(textIn(data, "url"))))
    return { url: "urlInvalid" };
  if (kind !== "file") return {};
  const file = fileIn(data);
  if (file === undefined) return { file: "links:errors.fileRequired" };
  return file.size > limit.fileBytesMax ? { file: "links:errors.fileLarge" } : {};
}

const codeShape = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;

function codeFault(data: FormData): Faults[string] {
  const code = textIn(data, "code").trim().toLowerCase();
  const fits = code.length >= limit.codeCharsMin && code.length <= limit.codeCharsMax;
  return code === "" || (fits && codeShape.test(code)) ? undefined : "links:errors.codeInvalid";
}

/** What is wrong with the form; `many`: of a list of recipients. */
export function faultsIn(data: FormData, many: boolean): Faults {
  if (!many)
    return {
      label: labelFault(data),
      ...targetFaults(data),
      code: codeFault(data),
      password: linkPasswordFault(data),
    };
  const { length } = recipientsIn(textIn(data, "recipients"));
  const fault = length === 0 ? "links:errors.recipientsRequired" : undefined;
  const recipients = length > limit.recipientsMax ? "links:errors.recipientsMany" : fault;
  return { recipients, ...targetFaults(data) };
}

export const fieldsOfCodes = {
  code_taken: "code",
  expiry_past: "expiresAt",
  file_unreadable: "file",
  file_protected: "file",
  file_too_large: "file",
};

/** Sends the form: one link, or one for each recipient. */
export async function makeLinks(data: FormData, many: boolean, zone: string) {
  const target = await targetIn(data);
  const expiresAt = endOfDay(textIn(data, "expiresAt"), zone);
  if (many) {
    const recipients = recipientsIn(textIn(data, "recipients"));
    const body = { recipients, target, expiresAt };
    const result = await accountApi().call("POST /api/links/bulk", { body });
    const links = result.ok ? (result.answer?.links ?? []) : [];
    return { links, refused: refusalIn(result, fieldsOfCodes) };
  }
  const orNull = (name: string) => textIn(data, name).trim() || null;
  const body = {
    label: textIn(data, "label"),
    note: textIn(data, "note"),
    target,
    code: orNull("code"),
    expiresAt,
    password: textIn(data, "password") || null,
  };
  const result = await accountApi().call("POST /api/links", { body });
  const link = result.ok ? result.answer?.link : undefined;
  return { links: link === undefined ? [] : [link], refused: refusalIn(result, fieldsOfCodes) };
}
