/** Path and query of a request line. */
export interface Target {
  /** The path with percent signs decoded. */
  readonly path: string
  /** The query with its question mark, or an empty text. */
  readonly query: string
  /** The part before the path if the request line has a whole address, as for a proxy. It takes precedence over the Host header. */
  readonly address?: { readonly text: string; readonly host: string }
}

const ADDRESS = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)(.*)$/i

/** Returns the path and query of a request line; `undefined` if it has none. */
export function targetOf(url: string): Target | undefined {
  if (url.startsWith("/")) return localTarget(url)
  const [, scheme, host, rest] = ADDRESS.exec(url) ?? []
  if (scheme === undefined || host === undefined || rest === undefined) return undefined
  const target = localTarget(rest)
  return target && { ...target, address: { text: scheme + host, host } }
}

function localTarget(url: string): Target | undefined {
  const mark = url.indexOf("?")
  const path = mark < 0 ? url : url.slice(0, mark)
  try {
    return { path: path.includes("%") ? decodeURIComponent(path) : path, query: mark < 0 ? "" : url.slice(mark) }
  } catch {
    return undefined
  }
}

/** Returns the path without doubled slashes, `.` and `..`. A slash at the end stays. */
export function cleanPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  const clean = `/${parts.join("/")}`
  return path.endsWith("/") && clean !== "/" ? `${clean}/` : clean
}

/** Returns the header of a redirect to the clean path with the same query, escaped as Go escapes it. */
export function locationOf(path: string, { query, address }: Pick<Target, "query" | "address">): string {
  const escaped = encodeURI(path).replace(/[?#!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
  return (address?.text ?? "") + escaped + query
}
