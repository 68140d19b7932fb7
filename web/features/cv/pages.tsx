import { useEffect, useState } from "react";

/**
 * Pages as a picture: what stands in it is never part of this document. The next picture takes the place of the
 * earlier one once it is ready.
 */
export function Pages({ svg, alt }: { svg: string; alt: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const next = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    let closed = false;
    const show = (): void => {
      if (!closed) setAddress(next);
    };
    const image = new Image();
    // Not `decode`, which would draw the pages twice. What cannot be read is shown as the browser shows it.
    image.onload = show;
    image.onerror = show;
    image.src = next;
    return () => {
      closed = true;
      // The picture is still shown until the next one is.
      setTimeout(() => URL.revokeObjectURL(next), 1_000);
    };
  }, [svg]);
  if (address === undefined) return <div className="cv-pages cv-pages--none" aria-hidden="true" />;
  return <img className="cv-pages" src={address} alt={alt} />;
}
