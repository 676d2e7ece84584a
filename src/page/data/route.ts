import { Shared } from "./shared.js"

/** Route in the fragment of the address: `#/tx/2fTM…` is the view `tx` of `2fTM…`. */
export interface Route {
  readonly view: string
  readonly argument: string
}

/** The current route. */
export const route = new Shared<Route>(routeOf(globalThis.location?.hash ?? ""))

/** Reads a fragment. */
export function routeOf(hash: string): Route {
  const [, view = "", ...rest] = hash.replace(/^#/, "").split("/")
  return { view, argument: decoded(rest.join("/")) }
}

/** Writes the fragment of a view. */
export function hrefOf(view: string, argument: string | number = ""): string {
  return `#/${view}${argument === "" ? "" : `/${encodeURIComponent(argument)}`}`
}

/** Opens a view. */
export function open(view: string, argument: string | number = ""): void {
  location.hash = hrefOf(view, argument)
}

/** Follows the address bar and the back button. */
export function followRoute(): void {
  addEventListener("hashchange", () => {
    route.value = routeOf(location.hash)
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
