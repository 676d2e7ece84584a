import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sha256 } from "../../src/core/crypto/hash.js"
import { configToJson } from "../../src/core/genesis/configJson.js"
import { localConfig } from "../../src/core/genesis/local.js"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { printJson } from "../../src/core/lib/json.js"
import { upgradesFor } from "../../src/core/networks/index.js"
import { AVAX } from "../../src/core/networks/params.js"
import { upgradesJson } from "../../src/core/networks/upgradeFile.js"
import type { Tx } from "../../src/core/txs/tx.js"
import type { ID } from "../../src/core/types/id.js"
import { bls } from "../../src/platform/backends.js"
import { parseConfig } from "../../src/platform/genesis.js"
import { ewoqOutput, ewoqOwner, spendUnspent, type Unspent } from "../fixtures/spendUnspent.js"

/** A custom network with the five validators of AvalancheGo's local network, which passes Helicon while it runs. */
export interface HeliconNetwork {
  readonly networkID: number
  /** The activation time of Helicon, Unix seconds. */
  readonly heliconTime: bigint
  readonly genesisText: string
  readonly upgradeText: string
  /** The flags that set rules, without dashes. */
  readonly ruleFlags: Readonly<Record<string, string>>
  /** The flags of a node of this network, which AvalancheGo and Serac share. */
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
export function autoRenewedValidator(unspent: Unspent, avaxAssetID: ID, periodSeconds: bigint): Tx {
  const secret = sha256(Uint8Array.of(1))
  secret[0] = 1
  const staked = 2_000n * AVAX
  const rules = { networkID: NETWORK_ID, avaxAssetID }
  return spendUnspent(unspent, rules, [unspent.amount - staked - FEE], "AddAutoRenewedValidatorTx", {
    nodeID: hexToBytes("31".repeat(20)),
    signer: {
      kind: "ProofOfPossession",
      publicKey: bls().publicKey(secret),
      proofOfPossession: bls().signPossession(secret),
    },
    stake: [ewoqOutput(staked, avaxAssetID)],
    validationRewardsOwner: ewoqOwner,
    delegationRewardsOwner: ewoqOwner,
    validatorAuthority: ewoqOwner,
    delegationShares: 20_000,
    autoCompoundRewardShares: 300_000,
    period: periodSeconds,
  })
}
