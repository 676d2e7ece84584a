/**
 * The version of the projections. A store with another version gets new rows (`Meta.readModel`), so every change of a projection must raise
 * it.
 */
export const READ_MODEL_VERSION = "6"

/** The version of the rows for explorers. A store with another version gets them again. */
export const EXPLORER_VERSION = 3

/** The version of all rows of the history. A gap that another version left is tried again. */
export const HISTORY_VERSION = `${READ_MODEL_VERSION}.${EXPLORER_VERSION}`
