// The filter of the rows, and the setting that stands for the sliders.

const isShown = (row) => {
  const { show } = at("rows").dataset;
  return !show || show === "all" || items[row].classList.contains(show);
};

// Goes on in the same direction, past rows that the filter hides.
function toShownRow(row) {
  const back = row < (state.picked ?? -1);
  let target = row;
  while (items[target] && !isShown(target)) target += back ? -1 : 1;
  if (items[target]) toRow(target);
}

function layOutFilter() {
  const count = (name) => at("rows").getElementsByClassName(name).length;
  const kinds = ["all", "kept", "dropped", ...(data.columns.probability ? ["doubtful"] : [])];
  for (const kind of kinds) {
    const label = make(at("filter"), "label");
    const input = make(label, "input");
    Object.assign(input, { type: "radio", name: "show", value: kind, checked: kind === "all" });
    label.append(kind === "all" ? "all rows" : `${kind} (${show(count(kind))})`);
    input.addEventListener("change", () => { at("rows").dataset.show = kind; });
  }
  at("filter").hidden = false;
}

// The value with the fewest digits that keeps the same rows: between this stop and the one before.
function thresholdSetting() {
  if (state.threshold === 0) return data.threshold;
  const index = stops.indexOf(state.threshold);
  const high = Math.min(state.probabilityOf(stops[index]), 0.99);
  const low = Math.max(index ? state.probabilityOf(stops[index - 1]) : 0, 0.01);
  const middle = Math.min(Math.max((low + high) / 2, 0.01), 0.99);
  for (let digits = 2; digits < 6; digits++) {
    const value = Number(middle.toFixed(digits));
    if (value > low && value < high) return value;
  }
  return Number(middle.toFixed(6));
}

function showSetting({ moved, sigma, lam }) {
  const lines = [];
  if (data.threshold !== null) lines.push(`CETR_THRESHOLD = ${thresholdSetting()}`);
  if (moved && sigma !== start.sigma) lines.push(`CETR_SIGMA = ${sigma}`);
  if (moved && lam !== start.lam) lines.push(`CETR_LAM = ${lam}`);
  at("setting").textContent = lines.join("\n");
  at("setting").parentElement.hidden = !lines.length;
  at("copy").textContent = "Copy";
}

function copySetting() {
  getSelection().selectAllChildren(at("setting"));
  navigator.clipboard?.writeText(at("setting").textContent).then(() => { at("copy").textContent = "Copied"; }, () => {});
}
