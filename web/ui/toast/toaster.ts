export type ToastMessage = {
  text: string;
  /** One way back or further, such as an undo. */
  action?: { label: string; onAction: () => void };
};
export type Toast = ToastMessage & { id: number };

export type Toaster = {
  show: (message: ToastMessage) => void;
  dismiss: (id: number) => void;
  /** For `useSyncExternalStore`. */
  subscribe: (listener: () => void) => () => void;
  shown: () => readonly Toast[];
};

/** Older toasts leave when a fourth arrives. */
const toastsMax = 3;

/** Holds the toasts of one application, the newest last. */
export function createToaster(): Toaster {
  let toasts: readonly Toast[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();
  const change = (next: readonly Toast[]): void => {
    toasts = next;
    for (const listener of listeners) listener();
  };
  return {
    show: (message) => {
      lastId += 1;
      change([...toasts, { ...message, id: lastId }].slice(-toastsMax));
    },
    dismiss: (id) => change(toasts.filter((toast) => toast.id !== id)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    shown: () => toasts,
  };
}
