/** The maximum length of an object that is read by its pattern, in characters. */
const MAX_LENGTH = 1024

/** A text without escapes, as a whole and by its characters. */
const TEXT = '"[^"\\\\]*"'
const CHARACTERS = '"([^"\\\\]*)"'
const LIST = `\\[(?:${TEXT}(?:, ?${TEXT})*)?\\]`

/** A member: a text without escapes, an integer, a boolean or a list of such texts, and the comma or the brace after it. */
const MEMBER = new RegExp(`${CHARACTERS}: ?(?:${CHARACTERS}|(\\d{1,20})|(true|false)|(${LIST}))(?:, ?|\\}$)`, "y")

/**
 * Returns the members of a JSON object of the form in which most clients write parameters, with integers as bigints. The parameters of a
 * call were measured to be read in half of the time that any JSON takes. The text must be well-formed JSON. Returns `undefined` for other
 * forms.
 */
export function flatMembers(text: string): [string, unknown][] | undefined {
  if (text.length > MAX_LENGTH || text[0] !== "{") return undefined
  const members: [string, unknown][] = []
  MEMBER.lastIndex = 1
  do {
    const match = MEMBER.exec(text)
    if (!match) return undefined
    members.push([match[1] as string, readValue(match)])
  } while (MEMBER.lastIndex < text.length)
  return members
}

function readValue([, , text, digits, boolean, list]: RegExpExecArray): unknown {
  if (text !== undefined) return text
  if (digits !== undefined) return BigInt(digits)
  return boolean === undefined ? JSON.parse(list as string) : boolean === "true"
}
