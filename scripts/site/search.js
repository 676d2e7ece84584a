// The search of the documentation site, in the browser. The index is a script too, so that it also loads from a folder without a server.
import MiniSearch from "minisearch"
import { searchOptions, sectionsFor } from "./searchOptions.mjs"

const root = document.documentElement.dataset.root
const input = document.getElementById("search")
const results = document.getElementById("results")
let index

/** Loads the index once, when somebody begins to search. */
function load() {
  index ??= new Promise((resolve, reject) => {
    const script = document.createElement("script")
    script.src = `${root}search-index.js`
    script.onload = () => resolve(MiniSearch.loadJS(globalThis.seracSearchIndex, searchOptions))
    script.onerror = reject
    document.head.append(script)
  })
  return index
}

async function show() {
  const text = input.value.trim()
  const loaded = await load()
  // Another letter may have been typed meanwhile.
  if (text !== input.value.trim()) return
  const found = text === "" ? [] : sectionsFor(loaded, text).slice(0, 12)
  results.replaceChildren(...found.map(resultOf))
  if (text !== "" && found.length === 0)
    results.append(Object.assign(document.createElement("li"), { textContent: "Nothing was found." }))
  results.hidden = text === ""
}

function resultOf({ id, title, page }) {
  const link = Object.assign(document.createElement("a"), { href: root + id, textContent: title })
  if (page !== title) link.append(Object.assign(document.createElement("small"), { textContent: page }))
  const item = document.createElement("li")
  item.append(link)
  return item
}

input.disabled = false
input.addEventListener("focus", load)
input.addEventListener("input", show)
input.form.addEventListener("submit", (event) => {
  event.preventDefault()
  results.querySelector("a")?.click()
})
// A result on the same page does not load another one.
results.addEventListener("click", () => {
  results.hidden = true
})
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== input) {
    event.preventDefault()
    input.focus()
  }
  if (event.key === "Escape") results.hidden = true
})
// The list of pages is closed at first where it stands above the text.
if (matchMedia("(max-width: 800px)").matches) document.querySelector(".menu details").open = false
const menu = document.querySelector(".menu")
const current = menu.querySelector("[aria-current]")
if (current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2
