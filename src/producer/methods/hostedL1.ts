import { described, string } from "../../jsonrpc/schema/kinds.js"
import type { ChainHosting } from "../chainHosting.js"
import type { DevContext } from "./context.js"
import { devError } from "./errors.js"

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

/** A message in the examples. */
export const exampleMessage = {
  messageID: "2Dq2H6ZBVrRmrd8r4oFGDTyhSGbuHYqEjqdLVzAzATa1ZtVxm1",
  icmID: "0x26b36d4f1ea8e9a9f5f8d3b5b1a0a3a06e7ec9d4d2f1a4b6a3a8f6a7c7c1d2e3",
  contract: "0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf",
  sourceChainID: "282Z875nKi6udpvejm7gk52b2SiJVxnDCMNQMR9XYp999jk8Mb",
  destinationChainID: "2RReTHVqw7iwYMVsnNpqTqw9nm2uvwS6S2DEuQHg4y6qKSnPVC",
  nonce: "1",
  sender: "0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc",
  receiver: "0x52c84043cd9c865236f11d9fc9f56aa003c1f922",
  height: "12",
  sourceTx: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
  state: "delivered",
  deliveryTx: "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b",
  signers: [{ nodeID: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", weight: "100" }],
  totalWeight: "100",
} as const
