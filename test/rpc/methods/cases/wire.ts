import type { MethodsFixture } from "../fixture.js"
import { both, missing, refusalText, refused, type Table } from "../table.js"

const NODE = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"
const REWARD = "0000000000143d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a700000000"
const STAKER = "TtF4d2QWbk5vzQGTEPrN48x6vwgAoAmKQ9cbp79inpQmcRKES"
const DECISION = "fbt5Rw6Q5MLBrtaaNH9Fx9gMezowx6Ggd8zcxvKXjxkWK8qqU"

/** Cases of texts and bytes that do not depend on the chain. */
export function wireCases(_facts: MethodsFixture): Table {
  return { ...decodeCases(), ...identifyCases() }
}

function decodeCases(): Table {
  const decoded = {
    kind: "RewardValidatorTx",
    id: DECISION,
    checksum: false,
    value: { unsignedTx: { txID: STAKER }, credentials: [], id: DECISION },
    fields: [
      { path: "version", start: 0, end: 2 },
      { path: "unsignedTx.typeID", start: 2, end: 6, value: 20 },
      { path: "unsignedTx.txID", start: 6, end: 38, value: STAKER },
      { path: "credentials.length", start: 38, end: 42, value: 0 },
    ],
  }
  const unsigned = {
    kind: "RewardValidatorTx",
    id: null,
    checksum: false,
    value: { txID: STAKER },
    fields: [
      { path: "version", start: 0, end: 2 },
      { path: "typeID", start: 2, end: 6, value: 20 },
      { path: "txID", start: 6, end: 38, value: STAKER },
    ],
  }
  const unrecognised = "the bytes are not a structure of the P-Chain"
  return {
    "platform.decode": {
      takes: { bytes: "string", as: "string" },
      normal: [both({ bytes: `0x${REWARD}` }, decoded), both({ bytes: REWARD.toUpperCase() }, decoded)],
      "all parameters": [
        both({ bytes: REWARD, as: "RewardValidatorTx" }, decoded),
        both({ bytes: REWARD.slice(0, 76), as: "UnsignedTx" }, unsigned),
      ],
      "omitted parameters": [missing("bytes", refusalText("couldn't unpack codec version"))],
      errors: [
        refused(
          { bytes: "00".repeat(65_541) },
          "platform.too_many_bytes",
          { size: 65_541, limit: 65_540 },
          "there are too many bytes to decode in one call",
        ),
        refused({ bytes: "0xabc" }, "platform.bad_hex", {}, "the bytes are not written in hex"),
        refused({ bytes: "ffffffffffff" }, "wire.unrecognised", { size: 6, version: 65_535 }, unrecognised),
      ],
    },
  }
}

function identifyCases(): Table {
  const unknown = "the text is not a known form of an ID, address, key or UTXO reference"
  const node = {
    kind: "NodeID",
    size: 20,
    forms: {
      nodeID: NODE,
      hex: "0x479f66c8be895830547e70b4b298cafd433dba6e",
      cb58: NODE.slice(7),
      address: "P-local1g70kdj9739vrq4r7wz6t9xx2l4pnmwnwec05uw",
      bech32: "local1g70kdj9739vrq4r7wz6t9xx2l4pnmwnwec05uw",
      shortID: NODE.slice(7),
    },
  }
  return {
    "platform.identify": {
      takes: { text: "string" },
      normal: [both({ text: NODE }, node)],
      "all parameters": [both({ text: ` ${NODE}\n` }, node)],
      "omitted parameters": [missing("text", refusalText(unknown))],
      errors: [
        refused(
          { text: "what is this" },
          "wire.unknown_text",
          { text: "what is this", asCb58: "the text is not base58" },
          unknown,
        ),
      ],
    },
  }
}
