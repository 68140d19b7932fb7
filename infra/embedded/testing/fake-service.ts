import { createServer } from "node:http";

/**
 * A real HTTP service of a few lines, for tests of what runs services. Its environment decides how
 * it behaves: `FAKE_START=fail` ends at once, `never-ready` never answers `/readyz` with 200;
 * `FAKE_STOP=ignore` does not obey SIGTERM. `/die` ends it, `/env/<name>` tells a variable.
 */
const { PORT, FAKE_START, FAKE_STOP, FAKE_NAME } = process.env;

console.log(JSON.stringify({ level: 30, msg: `${FAKE_NAME} begins` }));
if (FAKE_START === "fail") {
  console.error("the reason in its own words");
  process.exit(3);
}
process.on("SIGTERM", () => {
  if (FAKE_STOP !== "ignore") process.exit(0);
});

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  if (pathname === "/die") {
    console.error("dying as asked");
    process.exit(7);
  }
  if (pathname === "/warn") console.log(JSON.stringify({ level: 40, msg: "something is odd" }));
  if (pathname === "/readyz" && FAKE_START === "never-ready") response.statusCode = 503;
  const variable = pathname.startsWith("/env/") ? process.env[pathname.slice(5)] : undefined;
  response.setHeader("x-pid", process.pid);
  response.end(variable ?? `${FAKE_NAME} ${pathname}`);
}).listen(Number(PORT), process.env["HOST"]);
