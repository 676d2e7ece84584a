import { join } from "node:path"
import { avaxSerial, pvm, utils } from "@avalabs/avalanchejs"
import { expect, onTestFinished, test } from "vitest"
import { wrapTxAt } from "../../src/client/txFile/atNode.js"
import { buildAtomicTxFile, buildTxFile } from "../../src/client/txFile/buildTxFile.js"
import type { TxFile } from "../../src/client/txFile/format.js"
import { combineTxFiles, signedTxOfFile, signTxFile } from "../../src/client/txFile/txFile.js"
import { delegationForm, jsonForm, paymentForm, type TxForm } from "../../src/client/txFile/txForms.js"
import { type Address, addressOfKey, addressText } from "../../src/core/types/address.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { type ID, parseID } from "../../src/core/types/id.js"
import { innerOutput } from "../../src/core/types/output.js"
import { parsePrivateKey } from "../../src/core/types/privateKey.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { evmAddressOf } from "../../src/evm/address.js"
import { secp256k1 } from "../../src/platform/backends.js"
import { root } from "../sources.js"
import { Wallet } from "./avalanchejs/wallet.js"

const AVAX = 1_000_000_000n
const PRIMARY_NETWORK = "11111111111111111111111111111111LpoYY"

test("avalanchejs makes, Serac signs apart from each other: the bytes are those that avalanchejs signs, and it issues them", async () => {
  const devnet = await startDevnet({ accounts: 3 })
  onTestFinished(() => devnet.stop())
  const wallet = await Wallet.open(devnet.url)
  const keys = devnet.accounts.map(({ privateKey }) => wallet.key(privateKey))
  const [nodeId = ""] = (await devnet.dev.addValidators({ count: 1 })).nodeIDs
  const addresses = keys.map(({ address }) => address)
  await devnet.dev.fund({ addresses, threshold: 2, amount: 100n * AVAX })
  const signers = [keys[0]!, keys[2]!]
  const common = { changeAddressesBytes: [keys[0]!.bytes] }
  const { utxos } = await wallet.platform.getUTXOs({ addresses: [addresses[1]!] })
  const ofTwo = utxos.filter((utxo) => utxo.getOutputOwners().threshold.value() === 2)
  const outputs = [wallet.output(3n * AVAX, [keys[1]!])]
  const end = devnet.now() + 14n * 86_400n
  const stake = { nodeId, subnetId: PRIMARY_NETWORK, start: 0n, end, weight: 25n * AVAX, rewardAddresses: [keys[1]!.bytes] }
  const signed: { readonly tx: string; readonly txID: string }[] = []
  const makers: readonly Parameters<Wallet["build"]>[0][] = [
    (each) => pvm.newBaseTx({ ...each, ...common, utxos: ofTwo, outputs }, wallet.context),
    (each) => pvm.newAddPermissionlessDelegatorTx({ ...each, ...common, utxos: ofTwo, ...stake }, wallet.context),
    (each) =>
      pvm.newExportTx(
        { ...each, ...common, utxos: ofTwo, outputs, destinationChainId: wallet.context.cBlockchainID },
        wallet.context,
      ),
    (each) => pvm.newCreateSubnetTx({ ...each, ...common, utxos: ofTwo, subnetOwners: [keys[1]!.bytes] }, wallet.context),
  ]
  for (const maker of makers) {
    const theirs = await wallet.build(maker, { from: signers })
    const from = signers.map(({ address }) => address)
    const file = await wrapTxAt(devnet.rpc, toHexText(theirs.toBytes()), from)
    const files = signers.map(({ privateKey }) => signTxFile(file, privateKey))
    const { tx, txID } = signedTxOfFile(combineTxFiles(files))
    expect(tx).toBe(utils.bufferToHex(utils.addChecksum(theirs.getSignedTx().toBytes())))
    signed.push({ tx, txID })
  }
  // All spend the same UTXO, so the first one alone can be accepted.
  const [first] = signed
  expect(await wallet.platform.issueTx({ tx: first!.tx })).toEqual({ txID: first!.txID })
  await wallet.committed(first!.txID)
})

const keys = ["ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN", "vmRQiZeXEXYMyJhEiqdC2z5JhuDbxL8ix9UVvjgMu2Er1NepE"].map(
  (text) => parsePrivateKey(`PrivateKey-${text}`),
)
const publicKeys = keys.map((key) => secp256k1().publicKey(key))
const owners = publicKeys.map(addressOfKey)
const ascending = [...owners, "22".repeat(20) as Address].sort()
const avaxAssetID = parseID("2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe")
const utxo = (threshold: number, addresses: readonly Address[]) => ({
  txID: "33".repeat(32) as ID,
  outputIndex: threshold,
  assetID: avaxAssetID,
  output: { kind: "TransferOutput" as const, amount: 50n * AVAX, locktime: 0n, threshold, addresses: [...addresses] },
})
const shared = utxo(2, ascending)
const own = utxo(1, owners.slice(0, 1))
const friend = addressText("11".repeat(20) as Address, "local")
const nodeID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"
const place = { networkID: 12345, avaxAssetID, owners: innerOutput(shared.output), now: 1_900_000_000n }
const funds = { avaxAssetID, price: 1n, now: place.now, utxos: [shared], signers: owners }
const fileOf = (form: TxForm) => buildTxFile({ ...funds, tx: form(place), authority: innerOutput(shared.output) })
const cChain = { networkID: 12345, chainID: "44".repeat(32) as ID, avaxAssetID }
const address = evmAddressOf(publicKeys[0] as Uint8Array) as string
const subnet = { kind: "CreateChainTx", subnetID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka", chainName: "mine" }

/** Files of each shape: two of three owners, one owner, an authorisation, and both directions of the C-Chain. */
const vectors: Readonly<Record<string, TxFile>> = {
  "a payment that two of three owners sign": fileOf(paymentForm(friend, 4n * AVAX)),
  "a delegation": fileOf(delegationForm(nodeID, 25n * AVAX, 1_209_600n)),
  "a chain of a subnet that two of three owners sign for": fileOf(
    jsonForm({ ...subnet, vmID: subnet.subnetID, fxIDs: [], genesisData: "0x00" }),
  ),
  "an export from the C-Chain": buildAtomicTxFile({
    ...{ place: cChain, baseFee: 25_000_000_000n },
    tx: { kind: "export", address, nonce: 3n, output: innerOutput(own.output) },
  }),
  "an import to the C-Chain that two of three owners sign": buildAtomicTxFile({
    ...{ place: cChain, baseFee: 25_000_000_000n },
    tx: { kind: "import", utxos: [shared, own], signers: owners, address, now: place.now },
  }),
}

test("the vectors of transaction files: unsigned, signed by each key, and the transaction, which avalanchejs reads", async () => {
  const recorded = Object.entries(vectors).map(([title, unsigned]) => {
    const signers = new Set(unsigned.signatures.flat().map(({ signer }) => signer))
    const signed = keys.slice(0, signers.size).map((key) => signTxFile(unsigned, key))
    const { tx, txID } = signedTxOfFile(combineTxFiles(signed))
    const vm = unsigned.chain === "P" ? "PVM" : "EVM"
    const read = utils.getManagerForVM(vm).unpack(utils.hexToBuffer(tx).slice(0, -4), avaxSerial.SignedTx)
    expect(utils.bufferToHex(utils.addChecksum(read.toBytes()))).toBe(tx)
    return { title, unsigned, signed, tx, txID }
  })
  await expect(`${JSON.stringify(recorded, undefined, 1)}\n`).toMatchFileSnapshot(join(root, "test/clients/txFiles.json"))
})
