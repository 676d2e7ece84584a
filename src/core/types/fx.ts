import type { JsonWriter } from "../codec/schema.js"
import { idOfName, idText } from "./id.js"

/** The feature extension of all the P-Chain's outputs, inputs and credentials. */
export const SECP256K1_FX_ID = idOfName("secp256k1fx")

const text = idText(SECP256K1_FX_ID)

/** The `fxID` that JSON has beside every output and input. Bytes do not contain it. */
const fxID: JsonWriter<unknown, string> = { jsonSchema: { type: "string", const: text }, writeJson: (sink) => sink.plain(text) }
export const fxMember = { fxID }
