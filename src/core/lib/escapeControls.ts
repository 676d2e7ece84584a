/**
 * Matches characters that control a terminal: the control characters except tab and line feed, and those that change the direction of
 * text. They are written as code points, so that this file contains none of them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * Makes text fit to be shown on a terminal: control characters become `\u001b`. Inside JSON that is the same text, since
 * JSON reads the escape as the character.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

/** The same for what must stay on one line: tabs and line feeds too. */
export function escapeLine(text: string): string {
  return escapeControls(text).replace(/[\t\n]/g, (each) => (each === "\t" ? "\\t" : "\\n"))
}
