// Decodes bytes on the page of serac/codec, with the codec itself.
import { fromHex, hrpOf, Invalid, idText, printJson, recognise } from "../../src/codec.ts"

const LOCAL_ID = 12345
const input = document.getElementById("bytes")
const output = document.getElementById("decoded")

function decoded(text) {
  const { found } = recognise(fromHex(text.replace(/\s/g, "").replace(/^0x/, "")))
  const value = found.toJson({ hrp: hrpOf(found.networkID() ?? LOCAL_ID) })
  return { kind: found.kind, id: found.id === null ? null : idText(found.id), value }
}

function show() {
  try {
    output.textContent = printJson(decoded(input.value), 2)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    output.textContent = `${error.code}: ${error.message}`
  }
}

input.addEventListener("input", show)
show()
