// The page as the browser laid it out: a box for each row, and what CLG made of them, to scale.

class PageMap extends Plot {
  constructor(layout) {
    super("layout", "The page", "as the browser showed it; kept rows are coloured", 0);
    this.layout = layout;
    this.boxes = new Map(layout.rows.map(([row, ...box]) => [row, box]));
    this.window = this.figure.appendChild(document.createElement("div"));
    this.window.className = "window";
    this.window.append(this.svg);
    this.svg.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
    draw(this.svg, "rect", { class: "sheet", width: layout.width, height: layout.height });
    this.marks = new Map();
    for (const [row, box] of this.boxes) this.marks.set(row, this.rectangle(box, "row"));
    for (const [group, ...box] of layout.candidates) {
      this.rectangle(box, `candidate k${1 + (group % 5)}${group === layout.best ? " best" : ""}`);
    }
    for (const box of layout.selected) this.rectangle(box, "selected");
    this.marked = [];
    if (layout.selected.length) this.addLegend();
  }

  addLegend() {
    const legend = this.figure.appendChild(document.createElement("p"));
    legend.className = "layers";
    for (const name of ["candidate", "best", "selected"]) {
      const entry = legend.appendChild(document.createElement("span"));
      entry.className = name;
      entry.textContent = { candidate: "candidates, a colour per group", best: "chosen group", selected: "after refining" }[name];
    }
  }

  rectangle([x, y, width, height], name) {
    return draw(this.svg, "rect", { class: name, x, y, width, height });
  }

  measure() {
    this.scale = this.layout.width / (this.svg.clientWidth || 600);
  }

  render(kinds) {
    for (const [row, mark] of this.marks) mark.setAttribute("class", `row ${kinds[row]}`);
    this.marked = [];
  }

  // The smallest box around a point.
  rowAt(x, y) {
    const [left, top] = [x * this.scale, y * this.scale];
    let best = null, least = Infinity;
    for (const [row, [boxLeft, boxTop, width, height]] of this.boxes) {
      const isInside = left >= boxLeft && left <= boxLeft + width && top >= boxTop && top <= boxTop + height;
      if (isInside && width * height < least) [best, least] = [row, width * height];
    }
    return best;
  }

  point({ over, picked }) {
    for (const mark of this.marked) mark.classList.remove("over", "picked");
    this.marked = [];
    for (const [row, name] of [[over, "over"], [picked, "picked"]]) {
      const mark = this.marks.get(row);
      if (!mark) continue;
      mark.classList.add(name);
      this.marked.push(mark);
    }
    if (picked !== this.last) this.reveal(picked);
    this.last = picked;
  }

  reveal(row) {
    const box = this.boxes.get(row);
    if (!box) return;
    const top = box[1] / this.scale, height = this.window.clientHeight;
    if (top < this.window.scrollTop || top > this.window.scrollTop + height - 20) {
      this.window.scrollTop = top - height / 3;
    }
  }
}
