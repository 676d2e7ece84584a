import { readFileSync } from "node:fs"
import { join, posix } from "node:path"

/** A link of a page to another file of its own tree, or to a heading. */
export interface Link {
  /** The page that has the link, from the root of the tree. */
  readonly page: string
  /** The file that the link names, from the root of the tree; the page itself if it names only a heading. */
  readonly file: string
  readonly heading: string | undefined
}

/** Returns the relative links of a page in Markdown, without code blocks. */
export function linksOf(root: string, page: string): Link[] {
  const text = readFileSync(join(root, page), "utf8")
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/`[^`\n]*`/g, "")
  return [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, path, heading]) => ({
    page,
    file: path === "" ? page : posix.normalize(posix.join(posix.dirname(page), path as string)),
    heading,
  }))
}

/** The headings of a page, as links name them. */
export function headingsOf(root: string, page: string): string[] {
  const headings = [...readFileSync(join(root, page), "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading as string)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  )
}

/** The links of a page that lead nowhere, where the tree has these files; a folder is named with or without a slash at its end. */
export function brokenLinks(root: string, page: string, files: readonly string[]): string[] {
  const isThere = ({ file, heading }: Link) => {
    if (heading !== undefined) return files.includes(file) && headingsOf(root, file).includes(heading)
    return files.includes(file) || files.some((each) => each.startsWith(file.endsWith("/") ? file : `${file}/`))
  }
  return linksOf(root, page)
    .filter((link) => !isThere(link))
    .map(({ file, heading }) => `${page} -> ${file}${heading === undefined ? "" : `#${heading}`}`)
}
