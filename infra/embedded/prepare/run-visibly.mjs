import { spawn } from "node:child_process";

const SIGN_OF_LIFE_MS = 10_000;

/** Runs a program, showing what it writes and, while it writes nothing, that it still runs. */
export function runVisibly({ title, command, args, directory, advice }) {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`  ${title} …`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: directory,
      stdio: ["ignore", "inherit", "inherit"],
      // On Windows npm is a batch file.
      shell: process.platform === "win32",
    });
    const timer = setInterval(() => console.log(`  … ${seconds()} s`), SIGN_OF_LIFE_MS);
    const end = (settle) => {
      clearInterval(timer);
      settle();
    };
    child.once("error", (error) => end(() => reject(new Error(`${advice} ${error.message}`))));
    child.once("close", (code) =>
      end(() => {
        if (code !== 0) return reject(new Error(advice));
        console.log(`  ✓ ${seconds()} s`);
        resolve();
      }),
    );
  });
}
