import { latin1Bytes } from "../bytes.js"
import type { Pace } from "../pace.js"
import { SCANNED_AT_ONCE } from "./goScan.js"
import { replaceLoneSurrogates, utf8Text } from "./goText.js"
import { endOfString } from "./goTokens.js"

/** Decodes UTF-8 whose bytes are the characters of a text (Latin-1). */
export function decoded(text: string): string {
  return BEYOND_ASCII.test(text) ? utf8Text(latin1Bytes(text)) : text
}

const BEYOND_ASCII = /[\x80-\xff]/

/** Does the same with pauses, for a text that may be long. */
export async function decodedWithPauses(text: string, pace: Pace): Promise<string> {
  let out = ""
  let isAscii = true
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + SCANNED_AT_ONCE, text.length)
    // A part ends between two characters: continuation bytes stay with the bytes before them.
    for (let back = 0; back < 3 && isContinuation(text.charCodeAt(end)); back++) end--
    const part = text.slice(at, end)
    const decodedPart = decoded(part)
    isAscii &&= decodedPart === part
    out += decodedPart
    at = end
    if (pace.isDue) await pace.pause()
  }
  // The parts are copied into one text when it is read for the first time. Most texts need no copy.
  return isAscii ? text : out
}

const isContinuation = (code: number): boolean => (code & 0xc0) === 0x80

/** Returns the value of a JSON string. */
export function textOf(json: string): string {
  return json.includes("\\") ? replaceLoneSurrogates(JSON.parse(json) as string) : json.slice(1, -1)
}

/** Removes the white space between the parts of well-formed JSON. A single regular expression would run out of stack on long texts. */
export function compacted(json: string): string {
  let out = ""
  for (let at = 0; at < json.length; ) {
    const open = json.indexOf('"', at)
    const between = json.slice(at, open < 0 ? json.length : open)
    out += between.replace(/[ \t\n\r]+/g, "")
    if (open < 0) break
    at = endOfString(json, open)
    out += json.slice(open, at)
  }
  return out
}
