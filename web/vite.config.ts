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

/** Development: `npm run dev -w web`. The build is made by prerender/build.ts with these settings. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [leanRouter(), react()],
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
