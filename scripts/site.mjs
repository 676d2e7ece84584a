// Builds the documentation site from docs/: a folder of static files that works at any address, and also without a server.
//   node scripts/site.mjs            into site/
//   node scripts/site.mjs FOLDER     into another folder
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, posix, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import MiniSearch from "minisearch"
import { makeReference } from "./reference.mjs"
import { asCards, layout, withTrial } from "./site/layout.mjs"
import { placeOf, sectionsOf, titleOf, toHtml } from "./site/markdown.mjs"
import { searchOptions } from "./site/searchOptions.mjs"

const outdir = resolve(process.argv[2] ?? fileURLToPath(new URL("../site", import.meta.url)))
process.chdir(fileURLToPath(new URL("../", import.meta.url)))
rmSync(outdir, { recursive: true, force: true })
const HOME = "docs/README.md"
const CODEC = "docs/codec.md"

/** The texts of the pages, by their paths in the repository. Links add pages outside docs/. */
const pages = new Map()
const written = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"))
for (const name of written) if (!name.startsWith("reference/")) pages.set(`docs/${name}`, readFileSync(`docs/${name}`, "utf8"))
const generated = await makeReference()
for (const [name, text] of Object.entries(generated)) if (name.endsWith(".md")) pages.set(`docs/reference/${name}`, text)
/** The generated pages by the section of docs/reference.md that stands for them in a clone. */
const referenceOf = new Map(
  [...pages].filter(([path]) => path.startsWith("docs/reference/")).map(([path, text]) => [placeOf(titleOf(text)), path]),
)

/** Where a file of the repository is on the site. */
const siteFile = (path) => (path === HOME ? "index.md" : path.replace(/^docs\//, ""))
const siteUrl = (path) => siteFile(path).replace(/\.md$/, ".html")

function write(path, content) {
  mkdirSync(dirname(join(outdir, path)), { recursive: true })
  writeFileSync(join(outdir, path), content)
}

/** Returns the file that a link means, and brings it to the site: a page, another file, or a list of the files of a folder. */
function linked(path, place) {
  if (path === "docs/reference.md" && referenceOf.has(place)) return [referenceOf.get(place), undefined]
  if (pages.has(path)) return [path, place]
  if (path === "docs/reference/openrpc.json") return [path, undefined]
  if (!existsSync(path)) throw new Error(`a page links to ${path}, which does not exist`)
  if (statSync(path).isDirectory()) return [folderPage(path), undefined]
  if (path.endsWith(".md")) pages.set(path, readFileSync(path, "utf8"))
  else cpSync(path, join(outdir, siteFile(path)), { recursive: true })
  return [path, place]
}

function folderPage(folder) {
  const path = posix.join(folder, "index.md")
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(folder, name)).isFile())
  pages.set(path, `# ${posix.normalize(`${folder}/`)}\n\n${names.map((name) => `- [${name}](${name})`).join("\n")}\n`)
  return path
}

/** The address of a file of the repository for a page of the site. */
const addressFrom = (page) => (path, place) => {
  const [file, inFile] = linked(path, place)
  const address = file === page ? "" : posix.relative(posix.dirname(siteUrl(page)), siteUrl(file))
  return inFile === undefined ? address || posix.basename(siteUrl(page)) : `${address}#${inFile}`
}

/** The sections of the home page with their links, which are the menu of every page. */
const menu = pages
  .get(HOME)
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.split("\n")[0],
    links: [...section.matchAll(/^- \[(.*?)\]\(([^)#]*)(?:#(.*?))?\)(?:: (.*))?$/gm)].map(([, label, file, place, about]) => {
      const [path] = linked(posix.normalize(posix.join("docs", file)), place)
      return { label, path, about }
    }),
  }))

const searched = new MiniSearch(searchOptions)

function writePage(path, text) {
  const resolveLink = addressFrom(path)
  const { html, headings } = toHtml(path, text, resolveLink)
  const isHome = path === HOME
  const sections = menu.map(({ title, links }) => ({
    title,
    links: links.map((link) => ({ ...link, href: resolveLink(link.path), isCurrent: link.path === path })),
  }))
  const toRoot = "../".repeat(siteUrl(path).split("/").length - 1)
  const title = titleOf(text)
  write(
    siteUrl(path),
    layout({
      title,
      html: isHome ? asCards(html) : path === CODEC ? withTrial(html, text) : html,
      headings,
      menu: sections,
      toRoot,
      isHome,
    }),
  )
  write(siteFile(path), text)
  const found = new Map()
  for (const { place, ...section } of sectionsOf(text)) {
    const id = place === "" ? siteUrl(path) : `${siteUrl(path)}#${place}`
    if (!found.has(id)) found.set(id, { id, page: title, ...section })
  }
  if (!isHome) searched.addAll([...found.values()])
}

write("reference/openrpc.json", generated["openrpc.json"])
// A map also visits the pages that are added during the loop.
for (const [path, text] of pages) writePage(path, text)
write("search-index.js", `globalThis.seracSearchIndex=${JSON.stringify(searched)}\n`)
cpSync("scripts/site/style.css", join(outdir, "style.css"))
await build({
  entryPoints: { search: "scripts/site/search.js", "try-codec": "scripts/site/tryCodec.js" },
  bundle: true,
  minify: true,
  format: "iife",
  loader: { ".br": "binary" },
  outdir,
})

const [, summary] = /^# .*\n\n([\s\S]*?)\n\n/m.exec(pages.get(HOME))
const lists = menu.map(
  ({ title, links }) =>
    `## ${title}\n\n${links.map(({ label, path, about }) => `- [${label}](${siteFile(path)})${about ? `: ${about}` : ""}`).join("\n")}\n`,
)
write("llms.txt", `# Serac\n\n> ${summary.replaceAll("\n", " ")}\n\n${lists.join("\n")}`)
const listed = [HOME, ...new Set(menu.flatMap(({ links }) => links.map(({ path }) => path)))]
write("llms-full.txt", listed.map((path) => `<!-- ${siteFile(path)} -->\n\n${pages.get(path).trim()}\n`).join("\n\n"))
console.log(`${pages.size} pages in ${outdir}`)
