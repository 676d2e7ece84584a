import { idOfName, idText } from "./id.js"

/** The feature extension of all the P-Chain's outputs, inputs and credentials. */
export const SECP256K1_FX_ID = idOfName("secp256k1fx")

const text = idText(SECP256K1_FX_ID)

/** The `fxID` that JSON has beside every output and input. Bytes do not contain it. */
export const fxMember = { fxID: { jsonSchema: { type: "string", const: text }, toJson: () => text } }
