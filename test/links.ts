import { readFileSync } from "node:fs"
import { join, posix } from "node:path"

/** The files of a folder: their paths, and the text of each. */
export interface Tree {
  readonly files: readonly string[]
  read(file: string): string
}

/** Returns a tree of files on the disk. */
export function treeOf(root: string, files: readonly string[]): Tree {
  return { files, read: (file) => readFileSync(join(root, file), "utf8") }
}

/** A link of a page to another file of its own tree, or to a place in a page. */
interface Link {
  /** The file that the link names, from the root of the tree; the page itself if it names only a place. */
  readonly file: string
  readonly place: string | undefined
}

/** Returns the relative links of a page in Markdown, without code blocks. */
function linksOf(page: string, text: string): Link[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "")
  return [...prose.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, path, place]) => ({
    file: path === "" ? page : posix.normalize(posix.join(posix.dirname(page), path as string)),
    place,
  }))
}

/** The places of a page to which links can lead: its headings, as links name them, and its anchors. */
export function placesOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading as string)
  const anchors = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id as string)
  const named = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  )
  return [...named, ...anchors]
}

/** The links of a page that lead nowhere in its tree; a folder is named with or without a slash at its end. */
export function brokenLinks({ files, read }: Tree, page: string): string[] {
  const isThere = ({ file, place }: Link) => {
    if (place !== undefined) return files.includes(file) && placesOf(read(file)).includes(place)
    return files.includes(file) || files.some((each) => each.startsWith(file.endsWith("/") ? file : `${file}/`))
  }
  return linksOf(page, read(page))
    .filter((link) => !isThere(link))
    .map(({ file, place }) => `${page} -> ${file}${place === undefined ? "" : `#${place}`}`)
}
