import { render } from "preact"
import { App } from "./App.js"
import { followChain } from "./data/chain.js"
import { askNetwork } from "./data/network.js"
import { followRoute } from "./data/route.js"

followRoute()
followChain()
askNetwork()
render(<App />, document.getElementById("page") as HTMLElement)
