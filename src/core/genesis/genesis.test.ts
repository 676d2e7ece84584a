import { expect, test } from "vitest"
import { encode } from "../codec/decode.js"
import { str } from "../codec/primitives.js"
import { concatBytes } from "../lib/bytes.js"
import { buildGenesis } from "./build.js"
import { decodeGenesis, type Genesis, type GenesisBody, genesisBytes, genesisOf } from "./genesis.js"
import { localConfig } from "./local.js"

const genesis = buildGenesis(localConfig())
const refusal = (code: string) => expect.objectContaining({ code })

/** The genesis with a change, as bytes: also one that no genesis may have. */
const changed = (changes: Partial<Record<keyof GenesisBody, unknown>>): Uint8Array => {
  const body = genesis.body()
  return encode(genesisBytes, { ...body, message: str.fromJson(body.message, {}), ...changes } as never)
}

const membersOf = (of: Genesis) => ({ ...of, bytes: of.bytes(), body: of.body() })

test("a genesis read from its bytes is the genesis that was built", () => {
  // Cloning turns every view of bytes into a plain array.
  expect(structuredClone(membersOf(decodeGenesis(genesis.bytes())))).toEqual(structuredClone(membersOf(genesis)))
})

test("a genesis that is built from the values of another one is the same", () => {
  const { utxos, validators, chains, timestamp, initialSupply, message } = genesis.body()
  const again = genesisOf({ utxos, validators, chains, timestamp, initialSupply, message })
  expect(membersOf(again)).toEqual(membersOf(genesis))
})

test("every part of a genesis' bytes is refused where it is not the whole", () => {
  for (let size = 0; size < genesis.bytes().length; size += 7) {
    expect(() => decodeGenesis(genesis.bytes().subarray(0, size))).toThrow(expect.objectContaining({ name: "Invalid" }))
  }
  expect(() => decodeGenesis(concatBytes(genesis.bytes(), Uint8Array.of(0)))).toThrow(refusal("codec.trailing"))
})

test("a genesis with a list that claims four billion items is refused at once", () => {
  const bytes = genesis.bytes().slice()
  bytes.set([0xff, 0xff, 0xff, 0xff], 2)
  expect(() => decodeGenesis(bytes)).toThrow(refusal("codec.list_too_long"))
})

test("a genesis holds validators and chains, each in their list", () => {
  expect(() => decodeGenesis(changed({ validators: genesis.body().chains }))).toThrow(refusal("genesis.misplaced_tx"))
  expect(() => decodeGenesis(changed({ chains: genesis.body().validators }))).toThrow(refusal("genesis.misplaced_tx"))
})

test("a genesis has an X-Chain and a C-Chain", () => {
  const [x, c] = genesis.body().chains
  expect(() => decodeGenesis(changed({ chains: [c] }))).toThrow(refusal("genesis.no_chain"))
  expect(() => decodeGenesis(changed({ chains: [x] }))).toThrow(refusal("genesis.no_chain"))
  expect(decodeGenesis(changed({ chains: [c, x] }))).toMatchObject({ xChainID: x!.id, cChainID: c!.id })
})
