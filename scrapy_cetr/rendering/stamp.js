// Writes what the browser shows into the page: one attribute per element, as docs/reference/stamps.md
// describes. Returns "", or why the page was not stamped. It reads everything before it writes
// anything, because each change would make the browser lay out the page again.
([NAME, LIMIT]) => {
  const SKIPPED = new Set(
    ["HEAD", "SCRIPT", "STYLE", "LINK", "META", "TITLE", "TEMPLATE", "NOSCRIPT", "BR", "WBR"]);
  // Their insides are not part of the page, or not text. SVG elements have lower-case names.
  const BOX_ONLY = new Set(
    ["svg", "math", "IFRAME", "VIDEO", "AUDIO", "CANVAS", "OBJECT", "EMBED", "SELECT", "TEXTAREA"]);
  const FARTHEST = 1e7;
  const root = document.documentElement;
  if (!["text/html", "application/xhtml+xml"].includes(document.contentType)) {
    return `not HTML but ${document.contentType}`;
  }
  const count = root.getElementsByTagName("*").length;
  if (count > LIMIT) return `${count} elements, more than ${LIMIT}`;

  const elements = [];
  const stamps = [];
  const range = document.createRange();
  const whole = (value) => Math.round(Math.min(Math.max(value, -FARTHEST), FARTHEST)) || 0;
  const blank = /\s+/g;

  const hex = (colour) => {
    const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(colour);
    if (parts) {
      if (parts[4] !== undefined && Number(parts[4]) === 0) return null;
      return parts.slice(1, 4).map((part) => Number(part).toString(16).padStart(2, "0")).join("");
    }
    // A colour in another notation: only which characters have the same colour matters.
    let hash = 0;
    for (const character of colour) hash = (hash * 31 + character.charCodeAt(0)) & 0xffffff;
    return hash.toString(16).padStart(6, "0");
  };

  // Returns the numbers of characters below an element that are shown, and that are not.
  const walk = (element, inherited, isUnseen, isFolded) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (style.display === "none") {
      if (!isFolded && element.textContent.trim()) {
        elements.push(element);
        stamps.push("-");
      }
      return [0, 0];
    }
    const clips = style.overflow !== "visible" && (box.width <= 1 || box.height <= 1)
      && !/auto|scroll/.test(style.overflow);
    isUnseen = isUnseen || clips || Number(style.opacity) === 0;
    let {font, colour} = inherited;
    let shown = 0, unseen = 0, area = 0, ownFont = "", ownColour = "";
    if (!BOX_ONLY.has(element.tagName)) {
      for (let child = element.firstChild; child; child = child.nextSibling) {
        if (child.nodeType !== Node.TEXT_NODE) continue;
        const characters = child.data.replace(blank, "").length;
        if (!characters) continue;
        range.selectNodeContents(child);
        let covered = 0;
        for (const line of range.getClientRects()) {
          if (line.right + scrollX > 0 && line.bottom + scrollY > 0) {
            covered += line.width * line.height;
          }
        }
        if (isUnseen || !covered || style.visibility !== "visible") {
          unseen += characters;
          continue;
        }
        shown += characters;
        area += covered;
      }
      if (shown) {
        const seen = hex(style.color);
        const size = parseFloat(style.fontSize);
        if (seen === null || !(size > 0)) {
          [shown, unseen, area] = [0, unseen + shown, 0];
        } else {
          const rounded = String(Math.round(size * 10) / 10);
          if (rounded !== font) ownFont = ` f${font = rounded}`;
          if (seen !== colour) ownColour = ` c${colour = seen}`;
        }
      }
    }
    if (box.width > 0 || box.height > 0 || shown) {
      elements.push(element);
      stamps.push([box.left + scrollX, box.top + scrollY, box.width, box.height].map(whole).join(" ")
        + (shown ? ` t${whole(area)} n${shown}` : "") + ownFont + ownColour);
    }
    let allShown = shown, allUnseen = unseen;
    if (!BOX_ONLY.has(element.tagName)) {
      const folded = isFolded || (element.tagName === "DETAILS" && !element.open);
      const hidden = [];
      for (const child of element.children) {
        if (SKIPPED.has(child.tagName)) continue;
        const first = elements.length;
        const [seen, not] = walk(child, {font, colour}, isUnseen, folded);
        allShown += seen;
        allUnseen += not;
        if (!seen && not && !folded) hidden.push([child, first]);
      }
      // Of elements without any text that is seen, the outermost are marked.
      if (allShown) {
        for (const [child, first] of hidden) {
          if (elements[first] === child) {
            stamps[first] += " h";
          } else {
            elements.push(child);
            stamps.push("0 0 0 0 h");
          }
        }
      }
    }
    return [allShown, allUnseen];
  };

  for (const old of document.querySelectorAll(`[${NAME}]`)) old.removeAttribute(NAME);
  for (const child of root.children) {
    if (!SKIPPED.has(child.tagName)) walk(child, {font: "", colour: ""}, false, false);
  }
  const body = document.body;
  // Where text runs from right to left, a page scrolls to the left: what is placed far outside on
  // that side, as text for screen readers is, counts as its width.
  const isLeftwards = [root, body].some((one) => one && getComputedStyle(one).direction === "rtl");
  const width = isLeftwards ? innerWidth : Math.max(root.scrollWidth, body ? body.scrollWidth : 0);
  const height = Math.max(root.scrollHeight, body ? body.scrollHeight : 0);
  elements.forEach((element, index) => element.setAttribute(NAME, stamps[index]));
  // Last, because a page without it is not stamped.
  root.setAttribute(NAME, [1, width, height, innerWidth, innerHeight].map(whole).join(" "));
  return "";
}
