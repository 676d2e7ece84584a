import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { encode } from "../../src/core/codec/decode.js"
import { bls, secp256k1 } from "../../src/core/crypto/backends.js"
import { sha256 } from "../../src/core/crypto/hash.js"
import { parseConfig } from "../../src/core/genesis/config.js"
import { configToJson } from "../../src/core/genesis/configJson.js"
import { localConfig } from "../../src/core/genesis/local.js"
import { ewoq } from "../../src/core/genesis/testKeys.js"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { printJson } from "../../src/core/lib/json.js"
import { upgradesFor } from "../../src/core/networks/index.js"
import { AVAX } from "../../src/core/networks/params.js"
import { upgradesJson } from "../../src/core/networks/upgradeFile.js"
import { signedTxOf, type Tx } from "../../src/core/txs/tx.js"
import { topLevelUnsignedTx, type UnsignedTx } from "../../src/core/txs/unsignedTx.js"
import { type ID, P_CHAIN_ID } from "../../src/core/types/id.js"
import { parsePrivateKey } from "../../src/core/types/privateKey.js"
import type { Unspent } from "../fixtures/longChain.js"

/** A custom network with the five validators of AvalancheGo's local network, which passes Helicon while it runs. */
export interface HeliconNetwork {
  readonly networkID: number
  /** When Helicon comes into force, Unix seconds. */
  readonly heliconTime: bigint
  readonly genesisText: string
  readonly upgradeText: string
  /** The flags that set rules, without dashes. */
  readonly ruleFlags: Readonly<Record<string, string>>
  /** All of it as flags of a node; they mean the same to AvalancheGo and to Serac. */
  readonly flags: readonly string[]
  remove(): void
}

const NETWORK_ID = 236_017

/** Writes the genesis and upgrade files of a network that begins now and activates Helicon after a number of seconds. */
export function heliconNetwork(nowSeconds: bigint, heliconInSeconds: bigint): HeliconNetwork {
  const dir = mkdtempSync(join(tmpdir(), "serac-helicon-"))
  const startTime = nowSeconds - 5n
  const heliconTime = startTime + heliconInSeconds
  const genesisText = printJson(configToJson(localConfig(NETWORK_ID, startTime)))
  parseConfig(genesisText)
  const upgrades = upgradesFor(NETWORK_ID)
  const times = { ...upgrades.times, helicon: heliconTime }
  const upgradeText = printJson(upgradesJson({ ...upgrades, times, graniteEpochDuration: 5_000_000_000n }))
  const ruleFlags = { "min-stake-duration": "30s", "helicon-min-stake-duration": "10s" }
  const write = (name: string, text: string) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const flags = [
    `--network-id=${NETWORK_ID}`,
    `--genesis-file=${write("genesis.json", genesisText)}`,
    `--upgrade-file=${write("upgrades.json", upgradeText)}`,
    ...Object.entries(ruleFlags).map(([name, value]) => `--${name}=${value}`),
  ]
  const remove = () => rmSync(dir, { recursive: true, force: true })
  return { networkID: NETWORK_ID, heliconTime, genesisText, upgradeText, ruleFlags, flags, remove }
}

/** Much more than the transaction costs. */
const FEE = 1_000_000n

/** Stakes 2,000 AVAX of `ewoq` for a validator that renews itself after every period, and is never online. */
export function autoRenewedValidator({ txID, outputIndex, amount }: Unspent, avaxAssetID: ID, periodSeconds: bigint): Tx {
  const owner = { locktime: 0n, threshold: 1, addresses: [ewoq.address] }
  const output = (value: bigint) => ({
    assetID: avaxAssetID,
    output: { kind: "TransferOutput" as const, amount: value, ...owner },
  })
  const rewardsOwner = { kind: "OutputOwners" as const, ...owner }
  const secret = sha256(Uint8Array.of(1))
  secret[0] = 1
  const staked = 2_000n * AVAX
  const unsigned: UnsignedTx = {
    kind: "AddAutoRenewedValidatorTx",
    networkID: NETWORK_ID,
    blockchainID: P_CHAIN_ID,
    outputs: [output(amount - staked - FEE)],
    inputs: [{ txID, outputIndex, assetID: avaxAssetID, input: { kind: "TransferInput", amount, signatureIndices: [0] } }],
    memo: new Uint8Array(0),
    nodeID: hexToBytes("31".repeat(20)),
    signer: {
      kind: "ProofOfPossession",
      publicKey: bls().publicKey(secret),
      proofOfPossession: bls().signPossession(secret),
    },
    stake: [output(staked)],
    validationRewardsOwner: rewardsOwner,
    delegationRewardsOwner: rewardsOwner,
    validatorAuthority: rewardsOwner,
    delegationShares: 20_000,
    autoCompoundRewardShares: 300_000,
    period: periodSeconds,
  }
  const hash = sha256(encode(topLevelUnsignedTx, unsigned))
  return signedTxOf(unsigned, [{ kind: "Credential", signatures: [secp256k1().sign(hash, parsePrivateKey(ewoq.privateKey))] }])
}
