import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

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
    setWidth(observed.clientWidth);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** An address for each page; the earlier one stays until the next is drawn. */
function useAddresses(html: string) {
  const [addresses, setAddresses] = useState<readonly string[]>([]);
  useEffect(() => {
    const address = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    setAddresses((before) => [...before.slice(0, 1), address]);
    return () => {
      // It is still shown until the next one is.
      setTimeout(() => URL.revokeObjectURL(address), 1_000);
    };
  }, [html]);
  const onDrawn = (address: string): void =>
    setAddresses((before) => before.slice(Math.max(0, before.indexOf(address))));
  return { addresses, onDrawn };
}

type PreviewFrameProps = { html: string; title: string; device: Device; onReady?: () => void };

/**
 * A page in a frame in which nothing runs, scaled to the space that there is. The next page takes the place of the
 * earlier one, scrolled as that was, once it is drawn. The frame has the origin of this site, so that style sheets and
 * pictures load; what could use that, scripts and forms, is not allowed in it.
 */
export function PreviewFrame({ html, title, device }: PreviewFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const frames = useRef(new Map<string, HTMLIFrameElement>());
  const { addresses, onDrawn } = useAddresses(html);
  const width = widths[device];
  const scale = Math.min(1, useWidth(place) / width);
  const drawn = (address: string): void => {
    const [shown] = addresses;
    const before = shown === undefined ? undefined : frames.current.get(shown);
    const { scrollY = 0 } = before?.contentWindow ?? {};
    frames.current.get(address)?.contentWindow?.scrollTo(0, scrollY);
    onDrawn(address);
  };
  return (
    <div className={`pf-frame pf-frame--${device}`} ref={place} dir="ltr">
      {scale > 0 &&
        addresses.map((address, index) => (
          <iframe
            key={address}
            ref={(frame) => {
              if (frame === null) frames.current.delete(address);
              else frames.current.set(address, frame);
            }}
            className="pf-frame__page"
            data-shown={index === 0}
            src={address}
            sandbox="allow-same-origin"
            title={title}
            style={{
              inlineSize: width,
              blockSize: `${100 / scale}%`,
              transform: `scale(${scale})`,
            }}
            onLoad={() => drawn(address)}
          />
        ))}
    </div>
  );
}
