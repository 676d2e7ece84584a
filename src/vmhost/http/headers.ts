/** A header as the plugin protocol has it. */
export interface HeaderElement {
  readonly key: string
  readonly values: readonly string[]
}

/** Returns a header name as Go writes it: `Sec-Websocket-Key`. Plugins look headers up by this form. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase())
}

/** Joins a list of alternating names and values by name. `Host` is left out, which Go keeps apart. */
export function headerElements(list: readonly string[]): { key: string; values: string[] }[] {
  const byName = new Map<string, string[]>()
  for (let i = 0; i + 1 < list.length; i += 2) {
    const name = canonicalName(list[i] as string)
    if (name === "Host") continue
    const values = byName.get(name)
    if (values) values.push(list[i + 1] as string)
    else byName.set(name, [list[i + 1] as string])
  }
  return [...byName].map(([key, values]) => ({ key, values }))
}

/** Headers that the server sets itself. Some VMs send `Transfer-Encoding: identity` with a length, which Node would pass on and clients refuse. */
const OF_SERVER: ReadonlySet<string> = new Set(["Content-Length", "Transfer-Encoding", "Connection"])

/** Returns the headers of a plugin's answer as a list of alternating names and values. Names and values that HTTP does not allow are left out. */
export function headerList(elements: readonly HeaderElement[]): string[] {
  return elements.flatMap(({ key, values }) => {
    if (OF_SERVER.has(canonicalName(key)) || !/^[\w!#$%&'*+.^`|~-]+$/.test(key)) return []
    return values.filter((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)).flatMap((value) => [key, value])
  })
}

/** Returns an HTTP status; 500 for a number that is none. */
export const statusOf = (code: number): number => (code >= 100 && code <= 599 ? code : 500)
