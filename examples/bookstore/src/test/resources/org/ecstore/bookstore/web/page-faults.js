// Returns what is wrong with the page that is shown, one sentence for each fault.
const faults = [];
const named = (element) => element.outerHTML.slice(0, 120);
const shown = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";

// Width: nothing stands out of the window, and the page scrolls up and down only.
const width = arguments[0];
if (document.documentElement.scrollWidth > width) {
  faults.push("the page is " + document.documentElement.scrollWidth + " pixels wide in a window of " + width);
}
for (const element of document.querySelectorAll("main *, header *, footer *")) {
  const box = element.getBoundingClientRect();
  if (shown(element) && !element.closest(".skip") && (box.right > width + 1 || box.left < -1)) {
    faults.push("beyond the window: " + named(element));
  }
}

// Structure: a language, a title, one main heading, and no level of headings left out.
if (!document.documentElement.lang) faults.push("the page has no language");
if (!document.title) faults.push("the page has no title");
if (document.querySelectorAll("main").length !== 1) faults.push("the page has not one main part");
let level = 0;
for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
  const next = Number(heading.tagName.slice(1));
  if (next > level + 1) faults.push("a heading of level " + next + " after one of " + level + ": " + named(heading));
  level = next;
}
if (document.querySelectorAll("h1").length !== 1) faults.push("the page has not one main heading");
const ids = new Set();
for (const element of document.querySelectorAll("[id]")) {
  if (ids.has(element.id)) faults.push("two elements are called " + element.id);
  ids.add(element.id);
}

// Names: each field has a label, each image a text, each link and button something to be read.
for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
  if (!field.labels.length && !field.getAttribute("aria-label")) faults.push("no label: " + named(field));
}
for (const image of document.images) {
  if (!image.hasAttribute("alt")) faults.push("no text for an image: " + named(image));
  if (!image.complete || image.naturalWidth === 0) faults.push("an image did not come: " + named(image));
}
for (const action of document.querySelectorAll("a, button")) {
  const alt = [...action.querySelectorAll("img")].map((image) => image.alt).join("");
  if (!(action.textContent + alt + (action.getAttribute("aria-label") ?? "")).trim()) {
    faults.push("no name: " + named(action));
  }
}

// Fingers: what is pressed is 24 pixels high at least, but for links within a sentence.
for (const action of document.querySelectorAll("button, .button, nav a, input:not([type=hidden]), select, summary")) {
  const height = action.getBoundingClientRect().height;
  if (shown(action) && height < 24) faults.push(height + " pixels high: " + named(action));
}

// Contrast: text and its ground differ by 4.5 at least, large text and its ground by 3 (WCAG 2.2, 1.4.3).
const colour = (text) => {
  const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
  return { red, green, blue, alpha };
};
const over = (upper, lower) => {
  const mixed = (name) => upper[name] * upper.alpha + lower[name] * (1 - upper.alpha);
  return { red: mixed("red"), green: mixed("green"), blue: mixed("blue"), alpha: 1 };
};
const ground = (element) => {
  const own = colour(getComputedStyle(element).backgroundColor);
  if (own.alpha === 1) return own;
  return over(own, element.parentElement ? ground(element.parentElement) : colour("rgb(255, 255, 255)"));
};
const light = ({ red, green, blue }) => {
  const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};
for (const element of document.querySelectorAll("body *")) {
  const words = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  if (!(words || element.matches("input, select")) || !shown(element)) continue;
  const style = getComputedStyle(element);
  const behind = ground(element);
  const [dark, bright] = [light(over(colour(style.color), behind)), light(behind)].sort((a, b) => a - b);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const contrast = (bright + 0.05) / (dark + 0.05);
  if (contrast < (large ? 3 : 4.5)) faults.push("a contrast of " + contrast.toFixed(2) + ": " + named(element));
}
return faults;
