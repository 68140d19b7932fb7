import { type ComponentType, lazy, useRef } from "react";

type LazyPart<Props> = ComponentType<Props> & { load: () => Promise<unknown> };

/**
 * A part of a page whose code is loaded when it is shown first, or before by `load`. Loaded before, it
 * shows at once: `React.lazy` alone always shows its fallback first, and React then keeps that for 300 ms.
 */
export function lazyPart<Props extends object>(
  fetchPart: () => Promise<ComponentType<Props>>,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const load = async () => {
    loaded = await fetchPart();
    return { default: loaded };
  };
  const Waiting: ComponentType<Props> = lazy(load);
  function Part(props: Props) {
    // Another component in its place would begin anew.
    const shown = useRef<ComponentType<Props>>(null);
    shown.current ??= loaded ?? Waiting;
    const Shown = shown.current;
    return <Shown {...props} />;
  }
  return Object.assign(Part, { load });
}
