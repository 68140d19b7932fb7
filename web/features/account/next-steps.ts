import type { Account } from "@pro-talent/schemas/accounts/calls";
import type { TFunction } from "i18next";

/** Something that is worth doing next: a card of the dashboard. */
export type NextStep = {
  id: string;
  title: string;
  body: string;
  action: string;
  /** Where it is done. */
  href: string;
};

/** Fewer recovery codes than this are few. */
const codesFew = 3;

type Texts = TFunction<"dashboard">;

function protection(account: Account, t: Texts): NextStep[] {
  const href = "/account/security";
  if (!account.totp && account.passkeys === 0) {
    const of = (part: "title" | "body" | "action") => t(`steps.protect.${part}`);
    return [{ id: "protect", title: of("title"), body: of("body"), action: of("action"), href }];
  }
  if (!account.totp || account.recoveryCodesLeft >= codesFew) return [];
  return [
    {
      id: "codes",
      title: t("steps.codes.title"),
      body: t("steps.codes.body", { count: account.recoveryCodesLeft }),
      action: t("steps.codes.action"),
      href,
    },
  ];
}

function profile(
  { profile: { phone, address }, hasPhoto }: Account,
  t: Texts,
  list: Intl.ListFormat,
) {
  const missing = [
    ...(phone === "" ? [t("missing.phone")] : []),
    ...(address === "" ? [t("missing.address")] : []),
    ...(hasPhoto ? [] : [t("missing.photo")]),
  ];
  if (missing.length === 0) return [];
  return [
    {
      id: "profile",
      title: t("steps.profile.title"),
      body: t("steps.profile.body", { missing: list.format(missing) }),
      action: t("steps.profile.action"),
      href: "/account/profile",
    },
  ];
}

function handle({ profile: { handle: chosen } }: Account, t: Texts): NextStep[] {
  if (chosen !== null) return [];
  const of = (part: "title" | "body" | "action") => t(`steps.handle.${part}`);
  const href = "/account/profile";
  return [{ id: "handle", title: of("title"), body: of("body"), action: of("action"), href }];
}

/** What is worth doing next about the account, the most urgent first. */
export const accountSteps = (account: Account, t: Texts, list: Intl.ListFormat): NextStep[] => [
  ...protection(account, t),
  ...profile(account, t, list),
  ...handle(account, t),
];
