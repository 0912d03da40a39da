// The state of the page, and what changes it.

const at = (id) => document.getElementById(id);
const isWide = () => matchMedia("(min-width: 1000px)").matches;
const data = JSON.parse(at("data").textContent);
const items = at("rows").children;
const ratios = data.chars.map((chars, row) => chars / Math.max(data.tags[row], 1));
const clipped = ratios.map((ratio) => Math.min(ratio, data.longest));
const lengths = data.centroids.map(([x, y]) => x * x + y * y);
const given = {
  ...data.cetr, centroids: data.centroids, boilerplate: lengths.indexOf(Math.min(...lengths)), score: data.score,
  threshold: data.options.lam * deviation(data.cetr.smoothed),
};
const broken = new Set(data.broken);
const hasText = (row) => data.chars[row] > 0 && !broken.has(row);
// Rows that the method kept or dropped against their score; the threshold does not change them.
const fixed = new Set(data.keep.flatMap((kept, row) => (hasText(row) && kept !== Number(data.score[row] >= 0) ? [row] : [])));
const state = {
  data, ratios, broken, now: given, threshold: 0, keep: data.keep.slice(), over: null, picked: null,
  probabilityOf: (score) => 1 / (1 + Math.exp(-score - Math.log(data.threshold / (1 - data.threshold)))),
  isFixed: (row) => state.now === given && fixed.has(row),
};

// Plots

const plots = {
  ...(isCetr(data) && {
    ratio: new Bars("ratio", "Tag ratio", "characters per tag of a row"),
    smoothed: new Bars("smoothed", "Smoothed", "the ratio of a row and its neighbours"),
    slope: new Bars("slope", "Absolute derivative", "how steeply the smoothed ratio changes"),
  }),
  score: new Bars("score", "Score", `by ${data.method}; rows that reach the threshold are kept`, { roots: true, labelled: true }),
};
if (data.columns.probability) plots.probability = new Bars("probability", "Probability", "that a row is content, as the model predicts");
if (isCetr(data)) plots.scatter = new Scatter("scatter", "Clusters", "smoothed ratio →, derivative ↑");

if (data.layout) plots.layout = new PageMap(data.layout);

const measure = () => Object.values(plots).forEach((plot) => plot.measure());

function drawPlots() {
  const { now } = state;
  const kinds = state.keep.map((kept, row) => (kept ? "kept" : data.chars[row] ? "dropped" : "bare"));
  plots.ratio?.render(clipped, kinds);
  plots.smoothed?.render(now.smoothed, kinds, data.method === "cetr-tm" ? now.threshold : undefined);
  plots.slope?.render(now.slope, kinds);
  plots.score.render(now.score, kinds, state.threshold);
  plots.probability?.render(data.columns.probability, kinds);
  plots.layout?.render(kinds);
  plots.scatter?.render(now.smoothed, now.slope, now.cluster, now.centroids, now.boilerplate);
}

// Rows

function mark(row, name, on) {
  if (row !== null) items[row].classList.toggle(name, on);
}

function point(change) {
  mark(state.over, "over", false);
  mark(state.picked, "picked", false);
  Object.assign(state, change);
  mark(state.over, "over", true);
  mark(state.picked, "picked", true);
  for (const plot of Object.values(plots)) plot.point(state);
  const row = state.over ?? state.picked;
  if (row !== null) explain(at("why"), row, state, [["Show in the plots", toPlots], ["Close", () => at("why").setAttribute("hidden", "")]]);
}

function pick(row) {
  if (state.picked !== null) items[state.picked].tabIndex = -1;
  items[row].tabIndex = 0;
  at("why").hidden = false;
  point({ picked: row, over: null });
}

function toRow(row) {
  pick(row);
  items[row].scrollIntoView({ block: "center" });
  items[row].focus({ preventScroll: true });
}

function toPlots() {
  at("plots").scrollIntoView({ block: "nearest" });
  Object.values(plots)[0].svg.focus({ preventScroll: true });
}

function showKept() {
  let rows = 0, words = 0, added = 0, removed = 0;
  data.keep.forEach((before, row) => {
    const kept = hasText(row) ? (state.isFixed(row) ? before : Number(state.now.score[row] >= state.threshold)) : 0;
    if (kept !== state.keep[row]) {
      state.keep[row] = kept;
      items[row].classList.toggle("kept", !!kept);
      items[row].classList.toggle("dropped", !kept);
      items[row].classList.toggle("changed", kept !== before);
    }
    rows += kept;
    words += kept * data.words[row];
    added += kept > before;
    removed += kept < before;
  });
  const change = added || removed ? `: ${added} rows added and ${removed} removed compared with the method` : "";
  at("would").replaceChildren();
  make(at("would"), "b", `${show(rows)} rows, ${show(words)} words`);
  at("would").append(` kept${change}`);
}

// Sliders

const sliders = { threshold: at("threshold"), sigma: at("sigma"), lam: at("lam") };
const start = { sigma: data.sigma, lam: data.options.lam };
let stops = [];

// The threshold stops at each score, so that each step of the slider moves one row.
function layOutThreshold() {
  const scores = state.now.score.filter((score, row) => hasText(row) && score !== null);
  stops = [...new Set([0, ...scores])].sort((a, b) => a - b);
  stops.push(stops[stops.length - 1] * 1.01 + 1e-9);
  const nearest = stops.findIndex((stop) => stop >= state.threshold);
  sliders.threshold.max = stops.length - 1;
  sliders.threshold.value = nearest < 0 ? stops.length - 1 : nearest;
  state.threshold = stops[sliders.threshold.value];
}

function layOutOptions() {
  const limit = Math.max(30, 2 * start.sigma);
  sliders.sigma.min = 0;
  sliders.sigma.step = 0.1;
  sliders.sigma.max = data.sigma_limit === null ? limit : Math.min(limit, data.sigma_limit);
  sliders.sigma.value = start.sigma;
  sliders.lam.value = start.lam;
  sliders.sigma.parentElement.hidden = !data.live;
  sliders.lam.parentElement.hidden = !data.live || data.method !== "cetr-tm";
}

// A slider that was not moved stands for the exact start value, which its steps may not contain.
function chosen() {
  const isMoved = (name) => sliders[name].value !== sliders[name].dataset.start;
  const value = (name) => (isMoved(name) ? Number(sliders[name].value) : start[name]);
  return { moved: data.live && (isMoved("sigma") || isMoved("lam")), sigma: value("sigma"), lam: value("lam") };
}

function recompute() {
  const { moved, sigma, lam } = chosen();
  state.now = moved ? cetr(data.method, clipped, { ...data.options, sigma, lam }) : given;
  layOutThreshold();
  update();
}

function update() {
  state.threshold = stops[sliders.threshold.value];
  const { moved, sigma, lam } = chosen();
  const values = { threshold: state.threshold, sigma, lam };
  for (const [name, slider] of Object.entries(sliders)) {
    const value = name === "threshold" && data.threshold !== null ? thresholdSetting() : values[name];
    slider.previousElementSibling.textContent = show(value);
    slider.setAttribute("aria-valuetext", show(value));
  }
  showSetting({ moved, sigma, lam });
  showKept();
  drawPlots();
  point({});
  at("reset").disabled = !moved && state.threshold === 0;
}

// At most one change per frame, however many events there are.
let waiting = null;
function soon(act) {
  if (waiting === null) requestAnimationFrame(() => { const next = waiting; waiting = null; next(); });
  waiting = waiting === recompute ? recompute : act;
}

// Events

function listenToPlot(plot) {
  const rowOf = (event) => {
    const box = plot.svg.getBoundingClientRect();
    return plot.rowAt(event.clientX - box.left, event.clientY - box.top);
  };
  plot.svg.addEventListener("pointermove", (event) => point({ over: rowOf(event) }));
  plot.svg.addEventListener("pointerleave", () => point({ over: null }));
  plot.svg.addEventListener("click", (event) => {
    const row = rowOf(event);
    if (row !== null) toRow(row);
  });
  plot.svg.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && state.picked !== null) toRow(state.picked);
    else step(event, { ArrowLeft: -1, ArrowRight: 1 }, pick);
  });
}

function step(event, keys, act) {
  const last = items.length - 1, from = state.picked ?? -1;
  const page = Math.max(1, Math.round(items.length / 20));
  const targets = { Home: 0, End: last, PageUp: from - page, PageDown: from + page };
  const target = event.key in keys ? from + keys[event.key] : targets[event.key];
  if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act(Math.min(Math.max(target, 0), last));
}

function listenToRows() {
  const rowOf = (event) => {
    const item = event.target.closest("li");
    return item ? Number(item.id.slice(1)) : null;
  };
  at("rows").addEventListener("pointerover", (event) => event.pointerType === "mouse" && point({ over: rowOf(event) }));
  at("rows").addEventListener("pointerleave", () => point({ over: null }));
  at("rows").addEventListener("click", (event) => {
    const row = rowOf(event);
    if (row === null) return;
    pick(row);
    items[row].focus({ preventScroll: true });
    if (isWide()) at("plots").scrollIntoView({ block: "nearest" });
  });
  at("rows").addEventListener("keydown", (event) => {
    if (event.key === "Enter") toPlots();
    else step(event, { ArrowUp: -1, ArrowDown: 1 }, toShownRow);
  });
}

function begin() {
  if (!items.length) return;
  at("plots").prepend(...Object.values(plots).map((plot) => plot.figure));
  Object.values(plots).forEach(listenToPlot);
  listenToRows();
  layOutOptions();
  for (const slider of Object.values(sliders)) slider.dataset.start = slider.value;
  sliders.threshold.addEventListener("input", () => soon(update));
  for (const slider of [sliders.sigma, sliders.lam]) slider.addEventListener("input", () => soon(recompute));
  at("reset").addEventListener("click", () => {
    state.threshold = 0;
    layOutOptions();
    recompute();
  });
  at("copy").addEventListener("click", copySetting);
  if (data.threshold !== null) sliders.threshold.parentElement.firstElementChild.textContent = "threshold on the probability";
  layOutFilter();
  layOutCorrections();
  at("controls").hidden = false;
  items[0].tabIndex = 0;
  measure();
  recompute();
  pick(Math.max(0, data.keep.indexOf(1)));
  at("why").hidden = !isWide();
  addEventListener("resize", () => { measure(); soon(update); });
}
