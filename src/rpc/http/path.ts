/** What a request line asks for. */
export interface Target {
  /** With percent signs decoded. */
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
}

/** The path and query of a request line; `undefined` where it has none. */
export function targetOf(url: string): Target | undefined {
  // A proxy's request names the whole address.
  const local = url.startsWith("/") ? url : pathOfAddress(url)
  if (local === undefined) return undefined
  const mark = local.indexOf("?")
  const path = mark < 0 ? local : local.slice(0, mark)
  try {
    return { path: path.includes("%") ? decodeURIComponent(path) : path, query: mark < 0 ? "" : local.slice(mark) }
  } catch {
    return undefined
  }
}

function pathOfAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The path without doubled slashes, `.` and `..`; a slash at the end stays. */
export function cleanPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  const clean = `/${parts.join("/")}`
  return path.endsWith("/") && clean !== "/" ? `${clean}/` : clean
}

/** A redirect's header: to the clean path with the same query. */
export function locationOf(path: string, query: string): string {
  return encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23") + query
}
