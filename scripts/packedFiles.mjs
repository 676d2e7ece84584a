import { readFileSync } from "node:fs"

/** A plugin of vite that imports a packed file as its bytes, as the build does. */
export const packedFiles = {
  name: "packed files",
  load(id) {
    if (!id.endsWith(".br")) return undefined
    return `export default new Uint8Array(Buffer.from("${readFileSync(id).toString("base64")}", "base64"))`
  },
}
