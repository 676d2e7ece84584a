import { nodeIDOfCertificate } from "../../../src/core/crypto/certificate.js"
import { addressOf } from "../../../src/core/crypto/secp256k1.js"
import { buildGenesis, splitStake } from "../../../src/core/genesis/build.js"
import { checkConfig } from "../../../src/core/genesis/config.js"
import { configToJson } from "../../../src/core/genesis/configJson.js"
import { decodeGenesis, type Genesis, type GenesisUtxo } from "../../../src/core/genesis/genesis.js"
import { localConfig, localStartTime } from "../../../src/core/genesis/local.js"
import { localStakers } from "../../../src/core/genesis/localStakers.js"
import { ewoq, localBlsSecrets, vmRQ } from "../../../src/core/genesis/testKeys.js"
import { hexToBytes, toHex, utf8 } from "../../../src/core/lib/bytes.js"
import { type Json, printJson } from "../../../src/core/lib/json.js"
import { parseJson } from "../../../src/core/lib/parseJson.js"
import { paramsFor } from "../../../src/core/networks/index.js"
import { FUJI_ID, LOCAL_ID, MAINNET_ID, networkIDOf } from "../../../src/core/networks/names.js"
import { rewardOf } from "../../../src/core/rules/reward.js"
import { type Address, bech32Text } from "../../../src/core/types/address.js"
import { idOf, idOfName, idText, type NodeID, nodeIDText } from "../../../src/core/types/id.js"
import { innerOutput, type Output } from "../../../src/core/types/output.js"
import { parsePrivateKey } from "../../../src/core/types/privateKey.js"
import { utxoID } from "../../../src/core/types/utxo.js"
import { bls, secp256k1 } from "../../../src/platform/backends.js"
import { parseConfig } from "../../../src/platform/genesis.js"
import { recordingText } from "../../recordings/recordings.js"
import type { Check, Entry, Group, Verdict } from "../group.js"

/** 2027-01-15: the clock of the validation cases, so that no result depends on the day. */
const NOW = 1_800_000_000n

const fileOf: Readonly<Record<number, string>> = {
  [MAINNET_ID]: "genesis_mainnet.json",
  [FUJI_ID]: "genesis_fuji.json",
  9999: "genesis_custom_9999.json",
}

const networkGenesis: Check = (entry, verdict) => {
  const file = fileOf[entry.network_id]
  const config = file ? parseConfig(recordingText(`data/${file}`)) : localConfig(entry.network_id, BigInt(entry.start_time))
  const genesis = buildGenesis(config)
  const [x, c] = genesis.body().chains
  const { genesisData: xData } = x!.unsignedTx
  const { genesisData: cData } = c!.unsignedTx
  const got: Record<string, unknown> = {
    network_id: genesis.networkID,
    start_time: genesis.timestamp,
    genesis_length: genesis.bytes().length,
    genesis_id: idText(genesis.id),
    genesis_sha256: genesis.id,
    avax_asset_id: idText(genesis.avaxAssetID),
    x_chain_id: idText(genesis.xChainID),
    c_chain_id: idText(genesis.cChainID),
    x_genesis_length: xData.length,
    x_genesis_sha256: idOf(xData),
    c_genesis_length: cData.length,
    c_genesis_sha256: idOf(cData),
    x_chain_tx_length: x!.bytes.length,
    initial_supply: genesis.body().initialSupply,
    message: genesis.body().message,
    utxo_count: genesis.body().utxos.length,
    utxos_first: entry.utxos_first?.map((utxo: Entry) => shownUtxo(genesis.body().utxos[utxo.index])),
    utxos_last: entry.utxos_last?.map((utxo: Entry) => shownUtxo(genesis.body().utxos[utxo.index])),
    validator_count: genesis.body().validators.length,
    ...rewardsOf(genesis, entry.validators_in_list_order),
    genesis_block_bytes: genesis.block.bytes,
    genesis_block_id: idText(genesis.block.id),
    bytes: genesis.bytes(),
  }
  for (const name in got) if (name in entry) verdict.equal(name, got[name], entry[name])
  verdict.equal("decoded again", idText(decodeGenesis(genesis.bytes()).block.id), entry.genesis_block_id)
}

function shownUtxo(utxo: GenesisUtxo | undefined): Json {
  if (!utxo) return null
  const { type, amount, locktime } = shownOutput(utxo.output)
  return {
    index: utxo.outputIndex,
    type,
    amount,
    stakeable_locktime: locktime,
    address: innerOutput(utxo.output).addresses.join(),
    message: toHex(utxo.message),
    utxo_id: idText(utxoID(utxo.txID, utxo.outputIndex)),
  }
}

function shownOutput(output: Output) {
  const locktime = output.kind === "LockOut" ? output.locktime : 0n
  return { type: output.kind, amount: innerOutput(output).amount, locktime }
}

/** The validators as the entry shows them, with their potential rewards, in order. */
function rewardsOf(genesis: Genesis, wanted: readonly Entry[]) {
  const { reward } = paramsFor(genesis.networkID)
  let supply = genesis.body().initialSupply
  const shown = genesis.body().validators.map(({ id, unsignedTx }, i) => {
    const { nodeID, start, end, weight } = unsignedTx.validator
    const potential = rewardOf(reward, end - start, weight, supply)
    supply += potential
    const isCounted = typeof wanted[i]?.stake_outputs === "number"
    return {
      tx_id: idText(id),
      type: unsignedTx.kind,
      node_id: nodeIDText(nodeID),
      start,
      end,
      weight,
      shares: unsignedTx.shares,
      stake_outputs: isCounted ? unsignedTx.stake.length : unsignedTx.stake.map(({ output }) => shownOutput(output)),
      potential_reward: potential,
    }
  })
  return {
    validators_in_list_order: shown,
    potential_rewards_sum: supply - genesis.body().initialSupply,
    supply_after_genesis: supply,
  }
}

const localStaker: Check = (entry, verdict) => {
  const secret = hexToBytes(entry.bls_secret_key)
  verdict.equal("node_id", nodeIDText(nodeIDOfCertificate(hexToBytes(entry.certificate_der)) as NodeID), entry.node_id)
  verdict.equal("bls_public_key", `0x${toHex(bls().publicKey(secret))}`, entry.bls_public_key)
  verdict.equal("bls_proof_of_possession", `0x${toHex(bls().signPossession(secret))}`, entry.bls_proof_of_possession)
  const position = localBlsSecrets.findIndex((text) => toHex(utf8(text)) === entry.bls_secret_key)
  const ours = localStakers[position]
  if (!ours) return
  verdict.equal("our node", nodeIDText(ours.nodeID), entry.node_id)
  verdict.equal("our public key", `0x${toHex(ours.signer!.publicKey)}`, entry.bls_public_key)
  verdict.equal("our proof", `0x${toHex(ours.signer!.proofOfPossession)}`, entry.bls_proof_of_possession)
  verdict.equal("delegation_fee", ours.delegationFee, entry.delegation_fee)
}

const testKey: Check = (entry, verdict) => {
  const secret = parsePrivateKey(entry.private_key)
  const publicKey = secp256k1().publicKey(secret)
  const address = addressOf(publicKey) as Address
  verdict.equal("private_key_hex", secret, entry.private_key_hex)
  verdict.equal("public_key", publicKey, entry.public_key)
  verdict.equal("address_bytes", address, entry.address_bytes)
  verdict.equal("address_local", bech32Text(address, "local"), entry.address_local)
  verdict.equal("address_custom", bech32Text(address, "custom"), entry.address_custom)
  const ours = [ewoq, vmRQ].find(({ privateKey }) => privateKey === entry.private_key)
  if (ours) verdict.equal("our address", ours.address, entry.address_bytes)
}

const validation: Check = (entry, verdict) => {
  const base = entry.configuration ?? baseOf(entry.base_configuration)
  const config: Record<string, Json> = { ...base }
  if (entry.c_chain_genesis_is_non_empty) config.cChainGenesis ??= "{}"
  const { node_network_id: networkID = base.networkID, ...changes } = entry.changes ?? {}
  for (const [name, value] of Object.entries<Json>(changes)) {
    const [, list] = /^(\w+), appended$/.exec(name) ?? []
    if (list === undefined) config[name] = value
    else config[list] = [...((config[list] ?? []) as Json[]), value]
  }
  const { maxStakeDuration } = paramsFor(networkID).staking
  const check = () => checkConfig(parseConfig(printJson(config)), { networkID, now: NOW, maxStakeDuration })
  if (entry.result === "rejected") verdict.refuses("configuration", check)
  else check()
}

/** A built-in configuration by its name, as the JSON of its file. */
function baseOf(name: string): Entry {
  if (name === "local") return configToJson(localConfig(LOCAL_ID))
  return parseJson(recordingText(`data/genesis_${/9999|custom/.test(name) ? "custom_9999" : name}.json`)) as Entry
}

const networkName: Check = (entry, verdict) => {
  if ("error" in entry) verdict.refuses("text", () => networkIDOf(entry.text))
  else verdict.equal("network_id", networkIDOf(entry.text), entry.network_id)
}

const stakeSplit: Check = (entry, verdict) => {
  const allocations = entry.allocations.map(({ owner, schedule }: Entry) => ({
    avaxAddr: owner,
    unlockSchedule: schedule.map(({ amount, locktime }: Entry) => ({ amount: BigInt(amount), locktime: BigInt(locktime) })),
  }))
  const buckets = splitStake(allocations, Number(entry.stakers))
  const shown = buckets.map((parts) => parts.map(({ address, amount, locktime }) => ({ owner: address, amount, locktime })))
  verdict.equal("buckets", shown, entry.buckets)
}

/** genesis.json: networks' genesis, the local network's facts, and the rules of genesis files. */
export const genesis: Group = {
  "network genesis": networkGenesis,
  "local staker": localStaker,
  "test key": testKey,
  validation,
  "network name": networkName,
  "well-known id": (entry: Entry, verdict: Verdict) => verdict.equal("id", idText(idOfName(entry.ascii)), entry.id),
  "local start time": (entry: Entry, verdict: Verdict) =>
    verdict.equal("start_time", localStartTime(BigInt(entry.now)), entry.start_time),
  "stake split": stakeSplit,
}
