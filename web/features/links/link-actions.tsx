import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { encode } from "uqr";

import { accountApi } from "../../api-client/account-api.ts";
import { Button } from "../../ui/button/button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { insightsKey, linksKey, linksQuery } from "../link-opens.ts";
import { toaster } from "../toaster.ts";
import { addressOf, type ShareLink } from "./link-queries.ts";

/** Saves content as a file of this browser. */
function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Copies the address of a link; the toast says whether the browser did it. */
export function CopyLink({ link }: { link: ShareLink }) {
  const { t } = useTranslation("links");
  const copy = async (): Promise<void> => {
    const say = (text: string) => () => toaster.show({ text });
    const named = { label: link.label, interpolation: { escapeValue: false } };
    const copying = navigator.clipboard.writeText(addressOf(link));
    await copying.then(say(t("copy.done", named)), say(t("copy.refused")));
  };
  return (
    <Button onClick={() => void copy()}>
      {t("copy.action")} <span className="visually-hidden">{link.label}</span>
    </Button>
  );
}

const qrBorder = 4;
const qrImagePx = 1024;

/** The code as one SVG document: modules of one unit, with the quiet zone of ISO/IEC 18004. */
function qrSvg(text: string): { size: number; path: string; document: string } {
  const { size, data } = encode(text, { border: qrBorder });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  const box = `viewBox="0 0 ${size} ${size}" width="${qrImagePx}" height="${qrImagePx}"`;
  const document = `<svg xmlns="http://www.w3.org/2000/svg" ${box} shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
  return { size, path, document };
}

/** The same code drawn in pixels; undefined where the browser cannot. */
function qrPng(size: number, path: string): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = qrImagePx;
  canvas.height = qrImagePx;
  const drawing = canvas.getContext("2d");
  if (drawing === null) return Promise.resolve(null);
  drawing.fillStyle = "#fff";
  drawing.fillRect(0, 0, qrImagePx, qrImagePx);
  drawing.scale(qrImagePx / size, qrImagePx / size);
  drawing.fillStyle = "#000";
  drawing.fill(new Path2D(path));
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** The QR code of a link, made in this browser. */
export function QrDialog({ link, onClose }: { link: ShareLink; onClose: () => void }) {
  const { t } = useTranslation("links");
  const { size, path, document: svg } = useMemo(() => qrSvg(addressOf(link)), [link]);
  const savePng = async (): Promise<void> => {
    const image = await qrPng(size, path);
    if (image === null) toaster.show({ text: t("qr.refused") });
    else saveFile(`${link.code}.png`, image);
  };
  return (
    <Dialog title={t("qr.title")} closeLabel={t("close")} onClose={onClose}>
      <svg
        className="links__qr"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t("qr.of", { label: link.label, interpolation: { escapeValue: false } })}
      >
        <path d={path} shapeRendering="crispEdges" />
      </svg>
      <p>
        <bdi dir="ltr">{addressOf(link)}</bdi>
      </p>
      <div className="links__actions">
        <Button
          variant="solid"
          onClick={() => saveFile(`${link.code}.svg`, new Blob([svg], { type: "image/svg+xml" }))}
        >
          {t("qr.svg")}
        </Button>
        <Button onClick={() => void savePng()}>{t("qr.png")}</Button>
      </div>
    </Dialog>
  );
}

/** What the owner can do with the state of a link: one button, which keeps the focus when it is pressed. */
export const changeOf = ({ status }: ShareLink): "revoke" | "restore" | undefined =>
  ({ active: "revoke", revoked: "restore", expired: undefined, "taken-down": undefined } as const)[
    status
  ];

/** What an owner does with a link that exists; lists follow at once, and a failure is said. */
export function useLinkActions() {
  const { t } = useTranslation("links");
  const cache = useQueryClient();
  const put = (next: ShareLink): void => {
    cache.setQueryData(linksQuery.queryKey, (known) =>
      known === undefined
        ? known
        : { ...known, links: known.links.map((one) => (one.linkId === next.linkId ? next : one)) },
    );
  };
  const failed = (): boolean => {
    toaster.show({ text: t("failed") });
    return false;
  };
  const change = async (link: ShareLink, action: "revoke" | "restore"): Promise<boolean> => {
    const name = `POST /api/links/:linkId/${action}` as const;
    const result = await accountApi()
      .call(name, { params: { linkId: link.linkId } })
      .catch(() => undefined);
    if (result?.ok !== true || result.answer === undefined) return failed();
    put(result.answer.link);
    return true;
  };
  const named = ({ label }: ShareLink) => ({ label, interpolation: { escapeValue: false } });
  const restore = async (link: ShareLink): Promise<void> => {
    if (await change(link, "restore")) toaster.show({ text: t("restore.done", named(link)) });
  };
  const revoke = async (link: ShareLink): Promise<void> => {
    if (!(await change(link, "revoke"))) return;
    const undo = { label: t("revoke.undo"), onAction: () => void restore(link) };
    toaster.show({ text: t("revoke.done", named(link)), action: undo });
  };
  const remove = async (link: ShareLink): Promise<boolean> => {
    const { linkId } = link;
    const result = await accountApi()
      .call("DELETE /api/links/:linkId", { params: { linkId } })
      .catch(() => undefined);
    // Deleted in another tab is deleted, too.
    if (result === undefined || (!result.ok && result.status !== 404)) return failed();
    toaster.show({ text: t("delete.done", named(link)) });
    await cache.invalidateQueries({ queryKey: linksKey });
    await cache.invalidateQueries({ queryKey: insightsKey });
    return true;
  };
  return { put, revoke, restore, remove };
}

type DeleteLinkProps = { link: ShareLink; onDeleted: () => void; onClose: () => void };

/** Asks before a link is deleted, and names it. */
export function DeleteLink({ link, onDeleted, onClose }: DeleteLinkProps) {
  const { t } = useTranslation("links");
  const { remove } = useLinkActions();
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    const deleted = await remove(link);
    setBusy(false);
    if (deleted) onDeleted();
    else onClose();
  };
  return (
    <ConfirmDialog
      title={t("delete.title", { label: link.label, interpolation: { escapeValue: false } })}
      texts={{ confirm: t("delete.confirm"), keep: t("delete.keep"), close: t("close") }}
      busy={busy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>{t("delete.body")}</p>
    </ConfirmDialog>
  );
}
