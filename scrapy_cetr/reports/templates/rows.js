// Explains a row in words and figures. Text of the page is only ever set as textContent.

function make(parent, name, text, className) {
  const element = parent.appendChild(document.createElement(name));
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

// Whether the method is CETR, which decides by the figures of the first four plots.
const isCetr = (data) => data.method.startsWith("cetr");

function reason(row, state) {
  const { data, now, threshold } = state;
  const verb = state.keep[row] ? "kept" : "dropped";
  if (!data.chars[row]) return "Only tags, no text: nothing to keep.";
  if (state.broken.has(row)) return "Binary data instead of text: never kept.";
  const words = (state.keep[row] === data.keep[row] && data.reasons?.[row]) || "";
  if (state.isFixed(row)) return words || `${state.keep[row] ? "Kept" : "Dropped"} against its score: the method decided so after scoring.`;
  if (data.threshold !== null) {
    const probability = data.columns.probability[row], limit = state.probabilityOf(threshold);
    const byProbability = `Probability ${show(probability)} ${now.score[row] >= threshold ? "reaches" : "is below"} the threshold ${show(limit)}: ${verb}.`;
    // The text of a rule that decided explains itself.
    return / by rule:/.test(words) ? words : `${byProbability} ${words}`.trim();
  }
  const compared = now.score[row] >= threshold ? "reaches" : "is below";
  const byScore = `Score ${show(now.score[row])} ${compared} the threshold ${show(threshold)}: ${verb}.`;
  if (data.method === "cetr-tm") return `Smoothed ratio ${show(now.smoothed[row])}; λ times the deviation is ${show(now.threshold)}. ${byScore}`;
  if (data.method !== "cetr") return byScore;
  const [x, y] = now.centroids[now.cluster[row]];
  const whose = now.cluster[row] === now.boilerplate ? "the origin, where boilerplate is" : `the centroid at (${show(x)}, ${show(y)})`;
  return `Its point (${show(now.smoothed[row])}, ${show(now.slope[row])}) is nearest to ${whose}. ${byScore}`;
}

function figuresOf(row, { data, now, ratios }) {
  const columns = Object.entries(data.columns).map(([name, values]) => [name, values[row]]);
  const cetr = [["smoothed", now.smoothed[row]], ["derivative", now.slope[row]], ["cluster", now.cluster[row]]];
  return [
    ["score", now.score[row]], ["characters", data.chars[row]], ["tags", data.tags[row]],
    ["words", data.words[row]], ["ratio", ratios[row]], ...(isCetr(data) ? cetr : []), ...columns,
  ];
}

class Features {
  constructor({ names, values }) {
    this.names = names;
    const bytes = Uint8Array.from(atob(values), (char) => char.charCodeAt(0));
    this.table = new Float32Array(bytes.buffer);
    const count = this.table.length / names.length;
    this.mean = names.map((_, f) => this.sum(f, (x) => x) / count);
    this.spread = names.map((_, f) => Math.sqrt(this.sum(f, (x) => (x - this.mean[f]) ** 2) / count));
  }

  sum(feature, part) {
    let sum = 0;
    for (let at = feature; at < this.table.length; at += this.names.length) sum += part(this.table[at]);
    return sum;
  }

  // The features in which a row differs most from the others of its page, and by how much.
  striking(row, most) {
    const values = this.names.map((name, f) => {
      const value = this.table[row * this.names.length + f];
      return { name, value, off: this.spread[f] ? (value - this.mean[f]) / this.spread[f] : 0 };
    });
    return values.sort((a, b) => Math.abs(b.off) - Math.abs(a.off)).slice(0, most);
  }
}

let features = null;

function explain(panel, row, state, buttons) {
  panel.replaceChildren();
  const which = make(panel, "p", undefined, "which");
  make(which, "span", `Row ${row + 1} · ${state.keep[row] ? "kept" : "dropped"}`);
  for (const [label, act] of buttons) make(which, "button", label).addEventListener("click", act);
  make(panel, "p", reason(row, state), "reason");
  const list = make(panel, "dl");
  for (const [name, value] of figuresOf(row, state)) {
    const pair = make(list, "div");
    make(pair, "dt", name);
    make(pair, "dd", show(value));
  }
  if (!state.data.features) return;
  features ??= new Features(state.data.features);
  make(panel, "p", "Features that differ most from the other rows of the page, in standard deviations:");
  const striking = make(panel, "dl", undefined, "features");
  for (const { name, value, off } of features.striking(row, 12)) {
    const pair = make(striking, "div");
    make(pair, "dt", name);
    const cell = make(pair, "dd", `${show(value)} `);
    make(cell, "small", `${off > 0 ? "+" : "−"}${Math.abs(off).toFixed(1)}`);
  }
}
