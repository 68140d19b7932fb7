import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { composeText, service } from "./compose-file.ts";

describe("the gateway", () => {
  const caddyfile = readFileSync(new URL("Caddyfile", import.meta.url), "utf8");
  const routesIn = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/handle(?: (\S+))? \{([\s\S]*?)\n\t\t\}/gu)].map(
        ([, path = "/", body = ""]) => [
          path,
          /import service (\S+)|respond (.+)/u.exec(body)?.slice(1).find(Boolean),
        ],
      ),
    );
  const [site = "", content = ""] = caddyfile.split("{$CONTENT_ADDRESS}");

  it("sends each path to its service and shows nothing internal", () => {
    expect(routesIn(site)).toEqual({
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

  it("serves pages behind links on a host that has neither sign-in nor calls", () => {
    expect(routesIn(content)).toEqual({
      "/v/*": "collector:3000",
      "/p/*": "collector:3000",
      "@portfolio": "collector:3000",
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
