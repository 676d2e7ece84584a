/**
 * Matches characters that control a terminal: the control characters except tab and line feed, and those that change the direction of
 * text. They are written as code points, so that this file contains none of them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are escaped
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * Escapes control characters, so that text can be shown on a terminal. Inside JSON the text stays the same, because JSON reads `\u001b` as
 * the character.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

/** Escapes control characters, tabs and line feeds, so that the text stays on one line. */
export function escapeLine(text: string): string {
  return escapeControls(text).replace(/[\t\n]/g, (each) => (each === "\t" ? "\\t" : "\\n"))
}
