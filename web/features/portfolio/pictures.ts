import { portfolioLimits } from "@pro-talent/schemas/studio/limits";
import { useState } from "react";

import { accountApi } from "../../api-client/account-api.ts";
import { base64Of } from "../base64-of.ts";

/** What is offered for choosing; the server draws every picture anew. */
export const pictureTypes = "image/jpeg,image/png,image/webp,image/avif,image/heic,image/gif";
export type PictureFault = "pictureLarge" | "pictureUnreadable" | "picturesFull" | "failed";

async function store(picture: File): Promise<{ file: string } | { fault: PictureFault }> {
  if (picture.size > portfolioLimits.pictureBytesMax) return { fault: "pictureLarge" };
  const body = { content: await base64Of(picture) };
  const result = await accountApi().call("POST /api/portfolio/pictures", { body });
  if (result.ok) return result.answer ?? { fault: "failed" };
  if (result.status === 413) return { fault: "pictureLarge" };
  if (result.code === "picture_unreadable") return { fault: "pictureUnreadable" };
  return { fault: result.code === "pictures_full" ? "picturesFull" : "failed" };
}

/** Stores chosen pictures one after the other, and says how far that is. */
export function usePictureUpload(onStored: (file: string) => void) {
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [faults, setFaults] = useState<readonly { name: string; fault: PictureFault }[]>([]);
  const send = async (pictures: readonly File[]): Promise<void> => {
    if (pictures.length === 0) return;
    setFaults([]);
    for (const [done, picture] of pictures.entries()) {
      setProgress({ done, all: pictures.length });
      const stored = await store(picture).catch(() => ({ fault: "failed" as const }));
      if ("file" in stored) onStored(stored.file);
      else setFaults((before) => [...before, { name: picture.name, fault: stored.fault }]);
    }
    setProgress(undefined);
  };
  return { progress, faults, send };
}
