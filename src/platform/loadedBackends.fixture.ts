import { createRequire } from "node:module"
import { chooseBackends, secp256k1 } from "./backends.js"

// A process of its own, which has loaded nothing else, prints the packages that it has loaded at three moments.
const PACKAGES = /node_modules\/(@noble\/curves|@chainsafe|mcl-wasm)\//

const loaded = (): string[] => {
  const paths = Object.keys(createRequire(import.meta.url).cache)
  return [...new Set(paths.flatMap((path) => PACKAGES.exec(path)?.[1] ?? []))]
}

const atStart = loaded()
chooseBackends({ secp256k1: "noble" })
const whenChosen = loaded()
secp256k1()
console.log(JSON.stringify({ atStart, whenChosen, whenUsed: loaded() }))
