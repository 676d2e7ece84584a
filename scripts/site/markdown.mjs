import { posix } from "node:path"
import { Marked } from "marked"

/** A heading as links name it: the rule of test/links.ts. */
export const placeOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, "")
    .replaceAll(" ", "-")

/** The title of a page, its first heading. */
export const titleOf = (text) => /^# (.*)$/m.exec(text)?.[1] ?? ""

export const escapeHtml = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * Converts a page to HTML, and lists its headings. `resolve` gets the path of each relative link from the root of the repository, with the place
 * in that file, and returns the address on the site.
 */
export function toHtml(path, text, resolve) {
  const headings = []
  const seen = new Map()
  const address = (href) => {
    if (/^[a-z]+:/.test(href)) return href
    const [file, place] = href.split("#")
    return resolve(file === "" ? path : posix.normalize(posix.join(posix.dirname(path), file)), place)
  }
  const renderer = {
    heading({ tokens, depth, text: raw }) {
      const count = seen.get(raw) ?? 0
      seen.set(raw, count + 1)
      const id = count === 0 ? placeOf(raw) : `${placeOf(raw)}-${count}`
      const html = this.parser.parseInline(tokens)
      if (depth > 1) headings.push({ id, depth, html })
      return `<h${depth} id="${id}">${html} <a class="place" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(address(href))}">${this.parser.parseInline(tokens)}</a>`
    },
    image({ href, text: alt }) {
      return `<img src="${escapeHtml(address(href))}" alt="${escapeHtml(alt)}" loading="lazy">`
    },
    code({ text: code, lang }) {
      const kind = (lang ?? "").split(" ")[0]
      return `<pre class="${escapeHtml(kind)}" tabindex="0"><code>${escapeHtml(code)}\n</code></pre>\n`
    },
  }
  const html = new Marked({ renderer }).parse(text)
  // A wide table scrolls by itself, and the page does not.
  const tables = html.replaceAll("<table>", '<div class="table" tabindex="0"><table>').replaceAll("</table>", "</table></div>")
  return { html: tables, headings }
}

/** The sections of a page for the search: one for each heading, and one for each row with an anchor (an error code). */
export function sectionsOf(text) {
  const sections = []
  let isCode = false
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode
    const [, heading] = (!isCode && /^#+ (.*)$/.exec(line)) || []
    const [, anchor] = /^\| <a id="([^"]+)">/.exec(line) ?? []
    if (heading !== undefined)
      sections.push({ place: sections.length === 0 ? "" : placeOf(heading), title: plain(heading), text: "" })
    else if (anchor !== undefined) sections.push({ place: anchor, title: anchor, text: plain(line.replaceAll("|", " ")) })
    else if (sections.length > 0) sections.at(-1).text += `${plain(line)}\n`
  }
  return sections
}

/** A line without the signs of Markdown. */
const plain = (line) =>
  line
    .replace(/<[^>]*>/g, "")
    .replace(/\]\([^)]*\)/g, "")
    .replace(/[`*|[\]\\]|^#+ |^```.*|---/g, "")
