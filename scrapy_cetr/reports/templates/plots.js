// Plots as SVG. All bars of a kind share a few paths, because thousands of elements would be slow.
// The row under the pointer is computed from the pointer's position.

const SVG = "http://www.w3.org/2000/svg";
const LEFT = 44, RIGHT = 6, TOP = 6, BOTTOM = 16;

function draw(parent, name, attributes) {
  const element = parent.appendChild(document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function show(number) {
  if (number === null || number === undefined) return "–";
  if (typeof number !== "number") return String(number);
  const digits = Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : 2;
  const most = number && Math.abs(number) < 0.1 ? 4 : digits;
  return number.toLocaleString("en", { maximumFractionDigits: most }).replace("-", "−");
}

// Browsers draw several paths of 256 bars faster than one path of many thousand bars.
function joined(pieces) {
  const paths = [];
  for (let first = 0; first < pieces.length; first += 256) paths.push(pieces.slice(first, first + 256).join(""));
  return paths;
}

const tenth = (x) => Math.round(x * 10) / 10;

function extent(values) {
  let low = 0, high = 0;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high || (low ? 0 : 1)];
}

function ticks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) found.push(at);
  return found;
}

class Plot {
  // The height of a plot is a share of the height of the window, within limits.
  constructor(id, title, explanation, share) {
    this.figure = document.createElement("figure");
    this.figure.id = id;
    const caption = this.figure.appendChild(document.createElement("figcaption"));
    caption.appendChild(document.createElement("b")).textContent = title;
    caption.append(explanation);
    this.svg = draw(this.figure, "svg", {
      tabindex: 0, role: "img",
      "aria-label": `${title}: ${explanation}. Left and right step through the rows, Enter goes to the row.`,
    });
    this.share = share;
  }

  // Called only when the size of the window changes, because reading the width forces a layout.
  measure() {
    this.width = this.svg.clientWidth || 600;
    this.height = Math.round(this.share * Math.min(Math.max(innerHeight, 720), 1080));
  }

  begin() {
    this.svg.setAttribute("height", this.height);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.svg.replaceChildren();
  }

  // Returns whether any value has changed that a drawing depends on.
  isNew(causes) {
    const same = this.causes?.every((cause, i) => cause === causes[i]);
    this.causes = causes;
    return !same;
  }

  yAxis(low, high, position, count = 3) {
    for (const at of ticks(low, high, count)) {
      draw(this.svg, "line", { class: "axis", x1: LEFT, x2: this.width - RIGHT, y1: position(at), y2: position(at) });
      draw(this.svg, "text", { x: LEFT - 6, y: position(at) + 3.5, "text-anchor": "end" }).textContent = show(at);
    }
  }

  // Adds the cursors on top of everything; later they are only moved.
  cursors(shape) {
    this.over = draw(this.svg, shape, { class: "cursor over", visibility: "hidden" });
    this.picked = draw(this.svg, shape, { class: "cursor", visibility: "hidden" });
    for (const [cursor, row] of [[this.over, this.overRow], [this.picked, this.pickedRow]]) this.move(cursor, row);
  }

  point({ over, picked }) {
    this.overRow = over;
    this.pickedRow = picked;
    this.move(this.over, over);
    this.move(this.picked, picked);
  }

  move(cursor, row) {
    if (!cursor) return;
    cursor.setAttribute("visibility", row === null || row === undefined ? "hidden" : "visible");
    if (row === null || row === undefined) return;
    for (const [key, value] of Object.entries(this.position(row))) cursor.setAttribute(key, value);
  }
}

// One bar per row; signed values on a square-root scale, because scores of CETR are squares.
class Bars extends Plot {
  constructor(id, title, explanation, { roots = false, labelled = false } = {}) {
    super(id, title, explanation, labelled ? 0.115 : 0.095);
    this.roots = roots;
    this.labelled = labelled;
  }

  render(values, kinds, limit) {
    this.begin();
    const scale = this.roots ? (x) => Math.sign(x) * Math.sqrt(Math.abs(x)) : (x) => x;
    const [low, high] = extent(limit === undefined ? values : [values.reduce((a, b) => Math.min(a, b), limit), values.reduce((a, b) => Math.max(a, b), limit)]);
    const bottom = this.height - (this.labelled ? BOTTOM : 4);
    const y = (value) => bottom - ((scale(value) - scale(low)) / (scale(high) - scale(low))) * (bottom - TOP);
    const step = (this.width - LEFT - RIGHT) / values.length;
    Object.assign(this, { step, bottom, count: values.length });
    if (this.roots) this.rootAxis(low, high, y);
    else this.yAxis(low, high, y);
    const zero = tenth(y(0));
    // Moving the threshold changes colours, but no bar.
    if (this.isNew([values, low, high, this.width, this.height])) {
      this.bars = values.map((value, row) => `M${tenth(LEFT + (row + 0.5) * step)} ${zero}V${tenth(y(value ?? 0))}`);
    }
    // Where bars are thinner than a pixel, kept rows are drawn on top.
    const paths = { bare: [], dropped: [], kept: [] };
    this.bars.forEach((bar, row) => paths[kinds[row]].push(bar));
    const wide = Math.max(step > 4 ? step - 1 : step, 0.8).toFixed(2);
    for (const [kind, bars] of Object.entries(paths)) {
      for (const d of joined(bars)) draw(this.svg, "path", { class: `bars ${kind}`, d, "stroke-width": wide });
    }
    if (limit !== undefined) draw(this.svg, "line", { class: "limit", x1: LEFT, x2: this.width - RIGHT, y1: y(limit), y2: y(limit) });
    if (this.labelled) this.xAxis();
    this.cursors("line");
  }

  rootAxis(low, high, y) {
    const marks = [low, 0, high].filter((at, i, all) => all.indexOf(at) === i);
    for (const at of marks.filter((at) => !at || Math.abs(y(at) - y(0)) > 12)) {
      draw(this.svg, "line", { class: "axis", x1: LEFT, x2: this.width - RIGHT, y1: y(at), y2: y(at) });
      draw(this.svg, "text", { x: LEFT - 6, y: y(at) + 3.5, "text-anchor": "end" }).textContent =
        at.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 2 }).replace("-", "−");
    }
  }

  xAxis() {
    for (const at of ticks(1, this.count, 6).filter((at) => at === Math.round(at) && at >= 1)) {
      const x = LEFT + (at - 0.5) * this.step;
      const anchor = x > this.width - 20 ? "end" : "middle";
      draw(this.svg, "text", { x: Math.min(x, this.width - RIGHT), y: this.height - 3, "text-anchor": anchor }).textContent = `${at}`;
    }
  }

  position(row) {
    const x = LEFT + (row + 0.5) * this.step;
    return { x1: x, x2: x, y1: 2, y2: this.bottom };
  }

  rowAt(x) {
    const row = Math.floor((x - LEFT) / this.step);
    return row < 0 || row >= this.count ? null : row;
  }
}

class Scatter extends Plot {
  constructor(id, title, explanation) {
    super(id, title, explanation, 0.24);
  }

  render(xs, ys, cluster, centroids, boilerplate) {
    if (!this.isNew([xs, ys, cluster, this.width, this.height])) return;
    this.begin();
    const [, right] = extent(xs), [, high] = extent(ys);
    const bottom = this.height - BOTTOM;
    const x = (value) => LEFT + 6 + (value / right) * (this.width - LEFT - RIGHT - 12);
    const y = (value) => bottom - 6 - (value / high) * (bottom - TOP - 8);
    this.yAxis(0, high, y);
    for (const at of ticks(0, right, 6)) draw(this.svg, "text", { x: x(at), y: this.height - 3, "text-anchor": "middle" }).textContent = show(at);
    const paths = centroids.map(() => []);
    this.dots = xs.map((value, row) => [x(value), y(ys[row])]);
    this.dots.forEach(([cx, cy], row) => paths[cluster[row]].push(`M${tenth(cx)} ${tenth(cy)}h0`));
    const kind = (c) => (c === boilerplate ? "k0" : `k${((c - (c > boilerplate)) % 5) + 1}`);
    paths.forEach((points, c) => {
      for (const d of joined(points)) draw(this.svg, "path", { class: `points ${kind(c)}`, d });
    });
    centroids.forEach(([cx, cy]) => draw(this.svg, "path", { class: "centroid", d: `M${x(cx) - 6} ${y(cy)}h12m-6 -6v12` }));
    this.cursors("circle");
  }

  position(row) {
    return { cx: this.dots[row][0], cy: this.dots[row][1], r: 6 };
  }

  rowAt(x, y) {
    let best = null, nearest = 400;
    this.dots.forEach(([cx, cy], row) => {
      const distance = (cx - x) ** 2 + (cy - y) ** 2;
      if (distance < nearest) [best, nearest] = [row, distance];
    });
    return best;
  }
}
