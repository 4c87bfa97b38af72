// The HTML report in chromium: it renders, steps and clicks, and the picture shows what it should.
// usage: browser.mjs '{"pages": {NAME: FILE}, "lines": {MARK: LINE}}' [WORDS of a test's name], from viewer.py

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../viewer/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const { pages, lines } = JSON.parse(process.argv[2]);

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });

async function open(name, { colorScheme = "light", width = 1440, height = 900 } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => page.problems.push(message.text()));
  page.on("dialog", (dialog) => page.problems.push(`dialog ${dialog.message()}`) && dialog.dismiss());
  page.on("request", (request) => request.url().startsWith("file:") || page.problems.push(`asks for ${request.url()}`));
  await page.goto(`file://${encodeURI(pages[name]).replace(/#/g, "%23")}`);
  await page.waitForSelector("main > *");
  await settled(page);
  return page;
}

/** Drawing waits for the next frame. */
const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
  await settled(page);
};
const count = (page, selector) => page.locator(selector).count();
const texts = (page, selector) => page.locator(selector).allTextContents();
const acts = (page, rank) => page.locator(`.act[data-rank="${rank}"]`);

/** How many pixels of a part of the screenshot are about this colour. */
async function pixels(page, box, [r, g, b]) {
  const picture = (await page.screenshot({ clip: box })).toString("base64");
  const blank = await browser.newPage();
  const n = await blank.evaluate(async ({ picture, r, g, b }) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let found = 0;
    for (let i = 0; i < data.length; i += 4)
      found += Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 40;
    return found;
  }, { picture, r, g, b });
  await blank.close();
  return n;
}

/** What sticks out of the window or of a box that does not scroll, what is cut off, and text too small to read. */
const misfits = (page) => page.evaluate(() => {
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height || style.visibility === "hidden") continue;
    const name = `${element.tagName} ${element.getAttribute("class") ?? ""} "${element.textContent.slice(0, 30)}"`;
    let inScroller = false;
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) inScroller ||= scrolls(up);
    if (!inScroller && (box.left < -1 || box.right > innerWidth + 1)) found.push(`${name} sticks out: ${Math.round(box.left)} to ${Math.round(box.right)}`);
    if (element instanceof HTMLElement && /hidden|clip/.test(style.overflowX) && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1) && element.clientHeight)
      found.push(`${name} is cut off`);
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const scale = element instanceof SVGElement && element.ownerSVGElement ? element.getScreenCTM().a : 1;
    if (own && parseFloat(style.fontSize) * scale < 10.5) found.push(`${name} is too small: ${parseFloat(style.fontSize) * scale} px`);
  }
  return found.slice(0, 5);
});

/** Controls that nobody can click, however much is scrolled. */
const unreachable = (page) => page.evaluate(() => {
  const found = [];
  for (const control of document.querySelectorAll("button:not(:disabled):not(.skip), input, [role=button]")) {
    if (!control.getClientRects().length) continue;
    control.scrollIntoView({ block: "center", inline: "center" });
    const box = control.getBoundingClientRect();
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (!control.contains(there) && !there?.contains(control)) found.push(`${control.className} ${control.textContent}`);
  }
  scrollTo(0, 0);
  return found;
});

/** Tab, until it comes round: which controls it did not reach, and where the focus cannot be seen. */
async function untabbable(page) {
  await page.evaluate(() => {
    document.activeElement?.blur?.();
    window.reached = new Set();
    window.dim = [];
  });
  for (let i = 0; i < 300; i++) {
    await page.keyboard.press("Tab");
    const over = await page.evaluate(() => {
      const at = document.activeElement;
      if (!at || at === document.body) return false; // round the end
      if (window.reached.has(at)) return true;
      window.reached.add(at);
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) window.dim.push(`${at.tagName} ${at.getAttribute("class")}`);
      return false;
    });
    if (over) break;
  }
  return page.evaluate(() => {
    const inside = (control) => control.closest("[role=tree]") !== null && control.getAttribute("role") !== "tree"; // by arrow keys
    const all = [...document.querySelectorAll("button:not(:disabled), input, a, [role=button], [role=tree], [role=listbox], .clickable, .wait-node")];
    const missed = all.filter((control) => control.getClientRects().length && !inside(control) && !control.closest("dialog") && !window.reached.has(control));
    return [...missed.map((control) => `${control.tagName} ${control.getAttribute("class")} ${control.textContent.slice(0, 20)}`), ...window.dim.map((name) => `${name}: no outline`)];
  });
}

const tests = {
  async "a deadlock is told and drawn"() {
    const page = await open("race");
    assert.match(await page.locator(".verdict").textContent(), /1 defect/);
    assert.equal(await count(page, ".finding"), 1);
    assert.match(await page.locator(".story").textContent(), /rank 0 is stuck in MPI_Recv/);
    assert.match(await page.locator(".story").textContent(), /inevitable when rank 0.*receives the message from rank 2/);
    assert.deepEqual(await texts(page, ".lane-head b"), ["rank 0", "rank 1", "rank 2"]);
    assert.deepEqual(await texts(page, ".lane-head small"), ["stuck", "finished", "finished"]);
    assert.equal(await count(page, ".act"), 11);
    assert.equal(await count(page, ".arrow.match"), 2);
    assert.equal(await count(page, ".arrow.possible"), 1);
    assert.equal(await count(page, ".act.stuck"), 1);
    assert.equal(await count(page, ".act.unmatched.send"), 1);
    return page;
  },

  async "steps go forwards and backwards"() {
    const page = await open("race");
    await press(page, "Home");
    assert.equal(await count(page, ".act:not(.later)"), 1);
    assert.equal(await count(page, ".arrow"), 0);
    await press(page, "ArrowRight", "ArrowRight", "ArrowRight");
    assert.equal(await count(page, ".act:not(.later)"), 4);
    await press(page, "ArrowLeft");
    assert.equal(await count(page, ".act:not(.later)"), 3);
    await press(page, "Shift+ArrowRight");
    assert.equal(await count(page, ".act.selected.receive .choice"), 1);
    assert.equal(await count(page, ".arrow.chosen"), 1);
    await press(page, "End");
    assert.equal(await count(page, ".act.later"), 0);
    await page.locator(".toolbar button", { hasText: "|◀" }).click();
    assert.match(await page.locator(".step-text").textContent(), /^1 \/ 11$/);
    return page;
  },

  async "a click shows call, partners and source"() {
    const page = await open("race");
    await acts(page, 0).nth(1).click();
    await settled(page);
    const detail = await page.locator(".detail-facts").textContent();
    assert.match(detail, /MPI_Recv\(source=MPI_ANY_SOURCE, tag=1, 1 MPI_INT, MPI_COMM_WORLD\)/);
    assert.match(detail, /took.*rank 2 MPI_Send/s);
    assert.match(detail, /could have taken.*rank 1 MPI_Send/s);
    assert.deepEqual(await texts(page, ".line.own .line-number"), [String(lines.ANY)]);
    assert.deepEqual(await texts(page, ".line.partner .line-number"), [String(lines.RESULT)]);
    assert.match((await texts(page, ".line.own .line-text"))[0], /MPI_Recv\(&v, 1/);
    await page.locator(".detail-facts .link").first().click();
    await settled(page);
    assert.equal(await page.locator(".act.selected").getAttribute("data-rank"), "2");
    assert.deepEqual(await texts(page, ".line.own .line-number"), [String(lines.RESULT)]);
    return page;
  },

  async "the order can be that of the program"() {
    const page = await open("race");
    const top = async () => (await acts(page, 0).nth(1).boundingBox()).y;
    const byMatch = await top();
    await press(page, "o");
    assert.ok((await top()) < byMatch, "the receive stands above the send it waits for");
    await press(page, "o");
    assert.equal(await top(), byMatch);
    return page;
  },

  async "who waits for whom"() {
    const page = await open("race");
    await press(page, "2");
    assert.equal(await count(page, ".wait-edge"), 1);
    assert.deepEqual(await texts(page, ".wait-node > text:not(.node-note)"), ["0", "1"]);
    assert.match(await page.locator(".waits-words").textContent(), /rank 0 waits for rank 1/);
    await page.locator(".wait-node.waits").click();
    assert.equal(await count(page, ".act.selected.stuck"), 1);
    return page;
  },

  async "any one of several ranks would do"() {
    const page = await open("made");
    await press(page, "1");
    assert.equal(await count(page, ".wait-edge.or"), 2);
    assert.equal(await count(page, ".wait-edge:not(.or)"), 2);
    assert.equal(await count(page, ".wait-edge.circle"), 2);
    const words = await page.locator(".waits-words").textContent();
    assert.match(words, /rank 0 waits for any one of ranks 1 or 2/);
    assert.match(words, /rank 1 waits for all of ranks 0 and 2/);
    return page;
  },

  async "leaks stand together by line"() {
    const page = await open("made");
    const heads = await texts(page, ".list h4");
    assert.deepEqual(heads, ["Defects", `Leaks at race.c:${lines.STUCK} in main`, "Leaks at other.c:7 in main"]);
    assert.equal(await count(page, ".finding.warning"), 3);
    await press(page, "]", "]");
    assert.match(await page.locator(".story h2").textContent(), /Request leak/);
    assert.equal(await count(page, '.finding[aria-current="true"]'), 1);
    return page;
  },

  async "decisions fork into a bad and a good branch"() {
    const page = await open("race");
    await press(page, "3");
    assert.match((await texts(page, ".branch.bad .decision"))[0], /inevitable.*receives the message from rank 2.*could also take rank 1/);
    assert.match((await texts(page, ".branch.good .decision"))[0], /receives the message from rank 1/);
    assert.equal(await count(page, ".branch.bad .terminal.bad"), 1);
    assert.equal(await count(page, ".branch.good .terminal.good"), 1);
    return page;
  },

  async "polls are told in the words of the standard"() {
    const page = await open("polls");
    assert.match(await page.locator(".story").textContent(), /inevitable when rank 0, in MPI_Test test_no\.c:\d+ in main, returns flag = 0\..*instead returns flag = 1/);
    await press(page, "3");
    assert.match((await texts(page, ".branch.bad .decision"))[0], /returns flag = 0/);
    return page;
  },

  async "the run stands beside a good one"() {
    const page = await open("race");
    await press(page, "4");
    assert.match((await texts(page, ".compare-row.differs"))[0], /received the message from rank 2.*received the message from rank 1/s);
    assert.match((await texts(page, ".compare-row.left")).join(), /stuck here/);
    assert.match((await texts(page, ".compare-row.right")).join(), /MPI_Finalize/);
    await press(page, "6");
    assert.match(await page.locator("pre.text").textContent(), /tourney: deadlock/);
    return page;
  },

  async "a crash shows its stack"() {
    const page = await open("crash");
    assert.equal(await count(page, ".act.failed"), 1);
    const stack = await texts(page, ".stack li");
    assert.deepEqual(stack.map((frame) => frame.replace(/.* in /, "")), ["store", "main"]);
    assert.equal(await count(page, ".act.unmatched"), 0); // what is open was cut off, and nobody's fault
    return page;
  },

  async "a click shows the whole stack, and a frame its source"() {
    const stack = (mark) => [`stack_calls.h:${lines["calls TAKE"]} in take`, `stack_calls.h:${lines["calls EXCHANGE"]} in exchange`,
      `stack.c:${lines[`stack ${mark}`]} in solve`, `stack.c:${lines["stack SOLVE"]} in main`];
    const marked = async (page) => [await texts(page, ".line.frame .line-number"), await texts(page, ".source-file:has(.line.frame) .source-name")];
    let page;
    for (const name of ["stack_openmpi", "stack"]) {
      await page?.close();
      page = await open(name, { width: 1366, height: 768 });
      assert.match(await page.locator(".story").textContent(), /take, called at stack_calls.h:\d+ in exchange, from stack.c:\d+ in solve/);
      assert.deepEqual(await texts(page, ".stack li"), stack("ONE"));
      await acts(page, 0).nth(1).click();
      await settled(page);
      assert.deepEqual(await texts(page, ".stack li"), stack("ANY"));
      assert.deepEqual(await texts(page, ".line.own .line-number"), [String(lines["calls TAKE"])]);
      assert.equal(await count(page, ".line.frame"), 0);
      await page.locator(".frame").nth(2).click();
      assert.deepEqual(await marked(page), [[String(lines["stack ANY"])], ["stack.c"]]);
      assert.match((await texts(page, ".line.frame .line-text"))[0], /exchange\(MPI_ANY_SOURCE\)/);
      assert.equal(await page.locator(".line.frame").isVisible(), true);
      const [row, view] = [await page.locator(".line.frame").boundingBox(), page.viewportSize()];
      assert.ok(row.y >= 0 && row.y + row.height <= view.height, "the line is in view");
    }
    await press(page, "f");
    assert.deepEqual(await marked(page), [[String(lines["stack SOLVE"])], ["stack.c"]]);
    await press(page, "f", "F", "F");
    assert.deepEqual(await marked(page), [[String(lines["calls EXCHANGE"])], ["stack_calls.h"]]);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), stack("ANY")[1]);
    await page.keyboard.press("Tab");
    await press(page, "Enter");
    assert.deepEqual(await marked(page), [[String(lines["stack ANY"])], ["stack.c"]]);
    await acts(page, 1).nth(1).click(); // called in main: its place says all
    await settled(page);
    assert.equal(await count(page, ".frame, .line.frame"), 0);
    assert.match(await page.locator(".detail-facts").textContent(), /at.*in main/);
    return page;
  },

  async "stacks of Fortran, without -g, and too deep ones"() {
    let page = await open("stack_fortran");
    assert.deepEqual((await texts(page, ".stack li")).map((frame) => frame.replace(/.* in /, "")), ["take", "stack_fortran"]);
    await page.locator(".frame").nth(1).click();
    assert.match((await texts(page, ".line.frame .line-text"))[0], /call take\(1\)/);
    await page.close();
    page = await open("bare_stack");
    assert.deepEqual((await texts(page, ".stack li")).map((frame) => frame.replace(/\+0x.*/, "")), ["take", "exchange", "solve", "main"]);
    await page.locator(".frame").nth(2).click();
    assert.match(await page.locator(".source").textContent(), /The source of solve\+0x\w+ in bare-stack is not on the machine/);
    await page.close();
    page = await open("deep_stack");
    assert.equal(await count(page, ".frame"), 128);
    assert.match((await texts(page, ".stack li")).at(-1), /further out/);
    return page;
  },

  async "a circle of 32 ranks fits"() {
    const page = await open("wide", { width: 1600 });
    const heads = page.locator(".lane-head");
    assert.equal(await heads.count(), 32);
    const [lanes, last] = [await page.locator(".lanes").boundingBox(), await heads.last().boundingBox()];
    assert.ok(last.x + last.width <= lanes.x + lanes.width, "all lanes are in view");
    await press(page, "2");
    assert.equal(await count(page, ".wait-edge.circle"), 32);
    return page;
  },

  async "nothing sticks out or is cut off in narrow windows"() {
    let page;
    for (const width of [480, 820])
      for (const [name, colorScheme] of [["race", "light"], ["circle", "dark"], ["wide", "light"], ["early", "dark"], ["hoard", "light"], ["clean", "light"], ["incomplete", "dark"], ["made", "light"], ["stack", "light"], ["threads", "light"]]) {
        await page?.close();
        page = await open(name, { width, colorScheme });
        for (let tab = 0; tab < Math.max(1, await count(page, ".tabs button")); tab++) {
          await press(page, String(tab + 1));
          const what = `${name}, ${width} px, ${(await texts(page, '.tabs [aria-selected="true"]')).join() || "overview"}`;
          assert.deepEqual(await misfits(page), [], what);
          assert.deepEqual(await unreachable(page), [], what);
        }
        await press(page, "?");
        assert.deepEqual(await misfits(page), [], `${name}, ${width} px, keys`);
      }
    await page.close();
    page = await open("wide", { width: 480 });
    const lanes = page.locator(".lanes");
    assert.ok(await lanes.evaluate((box) => box.scrollWidth > box.clientWidth), "32 lanes scroll in their box");
    await lanes.evaluate((box) => (box.scrollLeft = box.scrollWidth));
    await settled(page);
    assert.ok((await acts(page, 31).count()) > 0);
    return page;
  },

  async "of 16 ranks, those of the circle are in view together"() {
    let page;
    for (const width of [480, 820, 1400]) {
      await page?.close();
      page = await open("circle", { width });
      await page.locator(".lanes").scrollIntoViewIfNeeded();
      const lanes = await page.locator(".lanes").boundingBox();
      const stuck = page.locator(".act.stuck");
      assert.equal(await stuck.count(), 4);
      const shown = await texts(page, ".act.stuck > text:not(.end-note)");
      assert.deepEqual(shown, ["Recv ← 5", "Recv ← 10", "Recv ← 15", "Recv ← 0"], `${width} px`);
      for (let i = 0; i < 4; i++) {
        const box = await stuck.nth(i).boundingBox();
        assert.ok(box.x >= lanes.x && box.x + box.width <= lanes.x + lanes.width, `${width} px: the lane of rank ${5 * i} is in view`);
        assert.ok(box.y >= lanes.y && box.y + box.height <= lanes.y + lanes.height, `${width} px: so is where it is stuck`);
      }
      assert.ok((await page.locator(".lane-head").nth(1).boundingBox()).width < 30, "others are folded");
    }
    await page.locator(".toolbar button", { hasText: "all ranks alike" }).click();
    await settled(page);
    const widths = await page.locator(".lane-head").evaluateAll((heads) => heads.map((head) => Math.round(head.getBoundingClientRect().width)));
    assert.equal(new Set(widths).size, 1);
    await press(page, "2");
    assert.deepEqual(await texts(page, ".wait-node > text:not(.node-note)"), ["0", "5", "10", "15"]);
    await page.close();
    page = await open("ring16", { width: 480 }); // all of them are in the circle
    const box = await page.locator(".lanes").boundingBox();
    const calls = await Promise.all((await page.locator(".act.stuck rect").all()).map((call) => call.boundingBox()));
    assert.equal(calls.filter((call) => call.x >= box.x && call.x + call.width <= box.x + box.width).length, 16);
    return page;
  },

  async "Tab reaches every control, and shows where it is"() {
    let page;
    for (const name of ["race", "circle", "early", "clean", "incomplete", "stack"]) {
      await page?.close();
      page = await open(name);
      for (let tab = 0; tab < Math.max(1, await count(page, ".tabs button")); tab++) {
        await press(page, String(tab + 1));
        assert.deepEqual(await untabbable(page), [], `${name}, ${(await texts(page, '.tabs [aria-selected="true"]')).join()}`);
      }
    }
    return page;
  },

  async "the keyboard does what the mouse does"() {
    const page = await open("race");
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("class") ?? document.activeElement.tagName);
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "skip");
    await press(page, "Enter");
    assert.equal(await focused(), "MAIN");
    assert.deepEqual(await page.locator('[role="tablist"] > [role="tab"]').evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute("aria-controls"))), Array(6).fill("view"));
    await page.locator('[data-tab="timeline"]').focus();
    await press(page, "ArrowRight"); // the next tab, and no step of the run
    assert.equal(await page.locator('.tabs [aria-selected="true"]').textContent(), "Who waits for whom");
    assert.equal(await page.locator("#view[role=tabpanel]").getAttribute("aria-labelledby"), "tab-waits");
    await page.locator(".wait-node.waits").focus();
    await press(page, "Enter");
    assert.equal(await count(page, ".act.selected.stuck"), 1);
    assert.equal(await focused(), "lanes-canvas", "what was pressed is gone, and the focus is where it led");
    const active = await page.locator(".lanes-canvas[role=listbox]").getAttribute("aria-activedescendant");
    assert.equal(await page.locator(`#${active}[role=option][aria-selected=true]`).count(), 1);
    await press(page, "ArrowUp");
    assert.match(await page.locator(".act.selected").getAttribute("aria-label"), /^rank 0: MPI_Recv\(source=MPI_ANY_SOURCE/);
    await press(page, "4");
    await page.locator(".compare-row.left .clickable").first().focus();
    await press(page, "Space");
    assert.equal(await count(page, ".act.selected.stuck"), 1);
    await press(page, "5");
    const tree = page.locator("[role=tree]");
    await tree.focus();
    await press(page, "Home", "ArrowDown");
    assert.match(await page.locator(".tree-row.marked").textContent(), /receives the message from rank 1/);
    await press(page, "Space");
    assert.equal(await count(page, ".tree-row"), 4);
    assert.equal(await page.locator(".tree-row.marked").getAttribute("aria-expanded"), "false");
    await press(page, "ArrowRight", "ArrowRight");
    assert.equal(await page.locator(".tree-row.marked").getAttribute("data-twig"), "2");
    assert.equal(await page.locator(".tree-row.marked").getAttribute("id"), await tree.getAttribute("aria-activedescendant"));
    await press(page, "ArrowLeft", "End", "Enter"); // to the finding
    assert.equal(await count(page, ".lanes"), 1);
    await page.locator('[aria-label="show the keys"]').focus();
    await press(page, "Enter");
    assert.ok(await page.locator("dialog.help").isVisible());
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Close");
    await press(page, "Enter");
    assert.equal(await page.locator("dialog.help").isVisible(), false);
    await page.locator(".source-lines").focus();
    const selected = await page.locator(".act.selected").getAttribute("id");
    await press(page, "ArrowUp"); // scrolls there
    assert.equal(await page.locator(".act.selected").getAttribute("id"), selected);
    return page;
  },

  async "only what is in view is in the page"() {
    const page = await open("long");
    assert.ok((await count(page, ".act")) < 200);
    assert.match(await page.locator(".step-text").textContent(), /20,002 \/ 20,002/); // two gaps among them
    await press(page, "Home");
    assert.equal(await page.locator('.act[data-rank="0"][data-op="0"]').count(), 1);
    await page.locator(".slider").evaluate((slider) => {
      slider.value = "10001";
      slider.dispatchEvent(new Event("input"));
    });
    await settled(page);
    assert.ok((await count(page, ".act.gap")) > 0, "what is left out is shown as such");
    assert.match((await texts(page, ".act.gap title")).join(), /14,003 operations are not shown/);
    return page;
  },

  async "10,000 operations open in less than two seconds"() {
    const times = [];
    let page;
    for (let i = 0; i < 3; i++) {
      await page?.close();
      page = await open("wide");
      times.push(await page.evaluate(() => performance.now()));
      assert.match(await page.locator(".step-text").textContent(), /10,0\d\d \/ 10,0\d\d/);
    }
    console.log(`32 ranks, 10,080 operations: open in ${times.map(Math.round).join(", ")} ms`);
    assert.ok(Math.min(...times) < 2000, `it took ${times.map(Math.round)} ms`);
    return page;
  },

  async "a deadlock that needs less buffering"() {
    const page = await open("buffering");
    const story = await page.locator(".story").textContent();
    assert.match(story, /Deadlock, if MPI does not buffer.*Ranks 0, 1 and 3 wait for each other in a circle/);
    assert.match(story, /MPI may let these wait for the other side:.*rank 0 MPI_Send.*rank 1 MPI_Send/);
    assert.equal(await count(page, ".act.stuck"), 3);
    await press(page, "2");
    assert.equal(await count(page, ".wait-edge.circle"), 3);
    await press(page, "4");
    assert.match((await texts(page, ".tree-row.path .chip"))[0], /ends well, but buffering deadlock \(1\) if MPI buffers less/);
    return page;
  },

  async "types that do not agree"() {
    const page = await open("types");
    assert.match(await page.locator(".story h2").textContent(), /Type mismatch/);
    assert.equal(await count(page, ".arrow.match, .arrow.chosen"), 1);
    const detail = await page.locator(".detail-facts").textContent();
    assert.match(detail, /MPI_Send\(dest=1, tag=0, 2 MPI_INT/);
    assert.match(detail, /taken by.*MPI_Recv\(source=0, tag=0, 2 MPI_FLOAT/s);
    return page;
  },

  async "leaks at 8 ranks"() {
    const page = await open("leaks");
    assert.deepEqual((await texts(page, ".list h4")).map((head) => head.replace(/:\d+/, "")), Array(3).fill("Leaks at leaks.c in main"));
    assert.deepEqual(await texts(page, ".finding b"), ["Request leak", "Communicator leak", "Datatype leak"]);
    assert.match(await page.locator(".story").textContent(), /ranks 0 to 7 MPI_Isend/);
    assert.equal(await count(page, ".lane-head"), 8);
    await press(page, "]");
    assert.match(await page.locator(".act.selected title").textContent(), /MPI_Comm_dup/);
    return page;
  },

  async "a buffer race opens at the access, and is called by its name"() {
    let page = await open("early");
    assert.equal(await page.locator(".story h2").textContent(), "Buffer race: rank 0 writes to the buffer of its pending MPI_Isend");
    const story = await page.locator(".story").textContent();
    assert.match(story, new RegExp(`rank 0 writes to the buffer of its pending MPI_Isend at early\\.c:${lines["early STORE"]} in main`));
    assert.match(story, new RegExp(`rank 0 has started the pending operation with MPI_Isend at early\\.c:${lines["early START"]} in main`));
    assert.match(story, new RegExp(`behind the call that completes the operation, here MPI_Wait early\\.c:${lines["early WAIT"]} in main`));
    assert.equal(await count(page, ".act.selected.race"), 1);
    assert.equal(await page.locator(".act.selected").textContent().then((text) => /writes$/.test(text)), true);
    assert.equal(await count(page, ".arrow.race"), 1);
    assert.deepEqual(await texts(page, ".line.own .line-number"), [String(lines["early STORE"])]);
    assert.deepEqual(await texts(page, ".line.own .line-note"), ["rank 0 writes"]);
    assert.deepEqual(await texts(page, ".line.partner .line-number"), [String(lines["early START"])]);
    assert.match(await page.locator(".detail-facts").textContent(), /races with.*rank 0 MPI_Isend/s);
    await page.close();
    page = await open("early_local"); // the line is not known
    assert.match(await page.locator(".story").textContent(), /The line that does so is not known/);
    assert.deepEqual(await texts(page, ".line.own .line-number"), [String(lines["early START"])]);
    await page.close();
    page = await open("overlap");
    assert.equal(await page.locator(".story h2").textContent(), "Buffer race: ranks 0 and 1 give MPI_Send the buffer of their pending MPI_Irecv");
    assert.match(await page.locator(".story").textContent(), /have started the pending operation with MPI_Irecv at buffer_overlap\.c:21 in main/);
    return page;
  },

  async "leaks say what was made, what frees it and why that matters"() {
    const page = await open("hoard");
    const wanted = { "Communicator leak": /Rank 0 makes 1 communicator with MPI_Comm_dup at hoard\.c:\d+ in main, and never calls MPI_Comm_free for it\. MPI libraries have room/,
      "Group leak": /1 group with MPI_Comm_group .* never calls MPI_Group_free/, "Datatype leak": /2 datatypes with MPI_Type_contiguous .* never calls MPI_Type_free for them\. MPI keeps/,
      "Operator leak": /MPI_Op_free/, "Error handler leak": /MPI_Errhandler_free/, "Info leak": /MPI_Info_free/, "Attribute key leak": /MPI_Comm_free_keyval/,
      "File leak": /1 file with MPI_File_open .* never calls MPI_File_close for it\. MPI demands/, "Buffer not detached": /Rank 0 calls MPI_Buffer_attach at .* never calls MPI_Buffer_detach for it/,
      "Request leak": /(1 request with MPI_Irecv .* never calls MPI_Wait, MPI_Test or one of their kind|1 persistent request with MPI_Recv_init .* never calls MPI_Request_free|1 cancelled request with MPI_Irecv .* never calls MPI_Wait or MPI_Test for it\. MPI_Cancel only asks)/ };
    const titles = await texts(page, ".finding b");
    assert.deepEqual([...new Set(titles)].sort(), Object.keys(wanted).sort());
    assert.equal(titles.length, 12);
    const told = new Set();
    for (let i = 0; i < titles.length; i++) {
      await page.locator(".finding").nth(i).click();
      const words = await page.locator(".story section").first().textContent();
      assert.match(words, wanted[titles[i]]);
      told.add(words);
      await settled(page);
      const [, line] = /hoard\.c:(\d+) in main/.exec(words);
      assert.deepEqual(await texts(page, ".line.own .line-number"), [line], "and its line is shown");
    }
    assert.equal(told.size, titles.length);
    await page.close();
    const several = await open("leaks");
    await press(several, "]");
    assert.match(await several.locator(".story section").first().textContent(), /Rank \d makes 1 communicator with MPI_Comm_dup at .*; neither do ranks/);
    return several;
  },

  async "a clean page says why its runs suffice"() {
    let page = await open("clean");
    const words = await page.locator(".overview").textContent();
    assert.match(words, /Why these runs suffice.*which message a receive or a probe with MPI_ANY_SOURCE takes.*flag = 0 or flag = 1.*whether MPI buffers it/);
    assert.match(words, /this call could go more than one way:MPI_Recv sums\.c:\d+ in main: 4 outcomes/);
    assert.match(words, /1 run was played, and it stands for 24 orders/);
    assert.equal(await count(page, ".assumed-all li"), 8);
    assert.match(words, /What is assumed.*Virtual clocks: MPI_Wtime/);
    await page.close();
    page = await open("one_way");
    assert.match(await page.locator(".overview").textContent(), /nothing of that is open: each message can be received in one way only.*1 run was played\./);
    await page.close();
    page = await open("race"); // the verdict of any page leads there, and back
    await page.locator(".verdict").click();
    assert.match(await page.locator(".overview").textContent(), /What was varied.*2 runs were played\. Each takes other decisions than all others, and together they take every combination/);
    await page.locator(".finding").click();
    assert.equal(await count(page, ".lanes"), 1);
    return page;
  },

  async "not decided says what to do next"() {
    let page = await open("incomplete");
    let words = await page.locator(".next").textContent();
    assert.match(words, /What to do next.*Limit of 3 runs reached\. The search was to stop after so many runs \(--max-runs\).*At least 5 decisions are left to try/);
    assert.match(words, /fewer ranks \(-n\), a smaller input/);
    assert.deepEqual((await texts(page, ".next .command")).map((command) => command.replace(/\/.*\//, "")), ["tourney resume short", "tourney resume --time 600 short"]);
    assert.doesNotMatch(await page.locator(".overview").textContent(), /every combination that is possible|suffice/);
    await page.close();
    page = await open("sampled");
    words = await page.locator(".next").textContent();
    assert.match(words, /Runs were taken at random\. Search without --sample.*cannot be gone on with/);
    assert.equal(await count(page, ".next .command"), 0);
    await page.close();
    page = await open("killed");
    assert.match(await page.locator(".next").textContent(), /The search did not come to its end\..*tourney resume /);
    return page;
  },

  async "a program without defects"() {
    const page = await open("clean", { height: 1300 });
    assert.match(await page.locator(".verdict").textContent(), /No defects.*any outcome that 5 ranks can have with this input, under any buffering/);
    assert.equal(await count(page, ".list"), 0);
    assert.ok((await count(page, ".tree-row")) > 3);
    assert.equal(await count(page, ".tree-dot:not(.good)"), 0);
    await page.locator(".fold", { hasText: "▸" }).first().click();
    await settled(page);
    assert.match((await texts(page, ".tree-row .chip")).join(), /ends well/);
    await page.locator(".tree .buttons button", { hasText: "all" }).click();
    await settled(page);
    await page.locator(".chip.same").first().click();
    await settled(page);
    assert.equal(await count(page, ".tree-row.marked"), 1);
    await press(page, "ArrowRight", "1", "o", "t");
    return page;
  },

  async "a search that was cut short"() {
    const page = await open("incomplete");
    assert.match(await page.locator(".verdict").textContent(), /Not decided.*not every outcome was explored.*Limit of 3 runs reached/);
    const rows = await texts(page, ".tree-row");
    assert.equal(rows.filter((row) => /ends well/.test(row)).length, 3);
    assert.equal(rows.filter((row) => /not tried/.test(row)).length, 3);
    assert.ok((await count(page, ".tree-dot.open")) > 2);
    return page;
  },

  async "the tree of decisions leads to findings"() {
    const page = await open("race");
    await press(page, "5");
    assert.equal(await count(page, ".tree-row"), 5);
    assert.deepEqual(await texts(page, ".tree-row .chip"), ["ends well", "deadlock (1)"]);
    assert.equal(await count(page, ".tree-row.path"), 3);
    assert.deepEqual(await page.locator(".tree-dot").evaluateAll((dots) => dots.map((dot) => dot.classList[1])), ["both", "good", "good", "bad", "bad"]);
    const dot = await page.locator(".tree-row.path .tree-dot.bad").first().boundingBox();
    assert.ok((await pixels(page, dot, [198, 43, 54])) > 20, "what goes wrong is red");
    await page.locator(".chip.bad").click();
    assert.equal(await count(page, ".lanes"), 1);
    return page;
  },

  async "a tree of thousands is cut, and only what is in view is in the page"() {
    const page = await open("large");
    assert.match(await page.locator(".tree-head").textContent(), /Shown are 10,000 of 13,699 decisions/);
    await page.locator(".tree .buttons button", { hasText: "all" }).first().click();
    await settled(page);
    assert.ok((await count(page, ".tree-row")) < 100);
    const before = await texts(page, ".tree-row");
    await page.locator(".tree-view").evaluate((view) => (view.scrollTop = view.scrollHeight / 2));
    await settled(page);
    assert.notDeepEqual(await texts(page, ".tree-row"), before);
    assert.match((await texts(page, ".tree-row")).join(), /not shown/);
    return page;
  },

  async "trees of 10,000 decisions open in less than a second"() {
    let page;
    for (const name of ["deep", "broad", "large"]) {
      const times = [];
      for (let i = 0; i < 3; i++) {
        await page?.close();
        page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
        page.problems = [];
        const session = await page.context().newCDPSession(page);
        await session.send("Performance.enable", { timeDomain: "threadTicks" }); // of the processor: others may be busy
        await page.goto(`file://${pages[name]}`);
        await page.waitForSelector(".tree-row");
        await settled(page);
        const { metrics } = await session.send("Performance.getMetrics");
        times.push(1000 * metrics.find((metric) => metric.name === "TaskDuration").value);
      }
      console.log(`${name} tree: open in ${times.map(Math.round).join(", ")} ms of processor time`);
      assert.ok(Math.min(...times) < 1000, `${name}: it took ${times.map(Math.round)} ms`);
      const start = await page.evaluate(() => performance.now());
      await page.locator(".tree .buttons button", { hasText: "all" }).first().click();
      await page.locator(".tree-view").evaluate((view) => (view.scrollTop = view.scrollHeight));
      await settled(page);
      const took = await page.evaluate(() => performance.now()) - start;
      console.log(`${name} tree: unfolded, and at its end, after ${Math.round(took)} ms`);
      assert.ok(took < 5000, `${name}: to unfold it all and go to its end took ${took} ms`);
      assert.ok((await count(page, ".tree-row")) < 60, "only what is in view is drawn");
      const box = await page.locator(".tree-view").boundingBox();
      for (const row of await page.locator(".tree-row .tree-dot").all()) {
        const dot = await row.boundingBox();
        assert.ok(dot.x > box.x && dot.x + dot.width < box.x + box.width, `${name}: the dot of a row is in view`);
      }
    }
    await page.close();
    page = await open("deep");
    await page.locator(".tree .buttons button", { hasText: "all" }).first().click();
    await page.locator(".tree-view").evaluate((view) => (view.scrollTop = view.scrollHeight / 2));
    await settled(page);
    assert.match(await page.locator(".tree-level").textContent(), /at levels 2,4\d\d and up/);
    return page;
  },

  async "a race has lanes, too"() {
    const page = await open("message_race");
    assert.match(await page.locator(".verdict").textContent(), /No errors.*1 warning/);
    assert.match(await page.locator(".story").textContent(), /The MPI_Send at message_race\.c:\d+ in first_come is called only after the message from rank 1/);
    assert.equal(await count(page, ".lane-head.well"), 3);
    assert.equal(await count(page, ".act.selected.receive .choice"), 1);
    assert.equal(await count(page, ".arrow.possible"), 1);
    return page;
  },

  async "both accesses of a race in a window are shown, each with its line"() {
    const page = await open("window_race");
    const story = await page.locator(".story").textContent();
    assert.match(story, /Bytes 0 to 3 of window 0 at rank 1: a put of rank 0 and a load of rank 1\./);
    assert.match(story, /To do so, let an MPI_Win_fence come between them\./);
    assert.match(await page.locator(".detail-facts").textContent(), /races withrank 1 load from the window of rank 1/);
    assert.deepEqual((await texts(page, ".source .marked .line-text")).map((line) => /FIRST|SECOND/.exec(line)?.[0]), ["FIRST", "SECOND"]);
    return page;
  },

  async "a load that races with a put stands beside it, between the fences, and both lead to the window"() {
    const page = await open("window_race");
    assert.deepEqual((await texts(page, ".act.race text")).map((text) => text.trim()), ["Put → 1", "load"]);
    const [put, load] = await Promise.all([0, 1].map((i) => page.locator(".act.race rect").nth(i).boundingBox()));
    assert.ok(Math.abs(put.y - load.y) < 5, "both are in one row"); // what is selected has a wider border
    assert.equal(await count(page, ".arrow.race"), 2);
    assert.deepEqual(await texts(page, ".bytes"), ["0–3", "0–3"]);
    assert.equal(await count(page, ".act.selected.race"), 1);
    await page.locator(".detail-facts .link", { hasText: "load from" }).click();
    await settled(page);
    assert.equal((await page.locator(".act.selected.race text").textContent()).trim(), "load");
    assert.match(await page.locator(".detail-facts").textContent(), /loads from a windowraces.*races withrank 0 MPI_Put.*afterrank 1 MPI_Win_fence.*beforerank 1 MPI_Win_fence/);
    return page;
  },

  async "two stores that race are there, and the page opens at one of them"() {
    const page = await open("stores", { height: 1100 });
    assert.deepEqual((await texts(page, ".act.race text")).map((text) => text.trim()), ["store", "store"]);
    assert.equal(await count(page, ".arrow.race"), 2);
    assert.equal((await page.locator(".act.selected.race text").textContent()).trim(), "store");
    assert.match(await page.locator(".detail-facts").textContent(), /rank 0stores to a windowraces.*at rank 0, bytes 0 to 3.*races withrank 1 store to the window of rank 0/);
    assert.deepEqual((await texts(page, ".source .marked .line-text")).map((line) => /FIRST|SECOND/.exec(line)?.[0]), ["FIRST", "SECOND"]);
    return page;
  },

  async "among many ranks the window of a race keeps its line"() {
    const page = await open("many_rivals");
    assert.equal(await count(page, ".window-line"), 1);
    assert.equal(await count(page, ".act.race"), 2);
    assert.equal(await count(page, ".arrow.race"), 2);
    return page;
  },

  async "a load that only the unified model allows is in its lane, and no race"() {
    const page = await open("unified");
    assert.equal(await count(page, ".act.race"), 0);
    assert.ok((await texts(page, ".act text")).some((text) => text.trim() === "load"));
    return page;
  },

  async "two accesses that race stand out, and both sources are in view"() {
    const page = await open("rivals", { height: 1100 });
    await page.locator(".list button").nth(1).click();
    await settled(page);
    assert.deepEqual((await texts(page, ".act.race text")).map((text) => text.trim()), ["Put → 2", "Get ← 2"]);
    assert.equal(await count(page, ".arrow.race"), 2);
    assert.match(await page.locator(".detail-facts").textContent(), /rank 1accesses a windowraces.*races withrank 2 MPI_Get\(target=2\)/);
    assert.equal(await count(page, ".source-lines"), 2);
    for (const [pane, label] of [[0, "FIRST"], [1, "SECOND"]]) {
      const lines = page.locator(".source-lines").nth(pane);
      const row = await lines.locator(".marked", { hasText: label }).boundingBox();
      const room = await lines.boundingBox();
      assert.ok(row.y >= room.y && row.y + row.height <= room.y + room.height, `${label} is in view`);
    }
    await page.locator(".detail-facts .link", { hasText: "MPI_Get" }).click();
    await settled(page);
    assert.match(await page.locator(".detail-facts").textContent(), /rank 2accesses a windowraces.*races withrank 1 MPI_Put/);
    return page;
  },

  async "an accumulate that the fence sends is one of the two that race"() {
    const page = await open("fenced_rivals", { height: 1100 });
    assert.deepEqual((await texts(page, ".act.race text")).map((text) => text.trim()).sort(), ["Accumulate → 2", "Put → 2"]);
    assert.equal(await count(page, ".arrow.race"), 2);
    return page;
  },

  async "threads have lanes, and wait for each other by name"() {
    const page = await open("threads");
    assert.deepEqual(await texts(page, ".lane-head.thread-head"), ["thread 0", "thread 1", "thread 2"]);
    assert.deepEqual(await texts(page, ".lane-head.rank-head"), ["rank 0"]);
    const stuck = page.locator('.act.stuck[data-rank="0"]');
    assert.equal(await stuck.getAttribute("data-thread"), "1");
    const lane = await page.locator(".thread-head").nth(1).boundingBox();
    const box = await stuck.locator("rect").boundingBox();
    assert.ok(box.x >= lane.x && box.x + box.width <= lane.x + lane.width, "the call stands below its thread");
    assert.deepEqual(await texts(page, ".lane-note tspan"), ["waits for", "end of 1", "waits for", "lock one"]);
    await page.locator('[data-tab="waits"]').click();
    await settled(page);
    assert.deepEqual((await texts(page, ".wait-node > text")).sort(), ["0·0", "0·1", "0·2", "1"]);
    assert.equal(await count(page, ".wait-edge.circle"), 2);
    assert.match((await texts(page, ".callout.bad")).join(), /rank 0, thread 1 → rank 0, thread 2 → rank 0, thread 1/);
    return page;
  },

  async "windows stand beside their owners, and accesses lead to their bytes"() {
    const page = await open("windows", { height: 1500 });
    assert.deepEqual(await texts(page, ".window-head"), ["window"]);
    assert.equal(await count(page, ".window-line"), 1);
    const heads = await page.locator(".lane-head").evaluateAll((all) => all.map((head) => [head.textContent, head.getBoundingClientRect().left]));
    const order = heads.sort((a, b) => a[1] - b[1]).map(([text]) => text.replace(/(stuck|finished).*/, ""));
    assert.deepEqual(order, ["rank 0", "window", "rank 1", "rank 2"]);
    assert.deepEqual(await texts(page, ".bytes"), ["4–7", "4–7", "4–7", "4–7"]);
    assert.equal(await count(page, ".arrow.access"), 4);
    assert.equal(await count(page, ".arrow.lock"), 4);
    await acts(page, 1).filter({ hasText: "Win_lock" }).click();
    await settled(page);
    const facts = await page.locator(".detail-facts").textContent();
    assert.match(facts, /asks for the lock of a window/);
    assert.match(facts, /comes behindrank 2 MPI_Win_unlock\(target=0\)/);
    await acts(page, 1).filter({ hasText: "MPI_Get" }).click();
    await settled(page);
    assert.match(await page.locator(".detail-facts").textContent(), /accesses a window.*at rank 0, bytes 4 to 7/);
    const [unlock, lock] = await Promise.all([acts(page, 2).filter({ hasText: "Win_unlock" }).last(), acts(page, 1).filter({ hasText: "Win_lock" })].map((act) => act.boundingBox()));
    assert.ok(unlock.y < lock.y);
    return page;
  },

  async "source that moved is missed in words"() {
    const page = await open("moved");
    assert.match(await page.locator(".source").textContent(), /The source of moves\.c:\d+ in main is not on the machine/);
    return page;
  },

  async "hostile names stay text"() {
    const page = await open("hostile");
    assert.notEqual(await page.title(), "taken");
    assert.equal(await count(page, "img, body b > b, main script"), 0);
    assert.match(await page.locator(".program code").textContent(), /^<script>& <\/script><script>document\.title/);
    assert.match(await page.locator(".detail-facts .call").textContent(), /<\/script><img src=x onerror=alert\(1\)>\\u003c"'&/);
    assert.match((await texts(page, ".line.own .line-text"))[0], /"\\x3c<\/script><!-- <script>/);
    for (const key of ["2", "3", "4"]) await press(page, key);
    assert.equal(await count(page, "img"), 0);
    return page;
  },

  async "a result without runs is told"() {
    const page = await open("bare");
    assert.deepEqual(await texts(page, ".tabs button"), ["Who waits for whom", "Decisions", "As text"]);
    assert.match(await page.locator(".story").textContent(), /rank 0 is stuck/);
    await press(page, "ArrowRight", "End", "o", "2");
    return page;
  },

  async "the picture, light and dark"() {
    const colours = { light: { page: [246, 247, 249], bad: [198, 43, 54], possible: [199, 125, 10] },
      dark: { page: [18, 22, 29], bad: [207, 63, 74], possible: [228, 163, 57] } };
    let page;
    for (const scheme of ["light", "dark"]) {
      await page?.close();
      page = await open("race", { colorScheme: scheme });
      const { page: ground, bad, possible } = colours[scheme];
      await acts(page, 0).nth(1).click();
      await settled(page);
      const stuck = await page.locator(".act.stuck rect").boundingBox();
      const list = await page.locator(".list").boundingBox();
      const arrow = await page.locator(".arrow.possible").boundingBox();
      assert.ok((await pixels(page, stuck, bad)) > 0.5 * stuck.width * stuck.height, `${scheme}: the stuck call is red`);
      assert.ok((await pixels(page, list, ground)) > 0.5 * list.width * list.height, `${scheme}: the ground`);
      assert.ok((await pixels(page, arrow, possible)) > 20, `${scheme}: the dashed arrow`);
    }
    await press(page, "t");
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(246, 247, 249)");
    await press(page, "?");
    assert.ok(await page.locator("dialog.help").isVisible());
    return page;
  },
};

let failed = 0;
for (const [name, run] of Object.entries(tests).filter(([name]) => name.includes(process.argv[3] ?? ""))) {
  try {
    const page = await run();
    assert.deepEqual(page.problems, []);
    console.log(`ok ${name}`);
    await page.close();
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.message}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
