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
  const events = page.getElementById("main")?.dataset.events;
  if (events) document.getElementById("main").dataset.events = events;
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
listen();
