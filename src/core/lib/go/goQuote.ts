const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
}

/** Matches letters, marks, numbers, punctuation, symbols, and of the spaces only the one of ASCII. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

/** The maximum number of characters of a text that are shown. Each may take half a microsecond, and clients send texts of a MiB. */
const MAX_SHOWN = 4096

/** Quotes a text as Go's `%q` does: characters that are not printable become escapes. A very long text is shortened. */
export function goQuote(text: string): string {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
  return `"${shown.replace(UNSURE, quoted)}"`
}

/** Quotes one character in single quotes, as Go's `%q` prints it. */
export function goQuoteCharacter(character: string): string {
  if (character === "'") return "'\\''"
  return character === '"' ? "'\"'" : `'${goQuote(character).slice(1, -1)}'`
}

/** Matches all characters except plain ASCII. */
const UNSURE = /[^ !#-[\]-~]/gu

function quoted(character: string): string {
  if (Object.hasOwn(escapes, character)) return escapes[character] as string
  if (printable.test(character)) return character
  const code = character.codePointAt(0) as number
  const hex = (width: number) => code.toString(16).padStart(width, "0")
  if (code < 0x80) return `\\x${hex(2)}`
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`
}
