import { useSearchParams } from "react-router-dom";

/**
 * The part of an editor that the address names; the page has a place of its own on wide screens.
 * @param parts of the editor, `write` and `page` among them; the address names `write` by no part
 */
export function usePart<Part extends string>(parts: readonly (Part | "write")[], narrow: boolean) {
  const [search, setSearch] = useSearchParams();
  const named = parts.find((part) => part === search.get("part")) ?? "write";
  const part = named === "page" && !narrow ? "write" : named;
  const show = (next: string): void => {
    const changed = new URLSearchParams(search);
    if (next === "write") changed.delete("part");
    else changed.set("part", next);
    setSearch(changed, { replace: true, preventScrollReset: true });
  };
  return { part, show };
}
