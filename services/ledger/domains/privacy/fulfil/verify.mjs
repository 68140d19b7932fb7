#!/usr/bin/env node
// Verifies a document that Pro Talent signed, without asking Pro Talent:
//   node verify.mjs <manifest.json | receipt.json | certificate.json> <public key in hexadecimal>
// Beside a manifest every file that it names is compared too. Of an evidence pack, the hash of each event is
// computed anew, and led to the head of the ledger that was published. Needs Node.js alone.
import { createHash, createPublicKey, verify } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";

const documents = ["data package", "consent receipt", "erasure certificate", "evidence pack"];
// An Ed25519 public key up to its 32 bytes (RFC 8410).
const prefix = Buffer.from("302a300506032b6570032100", "hex");

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest("hex");
const hex = (text) => Buffer.from(text, "hex");

function isSigned(text, keyId, signature) {
  if (!/^[0-9a-f]{64}$/u.test(keyId) || !/^[0-9a-f]{128}$/u.test(signature)) return false;
  const der = Buffer.concat([prefix, hex(keyId)]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, Buffer.from(`pro-talent ${text}`), key, hex(signature));
}

/** The purpose that a document was signed for, and what it says; undefined if nothing holds. */
function openDocument(text, keyId, purposes = documents) {
  const [, entry, signature] =
    /^\{"entry":(\{.*\}),"signature":"([0-9a-f]{128})"\}\s*$/su.exec(text) ?? [];
  const purpose = purposes.find((one) => isSigned(`${one}\n${entry}`, keyId, signature ?? ""));
  return purpose && { purpose, entry: JSON.parse(entry) };
}

/** What differs between the files beside a manifest and those that it names. */
function faultsBeside(folder, { files }) {
  const present = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) =>
      join(one.parentPath, one.name)
        .slice(folder.length + 1)
        .replaceAll(sep, "/"),
    );
  const named = new Map(files.map(({ path, sha256: hash }) => [path, hash]));
  const changed = [...named].flatMap(([path, hash]) => {
    if (!present.includes(path)) return [`missing: ${path}`];
    return sha256(readFileSync(join(folder, path))) === hash ? [] : [`changed: ${path}`];
  });
  const added = present.filter((path) => !named.has(path) && path !== "manifest.json");
  return [...changed, ...added.map((path) => `not part of it: ${path}`)];
}

const linesOf = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
/** RFC 8785, for what heads hold: plain texts and whole numbers. */
const canonical = (value) =>
  JSON.stringify(value, (_name, one) =>
    typeof one === "object"
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );

/** What does not follow in the chain of events, from each to the published head that covers it. */
function faultsOfChain(folder) {
  const heads = linesOf(join(folder, "heads.jsonl")).map((line) => JSON.parse(line));
  const forged = heads.filter(
    ({ signature, ...head }) => !isSigned(`ledger head\n${canonical(head)}`, head.keyId, signature),
  );
  const events = JSON.parse(readFileSync(join(folder, "events.json"), "utf8"));
  const broken = events.filter(({ previous, fields, hash, proof }) => {
    if (sha256(hex(previous), Buffer.from(fields.join("\u001F"))) !== hash) return true;
    if (proof === null) return false;
    const root = proof.path.reduce(
      (below, step) => {
        const [side, other] = step.split(" ");
        const children = side === "left" ? [hex(other), hex(below)] : [hex(below), hex(other)];
        return sha256(Buffer.of(1), ...children);
      },
      sha256(Buffer.of(0), hex(hash)),
    );
    return root !== heads.find(({ position }) => position === proof.head)?.tree?.root;
  });
  return [
    ...forged.map(({ position }) => `not signed: the head at ${position}`),
    ...broken.map(({ fields }) => `not in the chain: event ${fields[0]}`),
  ];
}

/** What the erasure journal and the backup program do not confirm of what the ledger says. */
function faultsOfProofs(folder) {
  const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const lastOf = (type) =>
    JSON.parse(
      read("events.json").findLast(({ fields }) => fields[6] === type)?.fields[11] ?? "{}",
    );
  const [{ sha256: journalled }, { proof, oldestRestorableAt }] = [
    lastOf("JournalWritten"),
    lastOf("BackupsAged"),
  ];
  const journal = linesOf(join(folder, "journal.jsonl")).map((line) => sha256(Buffer.from(line)));
  const faults =
    journalled && !journal.includes(journalled)
      ? ["missing: the entry of the erasure journal"]
      : [];
  if (read("evidence.json").backupsOverdue) faults.push("overdue: no proof that backups are gone");
  if (proof === undefined) return faults;
  const signed = linesOf(join(folder, "backups.jsonl")).flatMap(
    (line) => openDocument(line, proof.keyId, ["backup horizon"])?.entry.record ?? [],
  );
  const destroyed = new Set(signed.flatMap(({ purged = [] }) => purged).map(canonical));
  const unproven = proof.purged.filter((copy) => !destroyed.has(canonical(copy)));
  if (!signed.some((line) => line.oldestRestorableAt === oldestRestorableAt))
    faults.push("missing: the oldest backup that could be restored");
  return [...faults, ...unproven.map(({ copy }) => `not signed: the purge of ${copy}`)];
}

const [file = "", keyId = ""] = process.argv.slice(2);
const opened = file === "" ? undefined : openDocument(readFileSync(file, "utf8"), keyId);
const faults = opened === undefined ? ["not signed with this key, or changed since"] : [];
if (opened?.entry.files) faults.push(...faultsBeside(dirname(file), opened.entry));
// Files that differ from those that were signed prove nothing more.
if (opened?.purpose === "evidence pack" && faults.length === 0)
  faults.push(...faultsOfChain(dirname(file)), ...faultsOfProofs(dirname(file)));
if (opened?.entry.backups?.overdue) faults.push("overdue: no proof that backups are gone");
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length === 0)
  process.stdout.write(`genuine: ${opened.purpose}\n${JSON.stringify(opened.entry, null, 2)}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
