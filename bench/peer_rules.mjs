// Matches rules with commands as a JavaScript program would: with picomatch, one pattern at a time, and with Cedar
// (compiled to WebAssembly), one policy with `like` per pattern.
//
//     node bench/peer_rules.mjs DIRECTORY >>FILE.jsonl     DIRECTORY: rules.txt, commands.txt, found.txt, node_modules
//
// Writes the same lines as bench/lines.h. Skips what is not installed; a contender that finds a different number of rules
// than found.txt is reported as wrong.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const directory = resolve(process.argv[2]);
const require = createRequire(directory + "/");
const read = (name) => readFileSync(`${directory}/${name}`, "utf8").trimEnd().split("\n");
const rules = read("rules.txt");
const commands = read("commands.txt");
const found = readFileSync(`${directory}/found.txt`, "utf8").split("\n").map((line) => line.split(" ").filter(Boolean).map(Number));
const SECONDS = 0.6;

function load(name) {
  try {
    return require(name);
  } catch {
    console.error(`bench: ${name} is left out: it is not installed`);
    return null;
  }
}

// Only some of the commands, because all would take minutes; two runs to warm up, because patterns are compiled on first
// use, and the code again when it is hot.
const some = (n) => commands.slice(0, Math.max(2, Math.min(commands.length, 200000 / n)));

// `judge` returns how many of the first n rules match a command.
function measure(who, n, judge) {
  const samples = [];
  const asked = some(n);
  const pass = () => asked.map(judge);
  const expected = asked.map((_, i) => found[i].filter((rule) => rule < n).length);
  let spent = 0;
  pass();
  const right = pass().every((count, i) => count === expected[i]);
  while (samples.length < 3 || (samples.length < 101 && spent < SECONDS)) {
    const from = process.cpuUsage();
    pass();
    const { user, system } = process.cpuUsage(from);
    const took = (user + system) / 1e6;
    samples.push(took / asked.length);
    spent += took;
  }
  samples.sort((a, b) => a - b);
  const at = (share) => samples[Math.floor((samples.length - 1) * share)];
  const figures = { bench: "rules", who, n, unit: "s", median: at(0.5), low: at(0.1), high: at(0.9) };
  console.log(JSON.stringify(figures));
  console.error(`${String(n).padStart(9)} rules  ${who.padEnd(30)} ${(figures.median * 1e6).toFixed(2).padStart(12)} us a command${right ? "" : "   finds OTHER rules"}`);
}

function picomatch(n) {
  const match = load("picomatch");
  if (!match) return;
  const compiled = rules.slice(0, n).map((rule) => match(rule, { bash: true, dot: true }));
  measure("picomatch, one after the other", n, (command) => compiled.filter((matches) => matches(command)).length);
}

function cedar(n) {
  const engine = load("@cedar-policy/cedar-wasm/nodejs");
  if (!engine) return;
  const text = rules
    .slice(0, n)
    .map((rule) => `forbid(principal, action, resource) when { context.command like ${JSON.stringify(rule)} };`)
    .join("\n");
  const entity = (type) => ({ type, id: "x" });
  const parsed = engine.preparsePolicySet?.("rules", { staticPolicies: text });
  if (parsed?.type !== "success") {
    console.error("bench: cedar-wasm is left out: it does not keep a set of policies");
    return;
  }
  const authorize = (command) =>
    engine.statefulIsAuthorized({
      principal: entity("Agent"),
      action: entity("Action"),
      resource: entity("Machine"),
      context: { command },
      preparsedPolicySetId: "rules",
      validateRequest: false,
      entities: [],
    });
  // Every matching forbid is a reason of the decision, so all of them are found, as with the others.
  measure("Cedar, in WebAssembly", n, (command) => authorize(command).response?.diagnostics.reason.length ?? -1);
}

for (const n of [10, 100, 1000, 10000, 100000]) {
  picomatch(n);
  cedar(n);
}
