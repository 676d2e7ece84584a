import { textOfUtf8, utf8 } from "./bytes.js"

/**
 * Copies a text so that its characters lie one after the other in memory. V8 keeps a concatenated text as a tree of its parts, and walks
 * that tree again for each text that it becomes a part of. This pays for texts that are stored and become parts of many others. Halves
 * of surrogate pairs become U+FFFD, as they do in UTF-8.
 */
export function flatText(text: string): string {
  return textOfUtf8(utf8(text))
}
