import { escapeHtml } from "./markdown.mjs"

/** The HTML of one page. `toRoot` leads from the page to the root of the site: "" or "../". */
export function layout({ title, html, headings, menu, toRoot, isHome }) {
  const sections = menu.map(
    ({ title: name, links }) => `<h2>${name}</h2>
<ul>${links.map(({ href, label, isCurrent }) => `<li><a href="${escapeHtml(href)}"${isCurrent ? ' aria-current="page"' : ""}>${label}</a></li>`).join("")}</ul>`,
  )
  const places = headings
    .filter(({ depth }) => depth < 4)
    .map(
      ({ id, depth, html: name }) => `<li class="depth-${depth}"><a href="#${id}">${name.replace(/<a .*?<\/a>/g, "")}</a></li>`,
    )
  return `<!doctype html>
<html lang="en" data-root="${toRoot}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isHome ? "Serac" : `${escapeHtml(title)} · Serac`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${toRoot}style.css">
<script src="${toRoot}search.js" defer></script>
</head>
<body${isHome ? ' class="home"' : ""}>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="brand" href="${toRoot}index.html">Serac</a>
<form role="search">
<input type="search" id="search" placeholder="Search (press /)" aria-label="Search the documentation" autocomplete="off" disabled>
<ul id="results" hidden></ul>
</form>
</header>
<div class="columns">
<nav class="menu" aria-label="Pages"><details open><summary>Pages</summary>
${sections.join("\n")}
</details></nav>
<main id="content">
${html}
</main>
${places.length > 2 && !isHome ? `<nav class="places" aria-label="On this page"><h2>On this page</h2><ul>${places.join("\n")}</ul></nav>` : ""}
</div>
</body>
</html>
`
}

/** The home page: each section of second level is a card. */
export const asCards = (html) => {
  const [intro, ...sections] = html.split(/(?=<h2 )/)
  return `${intro}<div class="cards">${sections.map((section) => `<section>${section}</section>`).join("\n")}</div>`
}

/** The page of serac/codec: before its first section, a field for bytes, which the codec decodes in the browser. It begins with the page's own example. */
export const withTrial = (html, text) => {
  const example = [.../const text =\n([\s\S]*?)\nconst/.exec(text)[1].matchAll(/"(.*?)"/g)].map(([, part]) => part).join("")
  const [intro, ...sections] = html.split(/(?=<h2 )/)
  return `${intro}<h2 id="try-it">Try it here</h2>
<label for="bytes">The hex of a transaction, a block, a UTXO, an output, a Warp message or a genesis:</label>
<textarea id="bytes" rows="6" spellcheck="false">${example}</textarea>
<pre id="decoded" tabindex="0" aria-live="polite"></pre>
<script src="try-codec.js" defer></script>
${sections.join("")}`
}
