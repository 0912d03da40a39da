// Corrections: rows that are marked as belonging or not, the rule that would do the same on other
// pages of the site, and the text of the page as it should be.

const corrections = {
  marks: new Map(), // the row, and whether it belongs
  belongs: (row) => corrections.marks.get(row) ?? !!data.written[row],
};
const elements = data.elements.map(([parent, name, id, classes]) => ({ parent, name, id, classes: classes.split(/\s+/).filter(Boolean) }));
const hasDigit = (name) => /\d/.test(name);
const MAX_FORMS = 6, MAX_LEVELS = 12, MAX_LISTED = 40, MAX_NAME = 60;

// Selectors

// What an element can be called, the most specific first; a bare name only inside of another one.
function forms(element) {
  const { name, id } = elements[element];
  const classes = elements[element].classes.filter((one) => one.length <= MAX_NAME);
  const stable = classes.filter((one) => !hasDigit(one));
  const chosen = stable.length ? stable : classes;
  const found = [];
  if (chosen.length > 1) found.push({ name, classes: chosen });
  for (const one of chosen.slice(0, MAX_FORMS)) found.push({ name, classes: [one] });
  if (id && id.length <= MAX_NAME) found.push({ id, classes: [] });
  return found;
}

const fits = (form, element) => {
  const { name, id, classes } = elements[element];
  return (!form.id || form.id === id) && (!form.name || form.name === name) && form.classes.every((one) => classes.includes(one));
};

const written = (form) => `${form.id ? `#${CSS.escape(form.id)}` : form.name}${form.classes.map((one) => `.${CSS.escape(one)}`).join("")}`;

// A path is one form, or two: the second inside of the first.
const asSelector = (path) => path.map(written).join(" ");

function matches(path) {
  const last = path[path.length - 1];
  const inside = path.length > 1 ? spread((element) => fits(path[0], element)) : null;
  return (element) => fits(last, element) && (!inside || (elements[element].parent >= 0 && inside[elements[element].parent]));
}

// Whether each element has one that matches at or above it; parents come before their children.
function spread(isMatch) {
  const found = new Uint8Array(elements.length);
  elements.forEach(({ parent }, element) => { found[element] = (parent >= 0 && found[parent]) || isMatch(element) ? 1 : 0; });
  return found;
}

function coveredRows(path) {
  const inside = spread(matches(path));
  return data.row_elements.flatMap((element, row) => (hasText(row) && element >= 0 && inside[element] ? [row] : []));
}

function ancestors(row) {
  const found = [];
  for (let element = data.row_elements[row]; element >= 0 && found.length < MAX_LEVELS; element = elements[element].parent) found.push(element);
  return found;
}

// Paths to a row, from the most specific: its own element before those around it, two forms before one.
function* pathsTo(row) {
  const around = ancestors(row);
  for (const [level, element] of around.entries()) {
    const own = forms(element);
    for (const form of own) yield [form];
    const inner = own.length ? own : [{ name: elements[element].name, classes: [] }];
    for (const outer of around.slice(level + 1)) {
      for (const above of forms(outer)) for (const form of inner) yield [above, form];
    }
  }
}

const isBare = (form) => !form.id && !form.classes.length;
const usesDigits = (path) => path.some((form) => hasDigit(`${form.id ?? ""}${form.classes.join("")}`));

// The best path to some marked rows: that which changes the fewest other rows, covers the most marked
// ones, has no numbers, which other pages do not share, and names only elements with a class or id.
function bestPath(marked) {
  let best = null;
  const wanted = new Set(marked), belongs = corrections.marks.get(marked[0]);
  for (const path of pathsTo(marked[0])) {
    const rows = coveredRows(path);
    const others = rows.filter((row) => !wanted.has(row) && corrections.belongs(row) !== belongs);
    const covered = rows.length - rows.filter((row) => !wanted.has(row)).length;
    const rank = [others.length, -covered, usesDigits(path) ? 1 : 0, path.some(isBare) ? 1 : 0];
    const index = best ? rank.findIndex((value, at) => value !== best.rank[at]) : 0;
    if (!best || (index >= 0 && rank[index] < best.rank[index])) best = { path, rows, others, rank };
  }
  return best;
}

// As few selectors as cover all rows that are marked as belonging, or as not.
function propose(belongs) {
  const found = [];
  let left = [...corrections.marks].filter(([, value]) => value === belongs).map(([row]) => row).sort((a, b) => a - b);
  while (left.length) {
    const best = bestPath(left);
    if (best) found.push({ selector: asSelector(best.path), others: best.others });
    const covered = new Set(best ? best.rows : []);
    left = left.slice(1).filter((row) => !covered.has(row));
  }
  return found;
}

// Texts to copy

const quoted = (text) => JSON.stringify(text);

function ruleText(proposals) {
  const lines = [`[${quoted(data.site || "example.com")}]`];
  for (const [use, found] of Object.entries(proposals)) {
    if (found.length) lines.push(`${use} = [${found.map(({ selector }) => quoted(selector)).join(", ")}]`);
  }
  return lines.length > 1 ? `${lines.join("\n")}\n` : "";
}

const rowText = (row) => data.long[row] ?? items[row].querySelector(".t").textContent;

function goldText() {
  return data.keep.flatMap((_, row) => (hasText(row) && corrections.belongs(row) ? [rowText(row)] : [])).join("\n\n");
}

async function goldLine() {
  const bytes = Uint8Array.from(atob(data.source), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const html = await new Response(stream).text();
  return `${JSON.stringify({ url: data.url, html, text: goldText() })}\n`;
}

function download(name, text) {
  const link = document.createElement("a");
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.setAttribute("href", address);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

async function copyText(button, text) {
  const label = button.textContent;
  await navigator.clipboard?.writeText(text).then(() => { button.textContent = "Copied"; setTimeout(() => { button.textContent = label; }, 2000); }, () => {});
}

// The panel

function toggleMark(row) {
  if (!hasText(row)) return;
  if (corrections.marks.has(row)) corrections.marks.delete(row);
  else corrections.marks.set(row, !data.written[row]);
  showCorrections();
}

function showMark(row) {
  const mark = corrections.marks.get(row);
  items[row].classList.toggle("belongs", mark === true);
  items[row].classList.toggle("not-belongs", mark === false);
  const button = items[row].querySelector(".mark");
  if (!button) return;
  button.setAttribute("aria-pressed", String(mark !== undefined));
  button.textContent = mark === undefined ? (data.written[row] ? "not" : "add") : "undo";
}

function showCorrections() {
  for (const item of at("rows").querySelectorAll(".belongs, .not-belongs, .ruled")) item.classList.remove("belongs", "not-belongs", "ruled");
  for (const button of at("rows").querySelectorAll('.mark[aria-pressed="true"]')) showMark(Number(button.closest("li").id.slice(1)));
  for (const row of corrections.marks.keys()) showMark(row);
  at("corrections").hidden = !corrections.marks.size;
  if (!corrections.marks.size) return;
  const proposals = { keep: propose(true), drop: propose(false) };
  const added = [...corrections.marks.values()].filter(Boolean).length;
  at("marked").textContent = `${show(added)} marked as belonging, ${show(corrections.marks.size - added)} as not belonging`;
  at("rule").textContent = ruleText(proposals);
  showOthers([...new Set([...proposals.keep, ...proposals.drop].flatMap(({ others }) => others))].sort((a, b) => a - b));
}

function showOthers(others) {
  const list = at("others");
  list.replaceChildren();
  if (!others.length) {
    list.textContent = "The rule changes no other row of this page.";
    return;
  }
  list.append(`The rule would change ${show(others.length)} other ${others.length === 1 ? "row" : "rows"}: `);
  for (const row of others) items[row].classList.add("ruled");
  for (const row of others.slice(0, MAX_LISTED)) make(list, "button", String(row + 1)).addEventListener("click", () => toRow(row));
  if (others.length > MAX_LISTED) list.append(" …");
}

function layOutCorrections() {
  for (const item of items) {
    const row = Number(item.id.slice(1));
    if (!hasText(row)) continue;
    const button = make(item, "button", data.written[row] ? "not" : "add", "mark");
    Object.assign(button, { type: "button", tabIndex: -1, title: data.written[row] ? "Does not belong to the article (M)" : "Belongs to the article (M)" });
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", (event) => { event.stopPropagation(); toggleMark(row); });
  }
  at("rows").addEventListener("keydown", (event) => {
    const item = event.target.closest("li");
    if (!item || event.key.toLowerCase() !== "m" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    toggleMark(Number(item.id.slice(1)));
  });
  at("copy-rule").addEventListener("click", () => copyText(at("copy-rule"), at("rule").textContent));
  at("download-rule").addEventListener("click", () => download("sites.toml", at("rule").textContent));
  at("copy-gold").addEventListener("click", async () => copyText(at("copy-gold"), await goldLine()));
  at("download-gold").addEventListener("click", async () => download("gold.jsonl", await goldLine()));
  at("clear-marks").addEventListener("click", () => { corrections.marks.clear(); showCorrections(); });
  for (const name of ["copy-gold", "download-gold"]) at(name).hidden = !data.source;
}

begin();
