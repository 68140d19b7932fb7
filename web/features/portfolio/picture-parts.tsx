import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { pictureTypes, type usePictureUpload } from "./pictures.ts";
import { pictureQuery } from "./portfolio-queries.ts";

/** A stored picture, small. Its text is edited beside it, so it has none here. */
export function Thumbnail({ file }: { file: string }) {
  const { data: address } = useQuery(pictureQuery(file));
  return address === undefined ? (
    <span className="pf-thumbnail" aria-hidden="true" />
  ) : (
    <img className="pf-thumbnail" src={address} alt="" />
  );
}

type PicturesButtonProps = {
  label: string;
  multiple: boolean;
  disabled?: boolean;
  upload: ReturnType<typeof usePictureUpload>;
  /** How many may be chosen. */
  max?: number;
};

/** Chooses pictures and sends them. */
export function PicturesButton(props: PicturesButtonProps) {
  const { label, multiple, disabled = false, upload, max = 1 } = props;
  const { t } = useTranslation("portfolio");
  const input = useRef<HTMLInputElement>(null);
  const { progress, faults, send } = upload;
  return (
    <div className="pf-upload">
      <Notice kind="error">
        {faults.length > 0 &&
          faults.map(({ name, fault }) => (
            <p key={name}>
              <bdi>{name}</bdi>: {t(`pictures.${fault}`)}
            </p>
          ))}
      </Notice>
      <input
        ref={input}
        hidden
        type="file"
        accept={pictureTypes}
        multiple={multiple}
        onChange={({ target }) => {
          void send([...(target.files ?? [])].slice(0, max));
          target.value = "";
        }}
      />
      <div className="cv-actions">
        <Button
          disabled={disabled || progress !== undefined}
          onClick={() => input.current?.click()}
        >
          {label}
        </Button>
        <output className="pf-upload__progress">
          {progress !== undefined && (
            <>
              <progress max={progress.all} value={progress.done} aria-hidden="true" />
              {t("pictures.sending", { place: progress.done + 1, count: progress.all })}
            </>
          )}
        </output>
      </div>
    </div>
  );
}
