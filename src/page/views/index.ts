import type { ComponentType } from "preact"
import { Overview } from "./Overview.js"

/** A view of the page. A new one is a file and an entry in `views`. */
export interface View {
  /** The first part of its address: `tx` for `#/tx/…`. */
  readonly name: string
  /** What its address must carry, in words; left out where it needs nothing. */
  readonly takes?: string
  readonly inMenu: boolean
  readonly menu: string
  title(argument: string): string
  readonly Content: ComponentType<{ readonly argument: string }>
}

/** Every view. */
export const views: readonly View[] = [
  { name: "", inMenu: true, menu: "Overview", title: () => "The P-Chain now", Content: Overview },
]
