// Every page works without this script. It only replaces parts of a page instead of loading the whole page: elements
// with an id and the attribute "data-live" are the parts.
"use strict";

let source = null;

/** Replaces the parts that differ, and keeps the focus and the text of fields. */
function show(page) {
  for (const old of document.querySelectorAll("[data-live]")) {
    const part = page.getElementById(old.id);
    if (!part || part.outerHTML === old.outerHTML) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
    old.replaceWith(document.adoptNode(part));
    if (focused) document.getElementById(focused)?.focus();
  }
  reveal();
  const events = page.getElementById("main")?.dataset.events;
  if (events) document.getElementById("main").dataset.events = events;
}

/** Shows the elements that only work with this script. */
function reveal() {
  document.getElementById("keys").hidden = !document.querySelector("td.id a, [data-copy], form[data-swap]");
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}

/** Fills the fields of queries with those of the page, so that they agree with its address. */
function fill(page) {
  for (const field of document.querySelectorAll("form[data-swap] input[id]")) {
    const other = page.getElementById(field.id);
    if (other) field.value = other.value;
  }
}

async function load(address, isOtherPage = false) {
  const response = await fetch(address, { headers: { accept: "text/html" } });
  if (response.status === 403) return location.reload();
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  show(page);
  // A commit must not replace the text that the user is entering.
  if (isOtherPage) fill(page);
}

/** Shows another address of the same page, and remembers it in the history. */
async function go(address) {
  history.pushState(null, "", address);
  await load(address, true);
  listen();
}

/** Listens to the changes of the page, unless it is in the background: a browser opens only few connections. */
function listen() {
  source?.close();
  source = null;
  const address = document.getElementById("main").dataset.events;
  if (!address || document.hidden) return;
  source = new EventSource(address);
  source.addEventListener("change", () => load(location.href));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.href);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-swap]");
  if (!form) return;
  event.preventDefault();
  const values = [...new FormData(form)].filter(([, value]) => value !== "");
  const query = new URLSearchParams(values).toString();
  go(form.getAttribute("action") + (query ? "?" + query : ""));
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  button.textContent = "Copied";
});

/** Moves the focus to the id of a row near the focused one. */
function move(step) {
  const ids = [...document.querySelectorAll("tbody td.id a")];
  const index = ids.findIndex((id) => id.closest("tr").contains(document.activeElement));
  ids[Math.max(0, Math.min(ids.length - 1, index + step))]?.focus();
}

const keys = {
  "/": () => document.querySelector("form[data-swap] input")?.focus(),
  "j": () => move(1),
  "k": () => move(-1),
  "n": () => document.querySelector("a[rel=next]")?.click(),
  "0": () => document.querySelector("a[rel=first]")?.click(),
  "c": () => document.querySelector("[data-copy]")?.click(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});

/** Removes the notice about a change from the address, so that a reload does not repeat it. */
function removeNotice() {
  const address = new URL(location.href);
  if (!address.searchParams.has("done")) return;
  address.searchParams.delete("done");
  history.replaceState(null, "", address);
}

window.addEventListener("popstate", () => load(location.href, true).then(listen));
document.addEventListener("visibilitychange", listen);
window.addEventListener("pagehide", () => source?.close());
removeNotice();
reveal();
listen();
