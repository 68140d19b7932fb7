import type { Account } from "@pro-talent/schemas/accounts/calls";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";

import { answerRefusals } from "../../api-client/account-api.ts";
import { Button } from "../../ui/button/button.tsx";
import { CommandMenu } from "../../ui/command-menu/command-menu.tsx";
import { AppIcon } from "../../ui/icon/app-icon.tsx";
import { Menu } from "../../ui/menu/menu.tsx";
import type { CommandPage } from "./commands.tsx";
import { factorPage } from "./guard.ts";
import { signOut } from "./query-client.ts";

const StepUpDialog = lazy(async () => ({
  default: (await import("../../features/account/step-up.tsx")).StepUpDialog,
}));

const loadCommands = () => import("./commands.tsx");
const CommandsPanel = lazy(async () => ({ default: (await loadCommands()).CommandsPanel }));

/** The button that finds every page and action; what is found is loaded with its first use. */
export function Commands({ pages }: { pages: readonly CommandPage[] }) {
  const { t } = useTranslation("account");
  return (
    <CommandMenu
      label={t("search")}
      // A failure is shown when the menu is opened.
      onPrepare={() => void loadCommands().catch(() => undefined)}
      renderPanel={(close) => (
        <Suspense>
          <CommandsPanel pages={pages} onClose={close} />
        </Suspense>
      )}
    />
  );
}

type PersonProps = { account: Pick<Account, "email" | "profile"> };

function Person({ account: { email, profile } }: PersonProps) {
  return (
    <>
      <strong>
        <bdi>{profile.fullName}</bdi>
      </strong>
      <bdi className="account-address">{email}</bdi>
    </>
  );
}

/** In the top bar: who is signed in, and the pages about the account. */
export function AccountMenu({ account }: PersonProps) {
  const { t } = useTranslation("account");
  const navigate = useNavigate();
  const pages: Readonly<Record<string, string>> = {
    profile: "/account/profile",
    security: "/account/security",
  };
  return (
    <Menu
      variant="text"
      label={t("layout.accountOf", { name: account.profile.fullName })}
      heading={<Person account={account} />}
      groups={[
        {
          id: "account",
          entries: [
            { id: "profile", text: t("layout.profile") },
            { id: "security", text: t("layout.security") },
          ],
        },
        { id: "leave", entries: [{ id: "sign-out", text: t("layout.signOut") }] },
      ]}
      onAction={(id) => {
        const page = pages[id];
        if (page === undefined) void signOut();
        else void navigate(page);
      }}
    >
      <AppIcon name="person" />
    </Menu>
  );
}

/** On phones, at the end of the menu; its pages are among those of the navigation. */
export function AccountEnd({ account }: { account: PersonProps["account"] | undefined }) {
  const { t } = useTranslation("account");
  return (
    <div className="account-end">
      {account !== undefined && (
        <p>
          <Person account={account} />
        </p>
      )}
      <Button onClick={() => void signOut()}>{t("layout.signOut")}</Button>
    </div>
  );
}

/** Answers refused calls: the dialog that confirms the account holder, and the page for a second factor. */
export function RefusedCalls({ account }: { account: Account | undefined }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ answer: (confirmed: boolean) => void }>();
  useEffect(() => {
    answerRefusals({
      stepUp: () =>
        new Promise((resolve) => {
          setAsked((earlier) => ({
            // Calls that were refused together are confirmed together.
            answer: (confirmed) => {
              earlier?.answer(confirmed);
              resolve(confirmed);
            },
          }));
        }),
      setUpFactor: () => void navigate(factorPage),
    });
    return () => answerRefusals(undefined);
  }, [navigate]);
  if (asked === undefined || account === undefined) return null;
  const answer = (confirmed: boolean): void => {
    setAsked(undefined);
    asked.answer(confirmed);
  };
  return (
    <Suspense>
      <StepUpDialog account={account} onDone={() => answer(true)} onClose={() => answer(false)} />
    </Suspense>
  );
}
