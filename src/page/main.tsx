import { render } from "preact"
import { App } from "./App.js"
import { followChain } from "./data/chain.js"
import { askNetwork } from "./data/network.js"
import { followRoute } from "./data/route.js"

// The frame is drawn before the node has answered: the first view then asks its questions beside these, and not after them.
followRoute()
void followChain()
void askNetwork()
render(<App />, document.getElementById("page") as HTMLElement)
