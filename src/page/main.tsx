import { render } from "preact"
import { App } from "./App.js"
import { followChain } from "./data/chain.js"
import { askNetwork } from "./data/network.js"
import { followRoute } from "./data/route.js"

/** Milliseconds that the first drawing waits for the first answers: with them nothing moves afterwards. */
const PATIENCE = 150

followRoute()
const answered = Promise.all([followChain(), askNetwork()])
await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, PATIENCE))])
render(<App />, document.getElementById("page") as HTMLElement)
