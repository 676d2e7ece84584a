import { render } from "preact"
import { App } from "./App.js"
import { followChain } from "./data/chain.js"
import { askNetwork } from "./data/network.js"
import { followRoute } from "./data/route.js"

/** Milliseconds that the first drawing waits for the height at most. */
const PATIENCE = 100

// The browser needs longer for its first layout than the node for its first answer. A frame without the height would come a little earlier,
// and the height much later.
followRoute()
const isFollowing = followChain()
void askNetwork()
await Promise.race([isFollowing, new Promise((resolve) => setTimeout(resolve, PATIENCE))])
render(<App />, document.getElementById("page") as HTMLElement)
