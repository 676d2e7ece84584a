import { encode } from "../core/codec/decode.js"
import { toHex } from "../core/lib/bytes.js"
import { type Address, addressOfKey } from "../core/types/address.js"
import { type ID, idText } from "../core/types/id.js"
import { type TransferableInput, unlockedInput } from "../core/types/input.js"
import { innerOutput } from "../core/types/output.js"
import { topLevelUtxo, type Utxo, utxoID } from "../core/types/utxo.js"
import type { AtomicTx } from "../evm/atomicTx.js"
import { secp256k1 } from "../platform/backends.js"
import { vmError } from "../vmhost/errors.js"
import type { MemoryRequest } from "../vmhost/services/sharedMemory.js"

/** What a block of the C-Chain does to the memory that it shares with one peer. */
export interface MemoryChange {
  readonly peer: ID
  readonly removes: ID[]
  readonly puts: Utxo[]
}

/** What the atomic transactions of a block do. */
export interface BlockEffect {
  readonly changes: readonly MemoryChange[]
  /** What the accounts of the chain get by imports, less what they pay for exports, nAVAX. */
  readonly toAccounts: bigint
}

/** Where the transactions of a block may take from, and the asset that they may move. */
export interface MemoryRules {
  readonly networkID: number
  readonly chainID: ID
  readonly avaxAssetID: ID
  /** Returns what a peer has put for the chain. */
  utxoOf(peer: ID, utxo: ID): Utxo | undefined
}

export const lie = (reason: string) => vmError("vm.lied", { reason })

/** Returns what the transactions of a block do. Throws `vm.lied` if they take what is not there or not theirs, or mint AVAX. */
export function effectOf(txs: readonly AtomicTx[], rules: MemoryRules): BlockEffect {
  const changes = new Map<ID, MemoryChange>()
  let toAccounts = 0n
  const changeOf = (peer: ID): MemoryChange => {
    const change = changes.get(peer) ?? { peer, removes: [], puts: [] }
    changes.set(peer, change)
    return change
  }
  for (const tx of txs) {
    const { unsignedTx, id } = tx
    const { networkID, chainID } = unsignedTx
    if (networkID !== rules.networkID || chainID !== rules.chainID) throw lie(`transaction ${idText(id)} is of another chain`)
    const { taken, paid } = flowOf(unsignedTx, rules.avaxAssetID)
    if (paid > taken) throw lie(`transaction ${idText(id)} takes ${taken} nAVAX and pays ${paid}`)
    if (unsignedTx.kind === "import") {
      toAccounts += paid
      const { removes, peer } = changeOf(unsignedTx.sourceChain)
      for (const [i, input] of unsignedTx.inputs.entries()) {
        const utxo = utxoID(input.txID, input.outputIndex)
        if (removes.includes(utxo)) throw lie(`transaction ${idText(id)} takes UTXO ${idText(utxo)} twice`)
        checkTaken(rules.utxoOf(peer, utxo), input, tx, i, rules)
        removes.push(utxo)
      }
      continue
    }
    toAccounts -= taken
    const { puts } = changeOf(unsignedTx.destinationChain)
    for (const [outputIndex, { assetID, output }] of unsignedTx.outputs.entries()) {
      if (assetID !== rules.avaxAssetID || output.kind !== "TransferOutput")
        throw lie(`output ${outputIndex} of transaction ${idText(id)} is no AVAX without a lock`)
      puts.push({ txID: id, outputIndex, assetID, output })
    }
  }
  return { changes: [...changes.values()], toAccounts }
}

/** Returns the AVAX that a transaction takes and pays, nAVAX. It burns the difference. */
export function flowOf(tx: AtomicTx["unsignedTx"], avaxAssetID: ID): { readonly taken: bigint; readonly paid: bigint } {
  const avaxIn = (accounts: readonly { readonly assetID: ID; readonly amount: bigint }[]) =>
    accounts.reduce((sum, { assetID, amount }) => sum + (assetID === avaxAssetID ? amount : 0n), 0n)
  if (tx.kind === "import") {
    const inputs = tx.inputs.map(({ assetID, input }) => ({ assetID, amount: unlockedInput(input).amount }))
    return { taken: avaxIn(inputs), paid: avaxIn(tx.outputs) }
  }
  const outputs = tx.outputs.map(({ assetID, output }) => ({ assetID, amount: innerOutput(output).amount }))
  return { taken: avaxIn(tx.inputs), paid: avaxIn(outputs) }
}

/** Checks that a transaction may take a UTXO: that it is there, of this amount, and that its owners have signed. Throws `vm.lied`. */
function checkTaken(
  utxo: Utxo | undefined,
  { txID, outputIndex, assetID, input }: TransferableInput,
  { id, signingHash, credentials }: AtomicTx,
  position: number,
  { avaxAssetID }: MemoryRules,
): void {
  const where = `input ${position} of transaction ${idText(id)}`
  if (!utxo) throw lie(`${where} takes UTXO ${idText(utxoID(txID, outputIndex))}, which no chain has put for it`)
  const { output } = utxo
  if (input.kind !== "TransferInput" || output.kind !== "TransferOutput") throw lie(`${where} is locked`)
  if (assetID !== avaxAssetID || utxo.assetID !== assetID) throw lie(`${where} is no AVAX`)
  if (input.amount !== output.amount) throw lie(`${where} takes ${input.amount} nAVAX of a UTXO of ${output.amount}`)
  const { signatureIndices } = input
  const signatures = credentials[position]?.signatures ?? []
  const isOwned =
    signatureIndices.length === output.threshold &&
    signatures.length === signatureIndices.length &&
    signatureIndices.every((index, i) => isSignedBy(output.addresses[index], signingHash, signatures[i] as Uint8Array))
  if (!isOwned) throw lie(`${where} is not signed by the owners of its UTXO`)
}

function isSignedBy(owner: Address | undefined, hash: Uint8Array, signature: Uint8Array): boolean {
  try {
    return addressOfKey(secp256k1().recover(hash, signature)) === owner
  } catch {
    return false
  }
}

/** Compares what a VM says that its block does with what the block does. Throws `vm.lied`. */
export function checkRequests(requests: readonly MemoryRequest[], changes: readonly MemoryChange[]): void {
  const said = requests.flatMap(({ peer, removes, puts }) => [
    ...removes.map((key) => `${peer} removes ${toHex(key)}`),
    ...puts.map(({ key, value, traits }) => putText(peer, key, value, traits)),
  ])
  const done = changes.flatMap(({ peer, removes, puts }) => [
    ...removes.map((key) => `${peer} removes ${key}`),
    ...puts.map((utxo) => {
      const addresses = utxo.output.kind === "TransferOutput" ? utxo.output.addresses : []
      return putText(peer, utxoID(utxo.txID, utxo.outputIndex), encode(topLevelUtxo, utxo), addresses)
    }),
  ])
  const [more] = difference(said, done)
  if (more !== undefined) throw lie(`the VM asks for what its block does not do: chain ${more}`)
  const [less] = difference(done, said)
  if (less !== undefined) throw lie(`the VM does not ask for what its block does: chain ${less}`)
}

const hexOf = (bytes: Uint8Array | string): string => (typeof bytes === "string" ? bytes : toHex(bytes))

const putText = (peer: ID, key: Uint8Array | ID, value: Uint8Array, traits: readonly (Uint8Array | Address)[]): string =>
  `${peer} gets ${hexOf(key)}: ${toHex(value)} for ${traits.map(hexOf).join(" ")}`

/** Returns what the first list has more often than the second. */
function difference(first: readonly string[], second: readonly string[]): readonly string[] {
  const left = new Map<string, number>()
  for (const each of second) left.set(each, (left.get(each) ?? 0) + 1)
  return first.filter((each) => {
    const count = left.get(each) ?? 0
    left.set(each, count - 1)
    return count <= 0
  })
}
