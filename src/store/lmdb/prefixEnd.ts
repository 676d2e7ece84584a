/** Returns the first key text after all that begin with a prefix, in whole bytes; `undefined` if no key can follow them. */
export function prefixEnd(prefix: string): string | undefined {
  const trimmed = prefix.replace(/f+$/, "")
  if (trimmed === "") return undefined
  const last = Number.parseInt(trimmed.slice(-1), 16)
  const end = trimmed.slice(0, -1) + (last + 1).toString(16)
  return end.length % 2 === 0 ? end : `${end}0`
}
