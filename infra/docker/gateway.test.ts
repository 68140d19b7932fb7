import { execFileSync } from "node:child_process";

import { describe, expect, it } from "vitest";

import { productServices } from "../embedded/services/product-services.ts";
import { answerFor, caddyfile, contentHandles, siteHandles } from "./caddy-routes.ts";
import { composeText, service } from "./compose-file.ts";

describe("the gateway", () => {
  /** What is answered where, with the last handle, which takes what is left, as `/`. */
  const routesIn = (handles: typeof siteHandles) =>
    Object.fromEntries(
      handles.flatMap(({ paths, answer }) =>
        (paths.length === 0 ? ["/"] : paths).map((path) => [
          path,
          "status" in answer ? String(answer.status) : `${answer.service}:${answer.port}`,
        ]),
      ),
    );

  it("sends each path to its service and shows nothing internal", () => {
    expect(routesIn(siteHandles)).toEqual({
      "/internal*": "404",
      "/metrics": "404",
      "/readyz": "404",
      "/healthz": "404",
      "/api/analytics/*": "collector:3000",
      "/api/account/photo": "accounts:3000",
      "/api/account*": "accounts:3000",
      "/api/og*": "site:3000",
      "/api/v1/opens": "insights:3000",
      "/api/console/status": "insights:3000",
      "/api/console/traffic": "insights:3000",
      "/api/console/analyst/work*": "ledger:3000",
      "/api/console/analyst*": "insights:3000",
      "/api/v1/analytics*": "insights:3000",
      "/api/insights*": "insights:3000",
      "/api/cvs*": "studio:3000",
      "/api/portfolio*": "studio:3000",
      "/api/links*": "ledger:3000",
      "/l/*": "collector:3000",
      "/v/*": "collector:3000",
      "/p/*": "collector:3000",
      "/api/*": "ledger:3000",
      "/": "site:3000",
    });
  });

  it("sends what the gateway of `npm start` sends to a service to the same one", () => {
    const owners = productServices.flatMap(({ name, routes }) =>
      name === "payments-sandbox" ? [] : routes.map((prefix) => ({ name, prefix })),
    );
    expect(owners.length).toBeGreaterThan(10);
    for (const { name, prefix } of owners) {
      // A prefix alone may be no call (a share link has a code), and what is exact has nothing below it.
      const answers = [prefix, `${prefix}/some/thing`].map((url) => answerFor(siteHandles, url));
      expect(
        answers.map((answer) => answer !== undefined && "service" in answer && answer.service),
      ).toContain(name);
    }
    // And what it answers by itself, however it is spelled.
    for (const url of ["/internal", "/internal/x", "/x/../metrics", "/%69nternal/x", "//readyz"]) {
      expect({ url, ...answerFor(siteHandles, url) }).toEqual({ url, status: 404 });
    }
  });

  it("serves pages behind links on a host that has neither sign-in nor calls", () => {
    expect(routesIn(contentHandles)).toEqual({
      "/v/*": "collector:3000",
      "/p/*": "collector:3000",
      "/contact": "collector:3000",
      "/cv/*": "collector:3000",
      "/pictures/*": "collector:3000",
      "/report": "collector:3000",
      "/viewer/*": "site:3000",
      "/assets/*": "site:3000",
      "/favicon.svg": "site:3000",
      "/": "404",
    });
  });

  it("is a version that repeats requests with their body", () => {
    const [, minor, patch] = /^caddy:2\.(\d+)\.(\d+)-/u.exec(service("gateway").image) ?? [];
    expect(Number(minor) * 1000 + Number(patch)).toBeGreaterThanOrEqual(11_002);
  });

  it("keeps no access log", () => {
    expect(caddyfile).not.toMatch(/^\s*log\b/mu);
  });

  it("is one of two whose forwarding headers the services believe, beside proxies in front", () => {
    const addresses = [...composeText.matchAll(/ipv4_address: ([\d.]+)/gu)].map(([, ip]) => ip);
    // Both, and no other address, are in the network of 31 bits.
    expect(addresses).toEqual(["172.30.57.10", "172.30.57.11"]);
    for (const name of ["accounts", "ledger", "collector", "site"]) {
      expect(service(name).environment?.["TRUSTED_PROXIES"]).toBe(
        "172.30.57.10/31,${TRUSTED_PROXIES:-}",
      );
    }
  });

  it.each(["gateway", "gateway-tls"])(
    "%s keeps what the same proxies say, named as Caddy does",
    (name) => {
      expect(service(name).environment?.["TRUSTED_PROXIES"]).toBe("${TRUSTED_PROXIES:-}");
      expect(caddyfile).toContain("trusted_proxies {$TRUSTED_PROXIES}");
      const [, script = ""] =
        /^sh -c '(.*)'$/u.exec([service(name).command].flat().join(" ")) ?? [];
      const setting = script
        .replaceAll("$$", "$")
        .replace(/exec caddy .*/u, 'echo "$TRUSTED_PROXIES"');
      const words = (value: string) =>
        execFileSync("/bin/sh", ["-c", setting], {
          env: { ...process.env, TRUSTED_PROXIES: value },
        });
      expect(words("").toString().trim()).toBe("");
      expect(words("private,10.0.0.0/8, 2001:db8::/32").toString().trim().split(/\s+/u)).toEqual([
        "private_ranges",
        "10.0.0.0/8",
        "2001:db8::/32",
      ]);
    },
  );

  it("serves the public origin with TLS in the profile of that name", () => {
    expect(service("gateway-tls")).toMatchObject({
      profiles: ["tls"],
      ports: ["80:80", "443:443", "443:443/udp"],
      environment: { SITE_ADDRESS: "${PUBLIC_ORIGIN:-http://localhost:3000}" },
    });
    expect(caddyfile).not.toContain("auto_https off");
  });
});
