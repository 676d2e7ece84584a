/** A genesis file whose text is read when it is needed. A start that recognises the file by its mark does not need it. */
export interface GenesisFile {
  /** A text that changes with every change of the file, see `certainFileMark`. */
  readonly mark: string
  /** Reads the text. Throws if it cannot be read. */
  text(): string
}

/** Returns the text of a genesis file. */
export const genesisTextIn = (given: string | GenesisFile): string => (typeof given === "string" ? given : given.text())

/** Returns the mark of a genesis file; `undefined` for a text that comes from no file. */
export const markIn = (given: string | GenesisFile | undefined): string | undefined =>
  typeof given === "object" ? given.mark : undefined
