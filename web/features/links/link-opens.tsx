import { insightLimits } from "@pro-talent/schemas/insights/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { insightsKey, type Open, type OpensAsked, opensQuery } from "../link-opens.ts";
import { useViewTexts } from "../view-texts.ts";
import { useLinkTexts } from "./link-texts.ts";
import { followOpens, type LiveState } from "./live-opens.ts";

/** Opens of one link since the page was opened, the newest first; a later report replaces its row. */
function useLiveOpens(linkId: string, paused: boolean) {
  const cache = useQueryClient();
  const [opens, setOpens] = useState<readonly Open[]>([]);
  const [state, setState] = useState<LiveState>("connecting");
  useEffect(() => {
    if (paused) return undefined;
    const ending = new AbortController();
    let later: ReturnType<typeof setTimeout> | undefined;
    const ask = (): void => {
      void cache.invalidateQueries({ queryKey: [...insightsKey, linkId] });
    };
    const onOpen = (open: Open): void => {
      if (open.linkId !== linkId) return;
      // What is left out changes the figures alone.
      if (open.exclusion === null)
        setOpens((known) => [open, ...known.filter(({ openId }) => openId !== open.openId)]);
      ask();
      // The answer may be one that was kept from before the open.
      clearTimeout(later);
      later = setTimeout(ask, insightLimits.answersKeptMs);
    };
    void followOpens({ onOpen, onState: setState }, ending.signal);
    return () => {
      ending.abort();
      clearTimeout(later);
    };
  }, [cache, linkId, paused]);
  return { opens, state };
}

/** What the address can limit the opens to, beside their period. */
const limits = ["country", "device", "source"] as const;

/** What is said when no open is left by the limits, if there are any. */
function useFilter(asked: OpensAsked) {
  const { t } = useTranslation("links");
  const [search, setSearch] = useSearchParams();
  if (limits.every((name) => asked[name] === undefined)) return undefined;
  const onClear = (): void => {
    const next = new URLSearchParams(search);
    for (const name of limits) next.delete(name);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  return { title: t("newest.noMatch"), body: t("newest.noMatchBody"), onClear };
}

function OpenEntry({ open, fresh }: { open: Open; fresh: boolean }) {
  const { t } = useTranslation("links");
  const { time, seen, place, source, number } = useLinkTexts();
  const who =
    open.visitor === null
      ? t("open.unrecognised")
      : t("open.visitor", { shown: number(open.visitor) });
  const about = [
    place(open),
    t(`devices.${open.device}`),
    ...(open.browser === "" ? [] : [open.browser]),
    source(open.source),
  ];
  return (
    <li className="links__open" data-excluded={open.exclusion !== null} data-fresh={fresh}>
      <time dateTime={open.at}>{time(open.at)}</time>
      <div>
        <p>
          {open.exclusion === null
            ? t("open.line", { who, seen: seen(open) })
            : t(`excluded.${open.exclusion}.name`)}
        </p>
        <p className="links__quiet">
          {about.map((part, index) => (
            <span key={part}>
              {index > 0 && " · "}
              <bdi>{part}</bdi>
            </span>
          ))}
        </p>
      </div>
    </li>
  );
}

type LinkOpensProps = { linkId: string; asked: OpensAsked; lookedAt: string | null };

/** The newest opens, and those that happen now. */
export function LinkOpens({ linkId, asked, lookedAt }: LinkOpensProps) {
  const { t } = useTranslation("links");
  const [excluded, setExcluded] = useState(false);
  const [paused, setPaused] = useState(false);
  const live = useLiveOpens(linkId, paused);
  const query = useQuery(opensQuery(linkId, asked, excluded));
  const { texts, describe } = useViewTexts(t("loading"));
  const { time, seen } = useLinkTexts();
  const filter = useFilter(asked);
  const [newest] = live.opens.filter(({ exclusion }) => exclusion === null);
  return (
    <section className="links__part" aria-labelledby="newest-opens">
      <div className="links__part-head">
        <h2 id="newest-opens">{t("newest.title")}</h2>
        <p className="links__quiet links__live-state">
          <span className="links__live" data-live={!paused && live.state === "live"} />
          {paused ? t("newest.paused") : t(`newest.${live.state}`)}
        </p>
        <Button onClick={() => setPaused(!paused)}>
          {t(paused ? "newest.resume" : "newest.pause")}
        </Button>
        <Button aria-pressed={excluded} onClick={() => setExcluded(!excluded)}>
          {t("newest.excluded")}
        </Button>
      </div>
      <output className="visually-hidden">
        {newest !== undefined && !paused
          ? t("newest.arrived", { time: time(newest.at), seen: seen(newest) })
          : ""}
      </output>
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="row" count={4} />}
        isEmpty={({ opens }) => opens.length === 0 && live.opens.length === 0}
        empty={{ title: t("newest.none"), body: t("newest.noneBody") }}
        filter={filter}
        describe={describe}
        partial={({ more }) => (more ? t("newest.more") : undefined)}
      >
        {({ opens }) => {
          const happened = live.opens.filter((open) => excluded || open.exclusion === null);
          const known = new Set(opens.map(({ openId }) => openId));
          const added = paused ? [] : happened.filter(({ openId }) => !known.has(openId));
          return (
            <ol className="links__opens">
              {[...added, ...opens].map((open) => (
                <OpenEntry
                  key={open.openId}
                  open={open}
                  fresh={open.exclusion === null && lookedAt !== null && open.at > lookedAt}
                />
              ))}
            </ol>
          );
        }}
      </DataView>
    </section>
  );
}
