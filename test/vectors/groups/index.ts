import type { Group } from "../group.js"
import { addresses } from "./addresses.js"
import { blocks } from "./blocks.js"
import { cb58 } from "./cb58.js"
import { chainTime } from "./chainTime.js"
import { complexity } from "./complexity.js"
import { components } from "./components.js"
import { epochs } from "./epochs.js"
import { flowCheck } from "./flowCheck.js"
import { gas } from "./gas.js"
import { genesis } from "./genesis.js"
import { helicon } from "./helicon.js"
import { hex } from "./hex.js"
import { ids } from "./ids.js"
import { maxWeight } from "./maxWeight.js"
import { mempool } from "./mempool.js"
import { networkParams } from "./networkParams.js"
import { options } from "./options.js"
import { proposervm } from "./proposervm.js"
import { rewards } from "./rewards.js"
import { signatures } from "./signatures.js"
import { stakerOrdering } from "./stakerOrdering.js"
import { txSyntax } from "./txSyntax.js"
import { txBytes, txInvalid, txJson } from "./txs.js"
import { upgrades } from "./upgrades.js"
import { uptime } from "./uptime.js"
import { utxos } from "./utxos.js"
import { validatorFees } from "./validatorFees.js"
import { validatorSets } from "./validatorSets.js"
import { warp } from "./warp.js"
import { warpMessages } from "./warpMessages.js"

/** Every vector file we can check, by its name. */
export const groups: Readonly<Record<string, Group>> = {
  "addresses.json": addresses,
  "blocks.json": blocks,
  "cb58.json": cb58,
  "chain-time.json": chainTime,
  "complexity.json": complexity,
  "components.json": components,
  "epochs.json": epochs,
  "flow-check.json": flowCheck,
  "gas.json": gas,
  "helicon.json": helicon,
  "hex.json": hex,
  "ids.json": ids,
  "genesis.json": genesis,
  "max-weight.json": maxWeight,
  "mempool.json": mempool,
  "network-params.json": networkParams,
  "options.json": options,
  "proposervm.json": proposervm,
  "rewards.json": rewards,
  "signatures.json": signatures,
  "staker-ordering.json": stakerOrdering,
  "tx-bytes.json": txBytes,
  "tx-invalid.json": txInvalid,
  "tx-json.json": txJson,
  "tx-syntax.json": txSyntax,
  "upgrades.json": upgrades,
  "uptime.json": uptime,
  "utxos.json": utxos,
  "validator-fees.json": validatorFees,
  "validator-sets.json": validatorSets,
  "warp-messages.json": warpMessages,
  "warp.json": warp,
}
