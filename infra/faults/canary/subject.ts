import { buyPlans, openAccount, type Person } from "./account-life.ts";
import { trackApplications } from "./applications.ts";
import { writeCvs } from "./cvs.ts";
import { type Instance, keyIds } from "./instance.ts";
import {
  askForCopy,
  askForCorrection,
  openLinks,
  type Shared,
  shareLinks,
  stepUp,
  visitSite,
} from "./links-and-visits.ts";
import { approve, downloadPackage } from "./officer.ts";
import { PersonalWords } from "./words.ts";

/** A person who used every feature, and the ids under which the product knows them. */
export type Subject = Person & {
  readonly links: readonly Shared[];
  readonly anonymousId: string;
  readonly ids: readonly string[];
  /** Of the package that they downloaded. */
  readonly copyBytes: number;
};

/** A person uses every feature, alone: what is new under a key afterwards is theirs. */
export async function live(
  instance: Instance,
  random: () => number,
  officer: Person,
): Promise<Subject> {
  const { door, clock, sql } = instance;
  const before = await keyIds(sql);
  const opened = await openAccount(door, new PersonalWords(random), clock);
  await buyPlans(door, opened);
  const cvIds = await writeCvs(instance, opened);
  const links = await shareLinks(door, opened, cvIds);
  const sent = links.map(({ linkId }) => linkId);
  const applicationIds = await trackApplications(instance, opened, sent);
  const anonymousId = await visitSite(door, opened);
  await openLinks(door, links, anonymousId);
  const person = { ...opened, signed: await stepUp(door, opened, clock) };
  await approve(instance, officer, person, await askForCorrection(door, person));
  const copy = await askForCopy(door, person);
  await approve(instance, officer, person, copy);
  const held = await downloadPackage(instance, person.signed, copy);
  for (const path of ["held", "requests", "consents"])
    await door.ask(`GET /api/privacy/${path}`, undefined, person.signed);
  await askForCorrection(door, person);
  const ids = [...(await keyIds(sql))].filter((id) => !before.has(id));
  const all = [
    ...ids,
    ...cvIds,
    ...applicationIds,
    opened.accountId,
    ...links.map(({ linkId }) => linkId),
  ];
  return { ...person, links, anonymousId, ids: [...new Set(all)], copyBytes: held.length };
}
