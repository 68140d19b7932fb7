import type { FileKind } from "@pro-talent/schemas/links/events";

/** Why a file is not accepted. */
export type FileFault = "file_unreadable" | "file_protected";

const pdfHead = "%PDF-";
/** Readers look for the head of a PDF in its first kilobyte, and for its end in the last. */
const marginBytes = 1024;
/** Compound File Binary: an office document that is encrypted, or older than DOCX. */
const compoundHead = Buffer.from("d0cf11e0a1b11ae1", "hex");
const zipHead = Buffer.from("PK\u0003\u0004", "latin1");

/**
 * What a file is, by its content; its name says nothing. Nothing of it is unpacked or run.
 * @returns its kind, or why it is not accepted
 */
export function checkFile(
  content: Buffer,
): { readonly kind: FileKind } | { readonly fault: FileFault } {
  if (content.subarray(0, marginBytes).includes(pdfHead)) return checkPdf(content);
  if (content.subarray(0, 8).equals(compoundHead)) return { fault: "file_protected" };
  if (content.subarray(0, 4).equals(zipHead)) return checkDocx(content);
  return { fault: "file_unreadable" };
}

function checkPdf(content: Buffer): ReturnType<typeof checkFile> {
  if (!content.subarray(-marginBytes).includes("%%EOF")) return { fault: "file_unreadable" };
  // The key of an encrypted document is in its trailer, which is never compressed away (ISO 32000-1 §7.6).
  return content.includes("/Encrypt") ? { fault: "file_protected" } : { kind: "pdf" };
}

function checkDocx(content: Buffer): ReturnType<typeof checkFile> {
  const names = zipNames(content);
  const isDocument = names.includes("[Content_Types].xml") && names.includes("word/document.xml");
  const hasProgram = names.some((name) => /vbaproject\.bin$|\.(?:exe|dll|js|vbs)$/iu.test(name));
  return isDocument && !hasProgram ? { kind: "docx" } : { fault: "file_unreadable" };
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const entryBytes = 46;
const commentBytesMax = 0xffff;

/** The names in the central directory of a ZIP file (APPNOTE 6.3.10 §4.3.12, §4.3.16); none when it is broken. */
function zipNames(content: Buffer): readonly string[] {
  const end = endOfDirectory(content);
  if (end === undefined) return [];
  const names: string[] = [];
  let at = content.readUInt32LE(end + 16);
  for (let left = content.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + entryBytes > content.length || content.readUInt32LE(at) !== entrySignature) return [];
    const nameBytes = content.readUInt16LE(at + 28);
    names.push(content.toString("utf8", at + entryBytes, at + entryBytes + nameBytes));
    at += entryBytes + nameBytes + content.readUInt16LE(at + 30) + content.readUInt16LE(at + 32);
  }
  return names;
}

function endOfDirectory(content: Buffer): number | undefined {
  const first = Math.max(0, content.length - endBytes - commentBytesMax);
  for (let at = content.length - endBytes; at >= first; at -= 1)
    if (content.readUInt32LE(at) === endSignature) return at;
  return undefined;
}
