#!/usr/bin/env node
// Verifies a document that Pro Talent signed, without asking Pro Talent:
//   node verify.mjs <manifest.json | receipt.json> <public key in hexadecimal>
// Beside a manifest every file that it names is compared too. Needs Node.js alone.
import { createHash, createPublicKey, verify } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";

const purposes = ["data package", "consent receipt", "erasure certificate"];
// An Ed25519 public key up to its 32 bytes (RFC 8410).
const prefix = Buffer.from("302a300506032b6570032100", "hex");

/** The purpose that a document was signed for, and what it says; undefined if nothing holds. */
function openDocument(text, keyId) {
  const [, entry, signature] =
    /^\{"entry":(\{.*\}),"signature":"([0-9a-f]{128})"\}\s*$/su.exec(text) ?? [];
  if (entry === undefined || !/^[0-9a-f]{64}$/u.test(keyId)) return undefined;
  const der = Buffer.concat([prefix, Buffer.from(keyId, "hex")]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  const purpose = purposes.find((one) =>
    verify(null, Buffer.from(`pro-talent ${one}\n${entry}`), key, Buffer.from(signature, "hex")),
  );
  return purpose && { purpose, entry: JSON.parse(entry) };
}

/** What differs between the files beside a manifest and those that it names. */
function faultsBeside(file, { files }) {
  const folder = dirname(file);
  const present = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) =>
      join(one.parentPath, one.name)
        .slice(folder.length + 1)
        .replaceAll(sep, "/"),
    );
  const named = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const changed = [...named].flatMap(([path, sha256]) => {
    if (!present.includes(path)) return [`missing: ${path}`];
    const found = createHash("sha256")
      .update(readFileSync(join(folder, path)))
      .digest("hex");
    return found === sha256 ? [] : [`changed: ${path}`];
  });
  const added = present.filter((path) => !named.has(path) && path !== "manifest.json");
  return [...changed, ...added.map((path) => `not part of it: ${path}`)];
}

const [file = "", keyId = ""] = process.argv.slice(2);
const opened = file === "" ? undefined : openDocument(readFileSync(file, "utf8"), keyId);
const faults =
  opened === undefined
    ? ["not signed with this key, or changed since"]
    : opened.purpose === "data package"
      ? faultsBeside(file, opened.entry)
      : [];
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length === 0)
  process.stdout.write(`genuine: ${opened.purpose}\n${JSON.stringify(opened.entry, null, 2)}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
