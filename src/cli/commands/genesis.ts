import type { Genesis, GenesisUtxo, GenesisValidator } from "../../core/genesis/genesis.js"
import { avaxText } from "../../core/lib/avaxText.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { groupThousands } from "../../core/lib/groupThousands.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { paramsFor } from "../../core/networks/index.js"
import { hrpOf, networkNameOf } from "../../core/networks/names.js"
import { applyRuleFlags, ruleFlags } from "../../core/networks/ruleFlags.js"
import { addressText } from "../../core/types/address.js"
import { idText, nodeIDText } from "../../core/types/id.js"
import { innerOutput } from "../../core/types/output.js"
import { loadPublishedGenesis } from "../../datadir/genesis/publishedGenesis.js"
import { genesisFor } from "../../platform/genesis.js"
import { command } from "../command.js"
import { writeNamedFile } from "../files.js"
import { flagWithDefault, optionalFlag } from "../flags/flags.js"
import { onOff, path, timeFlag } from "../flags/flagTypes.js"
import { genesisTextOf, networkFlags, networkRules, ruleFlagOf } from "../flags/networkFlags.js"

const MAX_STAKE_DURATION = "max-stake-duration"
const SHOWN_UTXOS = 20

/** `serac genesis`: builds the genesis of a network, and prints its facts. */
export const genesisCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Builds the genesis of a network and prints its IDs, validators and UTXOs. The local network's is built in, and starts when
AvalancheGo's would: every 270 days its start time moves. A network without a name has the local one under its own ID,
unless a genesis file is given. Mainnet's and Fuji's are part of the program; a file of theirs must have the published genesis ID.`,
  examples: [
    { call: "serac genesis", does: "the local network's" },
    {
      call: "serac genesis --network-id local --at 2024-07-15T04:00:00Z --json",
      does: "the same for a node started then, as JSON",
    },
    { call: "serac genesis --network-id mainnet", does: "Mainnet's, compared with its published ID" },
    { call: "serac genesis --network-id 9999 --bytes genesis.bin", does: "a private network's, with its bytes in a file" },
  ],
  flags: {
    ...networkFlags,
    at: optionalFlag(timeFlag, "The clock: moves the local start time, and no file may start later (default: now)"),
    bytes: optionalFlag(path("FILE|-"), "Writes the genesis bytes to a file; - writes them to stdout, and nothing else"),
    [MAX_STAKE_DURATION]: ruleFlagOf(ruleFlags.find(({ name }) => name === MAX_STAKE_DURATION)!),
    json: flagWithDefault(onOff, "Prints JSON", false),
  },
  rules: [
    ...networkRules,
    { flags: ["json"], applies: ({ bytes }) => bytes === "-", reason: "--bytes - prints the bytes alone" },
  ],
  async run({ flags, set }, terminal) {
    const networkID = flags["network-id"]
    const rules = set.has(MAX_STAKE_DURATION) ? { [MAX_STAKE_DURATION]: flags[MAX_STAKE_DURATION] } : {}
    const { staking } = applyRuleFlags(paramsFor(networkID), rules)
    const found = genesisFor({
      networkID,
      configText: genesisTextOf(flags),
      publishedBytes: await loadPublishedGenesis(networkID),
      now: flags.at ?? wholeSeconds(terminal.now()),
      maxStakeDuration: staking.maxStakeDuration,
    })
    if (flags.bytes === "-") return terminal.print(found.bytes())
    if (flags.bytes !== undefined) writeNamedFile(flags.bytes, found.bytes())
    await terminal.print(flags.json ? `${printJson(genesisJson(found), 2)}\n` : genesisText(found))
  },
})

/** Returns the output for scripts. Amounts are quoted, as in the API, so that no reader rounds them. */
function genesisJson(found: Genesis): Json {
  return {
    networkID: found.networkID,
    genesisID: idText(found.id),
    genesisBlockID: idText(found.block.id),
    avaxAssetID: idText(found.avaxAssetID),
    blockchainIDs: { X: idText(found.xChainID), C: idText(found.cChainID) },
    timestamp: found.timestamp,
    initialSupply: found.body().initialSupply.toString(),
    validators: found.body().validators.map(validatorJson),
  }
}

function validatorJson({ id, unsignedTx }: GenesisValidator): Json {
  const { nodeID, start, end, weight } = unsignedTx.validator
  const signer = unsignedTx.kind === "AddPermissionlessValidatorTx" ? unsignedTx.signer : undefined
  return {
    txID: idText(id),
    kind: unsignedTx.kind,
    nodeID: nodeIDText(nodeID),
    start,
    end,
    weight: weight.toString(),
    shares: unsignedTx.shares,
    ...(signer?.kind === "ProofOfPossession" ? { publicKey: `0x${Buffer.from(signer.publicKey).toString("hex")}` } : {}),
  }
}

/** Returns the output for people. */
function genesisText(found: Genesis): string {
  const { initialSupply, message, validators, utxos } = found.body()
  const rows = [
    ["Genesis ID", idText(found.id)],
    ["Genesis block ID", idText(found.block.id)],
    ["AVAX asset ID", idText(found.avaxAssetID)],
    ["X-Chain ID", idText(found.xChainID)],
    ["C-Chain ID", idText(found.cChainID)],
    ["Timestamp", `${printRfc3339(found.timestamp)} (${found.timestamp})`],
    ["Initial supply", avaxText(initialSupply)],
    ["Message", message],
    ["Size", `${groupThousands(found.bytes().length)} bytes`],
  ]
  const hrp = hrpOf(found.networkID)
  const shown = utxos.slice(0, SHOWN_UTXOS).map((utxo) => `  ${utxoText(utxo, hrp)}\n`)
  const more = utxos.length - shown.length
  return `Genesis of ${networkNameOf(found.networkID)}, network ${found.networkID}

${rows.map(([name, value]) => `${name!.padEnd(18)}${value}\n`).join("")}
Validators (${validators.length})
${validators.map((each) => `  ${validatorText(each)}\n`).join("")}
UTXOs (${groupThousands(utxos.length)})
${shown.join("")}${more === 0 ? "" : `  and ${groupThousands(more)} more\n`}`
}

function validatorText({ unsignedTx: { validator, shares } }: GenesisValidator): string {
  const { nodeID, end, weight } = validator
  return `${nodeIDText(nodeID).padEnd(40)}  until ${printRfc3339(end)}  ${avaxText(weight)}, delegation fee ${shares / 10_000} %`
}

function utxoText({ output }: GenesisUtxo, hrp: string): string {
  const { amount, addresses } = innerOutput(output)
  const lock = output.kind === "LockOut" ? `, only for staking until ${printRfc3339(output.locktime)}` : ""
  return `${addresses.map((address) => addressText(address, hrp)).join(", ")}  ${avaxText(amount)}${lock}`
}
