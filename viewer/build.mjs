// Bundles src/ into report.html, the template that tourney carries.
// `node build.mjs` writes it.  What it was built from is noted in it, as a hash,
// so that test/viewer.py can tell without npm whether it is up to date.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { buildSync } from "esbuild";

process.chdir(import.meta.dirname);

const sources = ["build.mjs", "package-lock.json", ...readdirSync("src").sort().map((name) => `src/${name}`)];
const hash = createHash("sha256");
for (const name of sources) hash.update(readFileSync(name));

const bundle = (entry) =>
  buildSync({ entryPoints: [entry], bundle: true, minify: true, write: false, target: "es2022", charset: "utf8" })
    .outputFiles[0].text.trim();

const script = bundle("src/main.ts");
const policy = `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`;
const page = readFileSync("src/page.html", "utf8")
  .replace("@SOURCES@", () => hash.digest("hex"))
  .replace("@POLICY@", () => policy)
  .replace("@STYLE@", () => bundle("src/style.css"))
  .replace("@SCRIPT@", () => script);
writeFileSync("report.html", page);
