import type { Account } from "@pro-talent/schemas/accounts/calls";
import { accountLimits as limit } from "@pro-talent/schemas/accounts/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi, fetchFile } from "../../../api-client/account-api.ts";
import { Button } from "../../../ui/button/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { accountQuery } from "../../account-query.ts";
import { base64Of } from "../../base64-of.ts";
import { useFaultText } from "../../submission-form.tsx";
import { type AccountFault, type Refused, refusalIn } from "../../submission.machine.ts";
import { toaster } from "../../toaster.ts";

const side = 320;

/** The middle square of the picture, as the server will cut it. */
async function draw(canvas: HTMLCanvasElement, picture: Blob): Promise<void> {
  const bitmap = await createImageBitmap(picture);
  const edge = Math.min(bitmap.width, bitmap.height);
  const [left, top] = [(bitmap.width - edge) / 2, (bitmap.height - edge) / 2];
  canvas.getContext("2d")?.drawImage(bitmap, left, top, edge, edge, 0, 0, side, side);
  bitmap.close();
}

type PictureProps = { picture: Blob; label: string; onUnreadable: () => void };

function Picture({ picture, label, onUnreadable }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, picture).catch(onUnreadable);
  }, [picture, onUnreadable]);
  return (
    <canvas
      ref={canvas}
      className="photo__picture"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the policy of the site allows no picture from an address made in the browser
      role="img"
      aria-label={label}
      width={side}
      height={side}
    />
  );
}

async function upload(picture: Blob): Promise<Refused | undefined> {
  const body = { picture: await base64Of(picture) };
  return refusalIn(await accountApi().call("PUT /api/account/photo", { body }));
}

const network = (): Refused => ({ fault: "network" });

/** What can be done with the photo, and what is shown meanwhile. */
function usePhoto(account: Account) {
  const { t } = useTranslation("account-profile");
  const cache = useQueryClient();
  const [chosen, setChosen] = useState<Blob>();
  const [fault, setFault] = useState<AccountFault>();
  const [busy, setBusy] = useState(false);
  const stored = useQuery({
    queryKey: ["account", "photo"],
    queryFn: async () => (await fetchFile("/api/account/photo")) ?? null,
    enabled: account.hasPhoto,
    staleTime: Infinity,
  });
  const finish = async (sending: Promise<Refused | undefined>, text: string): Promise<void> => {
    setBusy(true);
    const refused = await sending.catch(network);
    setBusy(false);
    setFault(refused?.fault);
    if (refused !== undefined) return;
    setChosen(undefined);
    toaster.show({ text });
    await cache.invalidateQueries({ queryKey: accountQuery.queryKey });
  };
  const refuse = useCallback(() => {
    setChosen(undefined);
    setFault("account-profile:errors.photoUnreadable");
  }, []);
  const choose = (file: File | undefined): void => {
    const large = file !== undefined && file.size > limit.photoBytesMax;
    setFault(large ? "account-profile:errors.photoLarge" : undefined);
    setChosen(large ? undefined : file);
  };
  return {
    chosen,
    stored: account.hasPhoto ? (stored.data ?? undefined) : undefined,
    fault,
    busy,
    choose,
    refuse,
    use: (picture: Blob) => finish(upload(picture), t("photo.saved")),
    remove: () => {
      const removing = accountApi().call("DELETE /api/account/photo", {});
      return finish(
        removing.then((result) => refusalIn(result)),
        t("photo.removed"),
      );
    },
  };
}

type ActionsProps = {
  photo: ReturnType<typeof usePhoto>;
  onChoose: () => void;
  onRemove: () => void;
};

function PhotoActions({ photo, onChoose, onRemove }: ActionsProps) {
  const { t } = useTranslation("account-profile");
  const { chosen, stored, busy, choose, use } = photo;
  return (
    <div className="submission__actions">
      {chosen !== undefined && (
        <>
          <Button variant="solid" disabled={busy} onClick={() => void use(chosen)}>
            {busy ? t("photo.using") : t("photo.use")}
          </Button>
          <Button disabled={busy} onClick={() => choose(undefined)}>
            {t("photo.cancel")}
          </Button>
        </>
      )}
      {chosen === undefined && (
        <Button onClick={onChoose}>
          {stored === undefined ? t("photo.choose") : t("photo.another")}
        </Button>
      )}
      {chosen === undefined && stored !== undefined && (
        <Button variant="text" onClick={onRemove}>
          {t("photo.remove")}
        </Button>
      )}
    </div>
  );
}

type RemovalProps = { onRemove: () => void; onClose: () => void };

function Removal({ onRemove, onClose }: RemovalProps) {
  const { t } = useTranslation("account-profile");
  return (
    <ConfirmDialog
      title={t("photo.removeTitle")}
      texts={{ confirm: t("photo.remove"), keep: t("photo.keep"), close: t("close") }}
      onConfirm={() => {
        onClose();
        onRemove();
      }}
      onClose={onClose}
    >
      <p>{t("photo.removeBody")}</p>
    </ConfirmDialog>
  );
}

/** The photo: shown, chosen with a preview, removed after a question. */
export function Photo({ account }: { account: Account }) {
  const { t } = useTranslation("account-profile");
  const textOf = useFaultText();
  const photo = usePhoto(account);
  const { chosen, stored, fault, choose, refuse, remove } = photo;
  const [asking, setAsking] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const shown = chosen ?? stored;
  return (
    <section className="photo" aria-labelledby="photo">
      <h2 id="photo" className="settings__title">
        {t("photo.title")}
      </h2>
      {shown === undefined ? (
        <div className="photo__picture photo__picture--none" aria-hidden="true" />
      ) : (
        <Picture
          picture={shown}
          label={chosen === undefined ? t("photo.alt") : t("photo.chosen")}
          onUnreadable={refuse}
        />
      )}
      <p className="settings__note">{shown === undefined ? t("photo.none") : t("photo.hint")}</p>
      <Notice kind="error">{fault && textOf(fault)}</Notice>
      <input
        ref={file}
        className="visually-hidden"
        id="photo-file"
        type="file"
        accept="image/jpeg,image/png,image/webp"
        tabIndex={-1}
        aria-label={t("photo.choose")}
        onChange={({ target }) => {
          choose(target.files?.[0]);
          target.value = "";
        }}
      />
      <PhotoActions
        photo={photo}
        onChoose={() => file.current?.click()}
        onRemove={() => setAsking(true)}
      />
      {asking && <Removal onRemove={() => void remove()} onClose={() => setAsking(false)} />}
    </section>
  );
}
