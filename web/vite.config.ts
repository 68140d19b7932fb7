import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * The router's production build, without what keeps unused parts of it in the bundle: names for
 * developer tools, and calls that the bundler cannot know to have no effect. Saves 4 kB gzipped.
 */
function leanRouter(): Plugin {
  return {
    name: "lean-router",
    apply: "build",
    enforce: "pre",
    resolveId: {
      filter: { id: /^react-router$/ },
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

/**
 * What takes the place of the bundler's helper around `import()`. Browsers remember a module that
 * could not be fetched and refuse it until the page is loaded anew (whatwg/html#6768), and so they do
 * with a failed preload. A plain fetch is not remembered: everything is brought into the browser's
 * cache that way first, and imported only once it is there. Modules that the document named have been
 * loaded already.
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

/** Lets code that could not be fetched be fetched again, without loading the page anew. */
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

/** Chunks whose functions are called soon after they arrive, nearly all of them. */
const calledAtOnce = ["libraries", "main"];

/**
 * A browser that understands the hint (V8's explicit compile hints) compiles such a chunk beside the
 * page. Without it a phone stops for each function when that is first called. The hint must stand
 * before everything else, also before what Vite puts first.
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

/** Development: `npm run dev -w web`. The build is made by prerender/build.ts with these settings. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [leanRouter(), fetchBeforeImport(), compileBesidePage(), react()],
  server: {
    port: 5173,
    proxy: { "^/api/": "http://localhost:3000", "^/lang$": "http://localhost:3000" },
  },
  build: { target: "es2022", modulePreload: { polyfill: false } },
});

/**
 * Chunks: the libraries of every page apart, because they change seldom; the words of the shell
 * together, one file per language; everything else as the pages need it. State machines are not part
 * of the libraries: they come when something is decided.
 */
export const chunkGroups = [
  {
    name: "libraries",
    test: /[\\/]node_modules[\\/](?!@?xstate[\\/]|use-)|rolldown[\\/]runtime|vite[\\/]preload-helper/,
  },
  { name: "mount", test: /[\\/]app[\\/]mount\.ts/ },
  { name: "words-en", test: /[\\/]i18n[\\/]en[\\/](shell|consent|newsletter)\.json/ },
  { name: "words-he", test: /[\\/]i18n[\\/]he[\\/](shell|consent|newsletter)\.json/ },
];
