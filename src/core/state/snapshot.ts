import type { View } from "./view.js"

/** The rows of one moment. Its holder releases it: until then the disk keeps what it shows. */
export interface Snapshot extends View {
  release(): void
}
