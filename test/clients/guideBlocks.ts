/** A fenced block of a guide. */
export interface Block {
  /** `sh`, `js` or `output`. */
  readonly language: string
  /** The use of the block: `run`, `background`, `file`, `install`. */
  readonly mark: string
  /** The file's name, if there is one. */
  readonly name: string
  readonly text: string
  /** The expected output, if the guide shows it. */
  readonly output: string | undefined
}

const FENCE = /^```(\S*)(?: (\S+))?(?: (\S+))?\n([\s\S]*?)^```$/gm

/** The blocks of a guide in their order, each with the output that follows it. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  for (const [, language = "", mark = "", name = "", text = ""] of markdown.matchAll(FENCE)) {
    if (language !== "output") blocks.push({ language, mark, name, text, output: undefined })
    else blocks.push({ ...(blocks.pop() as Block), output: text })
  }
  return blocks
}

/** True if a text equals the output in a guide, in which `…` matches anything. */
export function isShown(output: string, text: string): boolean {
  const pattern = output
    .trim()
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[\\s\\S]*?")
  return new RegExp(`^${pattern}$`).test(plain(text).trim())
}

// Colours, which some programs print wherever they are.
const plain = (text: string) => text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g"), "")
