import { useTranslation } from "react-i18next";

import { isolated } from "../../isolated.ts";
import { toaster } from "../../toaster.ts";
import type { Json } from "./document-at.ts";
import { useEditing } from "./editing.ts";
import { removal } from "./order-menu.tsx";

/** Removes a part of a list at once, and offers to put it back. */
export function useRemoval() {
  const { t } = useTranslation("cv");
  const { edit } = useEditing();
  return (
    list: string,
    item: Json & { id: string },
    { previous, name }: { previous: string | undefined; name: string },
  ): void => {
    const { remove, restore } = removal(list, item, previous);
    edit(remove);
    const action = { label: t("order.restore"), onAction: () => edit(restore) };
    toaster.show({ text: t("order.removed", { name: isolated(name) }), action });
  };
}
