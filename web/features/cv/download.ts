import { fetchFile } from "../../api-client/account-api.ts";
import { saveFile } from "../save-file.ts";

export const formats = ["pdf", "docx", "txt", "json"] as const;
export type Format = (typeof formats)[number];

/** Offers a file of a CV for saving. @returns whether there was one */
export async function download(cvId: string, title: string, format: Format): Promise<boolean> {
  const file = await fetchFile(`/api/cvs/${cvId}/files/${format}`).catch(() => undefined);
  if (file === undefined) return false;
  saveFile(file, `${title.replaceAll(/[/\\:*?"<>|]/gu, " ").trim()}.${format}`);
  return true;
}
