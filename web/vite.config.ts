import { isSignedInPath } from "@pro-talent/schemas/site/signed-in-paths";
import locales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * The router's production build without names for developer tools and with calls marked as pure, so
 * that unused parts are removed. Saves 8.0 kB gzipped on every public page, 2.6 kB in the signed-in area.
 */
function leanRouter(): Plugin {
  return {
    name: "lean-router",
    apply: "build",
    enforce: "pre",
    resolveId: {
      filter: { id: /^react-router(?:\/dom)?$/ },
      async handler(source, importer) {
        const found = await this.resolve(source, importer, { skipSelf: true });
        return (
          found && { ...found, id: found.id.replace("/dist/development/", "/dist/production/") }
        );
      },
    },
    transform: {
      filter: { id: /\/react-router\/dist\// },
      handler: (code) =>
        code
          .replace(/^\s*\w+\.displayName = "[^"]*";$/gm, "")
          .replace(/= (React\w*\.(?:forwardRef|createContext|memo)\()/g, "= /*#__PURE__*/ $1"),
    },
  };
}

/** i18next and its hooks without their advice to developers: sentences that no visitor is shown. */
function leanTranslator(): Plugin {
  return {
    name: "lean-translator",
    apply: "build",
    enforce: "pre",
    transform: {
      filter: { id: /\/(?:react-)?i18next\/dist\// },
      handler: (code) => code.replace(/'(?:[A-Z]|useTranslation: )[^'\n]{60,}'/g, "''"),
    },
  };
}

/**
 * Replaces the bundler's helper around `import()`. Browsers remember a failed module and refuse it
 * until the page is reloaded (whatwg/html#6768; Chromium 153: one request for three imports). A plain fetch is not
 * remembered: it brings each module into the browser's cache first. Modules named by the document
 * have been loaded already.
 */
const helper = `
const named = () => document.querySelector('meta[name="modules"]')?.content.split(" ") ?? [];
const brought = new Map();
const bringStyles = (address) => new Promise((resolve, reject) => {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  link.onload = resolve;
  link.onerror = () => { link.remove(); reject(new TypeError(address)); };
  document.head.append(link);
});
const bringModule = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new TypeError(address);
  await answer.arrayBuffer();
};
const bring = (address) => {
  const known = brought.get(address);
  if (known) return known;
  const styles = address.endsWith(".css");
  if (styles ? document.querySelector('link[href="' + address + '"]') : named().includes(address)) return;
  const bringing = (styles ? bringStyles : bringModule)(address);
  brought.set(address, bringing);
  bringing.catch(() => brought.delete(address));
  return bringing;
};
export const __vitePreload = async (load, needs = []) => {
  await Promise.all(needs.map((path) => bring("/" + path)));
  return load();
};`;

/** Lets failed code be fetched again without a reload. */
function fetchBeforeImport(): Plugin {
  return {
    name: "fetch-before-import",
    apply: "build",
    transform: {
      filter: { id: /vite[\\/]preload-helper/ },
      handler: () => helper,
    },
  };
}

/** Chunks that call nearly all of their functions soon after loading. */
const calledAtOnce = ["libraries", "main", "shell"];

/**
 * V8's explicit compile hints compile such a chunk off the main thread. Without them a phone pauses
 * at the first call of each function (home page, processor slowed four times: 355 ms blocked, 247 ms
 * with it). The hint must be first in the file.
 */
function compileBesidePage(): Plugin {
  return {
    name: "compile-beside-page",
    apply: "build",
    generateBundle: {
      order: "post",
      handler: (_options, bundle) => {
        for (const output of Object.values(bundle)) {
          if (output.type !== "chunk" || !calledAtOnce.includes(output.name)) continue;
          output.code = `//# allFunctionsCalledOnLoad\n${output.code}`;
        }
      },
    },
  };
}

/** In development one document has both entries; the address decides which of them it loads. */
function signedInEntryInDevelopment(): Plugin {
  return {
    name: "signed-in-entry",
    apply: "serve",
    transformIndexHtml: {
      order: "pre",
      handler: (html, { originalUrl = "/" }) =>
        isSignedInPath(new URL(originalUrl, "http://localhost").pathname)
          ? html.replace("/app/main.tsx", "/app/signed-in/main.tsx")
          : html,
    },
  };
}

/** Without what helps developers alone. */
export const signedInPlugins = (): Plugin[] => [leanRouter(), leanTranslator()];
/** Only public pages are compiled beside the page: the signed-in area starts at once. */
export const publicPlugins = (): Plugin[] => [...signedInPlugins(), compileBesidePage()];

const ofEveryEntry = /[\\/](?:libraries|rolldown-runtime|shell)-[^\\/]+$/;

/** For development: `npm run dev -w web`. prerender/build.ts uses the same settings. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    fetchBeforeImport(),
    signedInEntryInDevelopment(),
    // React Aria has texts in 34 languages; without the others its parts are 12.7 kB smaller.
    locales.vite({ locales: ["en-US", "he-IL"] }),
    react(),
  ],
  server: {
    port: 5173,
    proxy: { "^/api/": "http://localhost:3000", "^/lang$": "http://localhost:3000" },
  },
  build: {
    target: "es2022",
    modulePreload: {
      polyfill: false,
      // What every entry imports is loaded before any page is.
      resolveDependencies: (_file, needs) => needs.filter((need) => !ofEveryEntry.test(need)),
    },
  },
});

const textsOf = (language: string, names: string): { name: string; test: RegExp } => ({
  name: `texts-${language}`,
  test: new RegExp(String.raw`[\\/]i18n[\\/]${language}[\\/](${names})\.json`),
});

/**
 * Libraries of every page are separate because they rarely change; the texts of the shell are one
 * file per language; the rest is split as the pages need it. State machines are excluded: they are
 * loaded when needed.
 */
export const publicChunks = [
  {
    name: "libraries",
    test: /[\\/]node_modules[\\/](?!@?xstate[\\/]|use-|web-vitals[\\/])|rolldown[\\/]runtime|vite[\\/]preload-helper/,
  },
  { name: "shell", test: /[\\/]app[\\/]application\.tsx/ },
  { name: "mount", test: /[\\/]app[\\/]mount\.ts/ },
  // A group takes what it imports along: what other pages share with legal ones is a group before it.
  { name: "page-breadcrumb", test: /[\\/]app[\\/]shell[\\/]page-breadcrumb/ },
  // In one file, what all legal pages share: several small ones compress worse.
  { name: "legal-page", test: /[\\/]pages[\\/]legal[\\/]legal-(?:page|parts|print|table)/ },
  textsOf("en", "shell|consent|newsletter"),
  textsOf("he", "shell|consent|newsletter"),
];

/**
 * What every page of the area needs is in the entry, or in two chunks that the entry imports, so that no
 * page names them; libraries that few pages need are split off.
 */
export const signedInChunks = [
  {
    name: "libraries",
    test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler|i18next|react-i18next|@tanstack[\\/](?:react-query|query-core))[\\/]|rolldown[\\/]runtime|vite[\\/]preload-helper/,
  },
  {
    name: "shell",
    test: /[\\/]api-client[\\/](?:request|account-api|query-answer)\.ts|[\\/]i18n[\\/]use-language\.ts|[\\/]ui[\\/](?:icon|dialog|app-icon)[\\/][a-z-]+\.tsx/,
  },
  textsOf("en", "shell|account|not-found"),
  textsOf("he", "shell|account|not-found"),
];
