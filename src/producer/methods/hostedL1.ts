import { described, list, oneOf, optional, string } from "../../jsonrpc/schema/kinds.js"
import { number, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { id } from "../../services/kinds.js"
import type { ChainHosting } from "../chainHosting.js"
import type { DevContext } from "./context.js"
import { devError } from "./errors.js"

/** An L1 that the node hosts, as a result. */
export const hostedL1 = object({
  name: string,
  subnetID: id,
  chainID: id,
  vmID: id,
  vm: described(string, "The well-known name of the VM, or its ID."),
  state: oneOf("starting", "running", "restarting", "stopped"),
  reason: optional(described(string, "Why the chain does not run.")),
  height: optional(described(u64, "The height of the last accepted block of the L1.")),
  version: optional(described(string, "The version of the VM.")),
  protocol: optional(described(number, "The version of the plugin protocol.")),
  restarts: described(number, "How often the plugin was started again after a failure."),
  pid: optional(described(number, "The process of the plugin.")),
  databaseBytes: described(number, "The size of the plugin's database, bytes."),
  paths: described(list(string), "The paths of the VM's handlers."),
  evmChainID: optional(described(u64, "The chain ID of the EVM.")),
  keys: described(list(object({ address: string, privateKey: string })), "Publicly known keys that the genesis funds."),
  log: described(list(string), "The last lines that the plugin printed."),
})

/** The parameter of the methods about one L1. */
export const l1Name = described(string, "The name of the L1, or the ID of its blockchain.")

/** Returns the VMs of the node. Throws `dev.no_vms`. */
export function requireHosting({ l1s }: DevContext): ChainHosting {
  if (!l1s) throw devError("dev.no_vms")
  return l1s
}

/** An L1 in the examples. */
export const exampleL1 = {
  name: "mine",
  subnetID: "2RReTHVqw7iwYMVsnNpqTqw9nm2uvwS6S2DEuQHg4y6qKSnPVC",
  chainID: "282Z875nKi6udpvejm7gk52b2SiJVxnDCMNQMR9XYp999jk8Mb",
  vmID: "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy",
  vm: "subnet-evm",
  state: "running",
  height: "12",
  version: "v0.8.0",
  protocol: 44,
  restarts: 0,
  pid: 4242,
  databaseBytes: 184320,
  paths: ["/ext/bc/mine/rpc", "/ext/bc/mine/ws", "/ext/bc/mine/validators"],
  evmChainID: "99001",
  keys: [
    {
      address: "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC",
      privateKey: "0x56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027",
    },
  ],
  log: [],
} as const
