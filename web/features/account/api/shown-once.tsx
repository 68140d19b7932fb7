import { useEffect, useId, useRef } from "react";

import { Button } from "../../../ui/button/button.tsx";
import { CopyButton } from "../security/recovery-codes.tsx";

type ShownOnceProps = {
  secret: string;
  texts: { title: string; body: string; copy: string; done: string };
  onKept: () => void;
};

/** A secret that was just made; it takes focus, since it is not shown again. */
export function ShownOnce({ secret, texts, onKept }: ShownOnceProps) {
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus();
  }, []);
  return (
    <section className="codes" aria-labelledby={id}>
      <h3 ref={title} id={id} className="settings__title" tabIndex={-1}>
        {texts.title}
      </h3>
      <p>{texts.body}</p>
      <code className="api-token" dir="ltr">
        {secret}
      </code>
      <div className="submission__actions">
        <CopyButton text={secret} label={texts.copy} />
        <Button variant="solid" onClick={onKept}>
          {texts.done}
        </Button>
      </div>
    </section>
  );
}
