// Checks models in TLA+ with tla-checker, a model checker in WebAssembly (npm ci), or, without
// it, prints nothing and exits with 77.  TLC can be used as well; this needs no Java.
//
// usage: node check.mjs MODEL.tla...
//
// A model has its configuration in MODEL.cfg or, if tourney wrote it, behind its end.  The first
// line of a .cfg may say what must be found: "\* check: deadlock", "fault" or "nothing".  Modules
// without a configuration are left out.  Prints a line for each, and ends with "N passed, M failed".
import fs from "fs";
import path from "path";

const MOST_STATES = 2000000, DEEPEST = 100000;

let checker;
try {
    checker = await import("tla-checker");
    const wasm = new URL("tla_checker_bg.wasm", import.meta.resolve("tla-checker"));
    checker.initSync({module: fs.readFileSync(wasm)});
} catch (problem) {
    if (problem.code !== "ERR_MODULE_NOT_FOUND")
        throw problem;
    process.exit(77);
}

const here = path.dirname(new URL(import.meta.url).pathname);
const withoutComments = (text) => text.replace(/\\\*.*$/gm, "").replace(/\(\*[\s\S]*?\*\)/g, "");

function read(name, folder) {
    for (const place of [folder, here]) {
        const file = path.join(place, `${name}.tla`);
        if (fs.existsSync(file))
            return fs.readFileSync(file, "utf8");
    }
    return null;
}

// The checker takes one module with one declaration of each kind: those that a module extends are put into it.
function flatten(text, folder, seen) {
    const [, extended] = text.match(/^EXTENDS (.*)$/m) ?? [null, ""];
    const body = withoutComments(text.split(/^=====*$/m)[0])
        .replace(/^-+ MODULE .*$/m, "").replace(/^EXTENDS .*$/m, "");
    let before = "";
    for (const name of extended.split(",").map((word) => word.trim())) {
        const module = seen.has(name) ? null : read(name, folder);
        seen.add(name);
        if (module !== null)
            before += flatten(module, folder, seen);
    }
    return before + body;
}

// Takes all declarations of a kind out of a text.
function declarations(text, kind) {
    const names = [];
    const rest = text.replace(new RegExp(`^${kind}S?\\b([\\s\\S]*?)(?=^\\S)`, "gm"), (_, list) => {
        names.push(...list.split(",").map((word) => word.trim()).filter((word) => word));
        return "\n";
    });
    return {names, rest};
}

function check(file) {
    const text = fs.readFileSync(file, "utf8");
    const beside = file.replace(/\.tla$/, ".cfg");
    const configuration = fs.existsSync(beside) ? fs.readFileSync(beside, "utf8") : text.split(/^Model\.cfg:$/m)[1];
    if (configuration === undefined)
        return null;
    const constants = declarations(flatten(text, path.dirname(file), new Set()), "CONSTANT");
    const variables = declarations(constants.rest, "VARIABLE");
    const given = new Map([...configuration.matchAll(/^CONSTANT (\w+) <- (\w+)\s*$/gm)].map((m) => [m[1], m[2]]));
    const left = constants.names.filter((name) => !given.has(name));
    const module = `---- MODULE ${path.basename(file, ".tla")} ----\nEXTENDS Integers, Sequences, FiniteSets\n` +
        (left.length ? `CONSTANTS ${left.join(", ")}\n` : "") + `VARIABLES ${variables.names.join(", ")}\n` +
        variables.rest + [...given].map(([name, value]) => `${name} == ${value}\n`).join("") + "====\n";
    const result = JSON.parse(checker.check_spec_with_cfg(module, configuration.replace(/^(CONSTANT \w+ <- .*|\\\*.*)$/gm, ""),
        "{}", MOST_STATES, DEEPEST, false, false));
    const found = result.success ? "nothing" : {Deadlock: "deadlock", InvariantViolation: "fault"}[result.error_type];
    const wanted = configuration.match(/^\\\* check: (\w+)/m)?.[1];
    return {found, wanted, states: result.states_explored, error: result.error_message};
}

let passed = 0, failed = 0;
for (const file of process.argv.slice(2)) {
    const result = check(file);
    if (result === null)
        continue;
    const good = result.found !== undefined && (result.wanted === undefined || result.wanted === result.found);
    console.log(`${good ? "ok" : "FAILED"} ${path.basename(file)}: ${result.found ?? result.error}, ${result.states} states`);
    good ? passed++ : failed++;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
