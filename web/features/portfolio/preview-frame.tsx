import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";

/** In pixels of the page itself. */
const widths = { phone: 390, desktop: 1200 } as const;
export type Device = keyof typeof widths;

/** Follows the width of an element, in pixels. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observed = element.current;
    if (observed === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(observed.clientWidth));
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** An address for a page, as long as it is shown. */
function useAddress(html: string): string {
  const address = useMemo(
    () => URL.createObjectURL(new Blob([html], { type: "text/html" })),
    [html],
  );
  useEffect(
    () => () => {
      // It stays until the next one is drawn.
      setTimeout(() => URL.revokeObjectURL(address), 1_000);
    },
    [address],
  );
  return address;
}

/** Scrolls a page as another one is. WebKit denies it of sandboxed pages, whatever their origin: they begin at their top. */
function keepScroll(from: HTMLIFrameElement | undefined, to: HTMLIFrameElement | undefined): void {
  try {
    to?.contentWindow?.scrollTo(0, from?.contentWindow?.scrollY ?? 0);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

type PreviewFrameProps = { html: string; title: string; device: Device };

/**
 * A page in a frame in which nothing runs, scaled to the space that there is. The next page takes the place of the
 * earlier one, scrolled as that was, once it is drawn. The frame has the origin of this site, so that style sheets and
 * pictures load; what could use that, scripts and forms, is not allowed in it.
 */
export function PreviewFrame({ html, title, device }: PreviewFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const frames = useRef(new Map<string, HTMLIFrameElement>());
  const address = useAddress(html);
  const [shown, setShown] = useState(address);
  const width = widths[device];
  const scale = Math.min(1, useWidth(place) / width);
  const onDrawn = (drawn: string): void => {
    keepScroll(frames.current.get(shown), frames.current.get(drawn));
    setShown(drawn);
  };
  return (
    <div className={`pf-frame pf-frame--${device}`} ref={place} dir="ltr">
      {scale > 0 &&
        [...new Set([shown, address])].map((one) => (
          <iframe
            key={one}
            ref={(frame) => {
              if (frame === null) frames.current.delete(one);
              else frames.current.set(one, frame);
            }}
            className="pf-frame__page"
            data-shown={one === shown}
            src={one}
            sandbox="allow-same-origin"
            title={title}
            style={{
              inlineSize: width,
              blockSize: `${100 / scale}%`,
              transform: `scale(${scale})`,
            }}
            onLoad={() => onDrawn(one)}
          />
        ))}
    </div>
  );
}
